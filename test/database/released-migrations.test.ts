import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dir, '../../sql')
const names = readdirSync(folder).filter((name) => /^\d{4}_/.test(name))
const digestOf = (name: string) =>
  createHash('sha256')
    .update(readFileSync(join(folder, name)))
    .digest('hex')

/** The output of `sha256sum`, for migrations and functions. */
const lines = readFileSync(join(folder, 'released.sha256'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => {
    const [digest = '', name = ''] = line.split(/ [ *]/)
    return { name, digest }
  })
const released = lines.filter(({ name }) => !name.includes('/'))

test('every released migration still exists, unchanged', () => {
  const changed = released
    .filter(({ name, digest }) => !names.includes(name) || digestOf(name) !== digest)
    .map(({ name }) =>
      names.includes(name)
        ? `sql/${name} was released and is different now: servers that ran it refuse to start. ` +
          `Undo the change (git checkout sql/${name}), and put what you want to change into a new file in sql/.`
        : `sql/${name} was released and is gone: servers that ran it refuse to start. Bring it back.`,
    )
  expect(changed).toEqual([])
})

test('a new migration comes after every released one, and only a release lists it', () => {
  const last =
    released
      .map(({ name }) => name)
      .sort()
      .at(-1) ?? ''
  const early = names
    .filter((name) => !released.some((file) => file.name === name) && name < last)
    .map((name) => `sql/${name} is new and comes before sql/${last}, which was released: give it a higher number.`)
  expect(early).toEqual([])
  expect(released.map(({ name }) => name)).toEqual(released.map(({ name }) => name).toSorted())
  expect(new Set(released.map(({ name }) => name)).size).toBe(released.length)
  expect(released.length).toBeGreaterThanOrEqual(17)
})

test('functions that changed since a release come with a new migration, so that older versions refuse the data', () => {
  const files = [...new Bun.Glob('functions/*/*.sql').scanSync({ cwd: folder })]
  const changed = files.filter((name) => !lines.some((line) => line.name === name && line.digest === digestOf(name)))
  const added = names.filter((name) => !released.some((file) => file.name === name))
  expect(changed.length === 0 || added.length > 0).toBe(true)
})
