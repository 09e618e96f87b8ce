import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { variables } from '../src/environment.ts'

const readme = readFileSync(join(import.meta.dir, '../README.md'), 'utf8')

test('the README tells every variable, and no other', () => {
  const rows = [...readme.matchAll(/^\| `([A-Z][A-Z0-9_]+)` \|[^|]*\| (.+) \|$/gm)].map(([, name, meaning]) => ({
    name,
    meaning,
  }))
  expect(rows).toEqual(variables)
})

test('the README names the two commands that package.json has', () => {
  const { scripts } = JSON.parse(readFileSync(join(import.meta.dir, '../package.json'), 'utf8'))
  expect(readme).toContain('bun start')
  expect(readme).toContain('bun run test')
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['start', 'test', 'bench']))
})
