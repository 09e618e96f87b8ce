import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { restore } from '../../src/backup/restore.ts'
import { openTarget, type Target } from '../../src/backup/target.ts'
import { RefusesToBoot } from '../../src/core/errors.ts'
import { openDatabase } from '../../src/database/database.ts'
import { readEnvironment } from '../../src/environment.ts'
import { done, refused } from '../support/backups.ts'
import { largeBackup, MESSAGES } from '../support/large-backup.ts'
import { dataDirectory, emptyDatabase, migrateDatabase, refusal } from '../support/spawned.ts'

const LONG_MS = 600_000
const PLACES = 50
/** The first positions are restored into an empty database; the others into the schema, which takes seconds to make. */
const ON_EMPTY_DATABASE = 4
const backup = largeBackup()
const never = new AbortController().signal

/** The same numbers between 0 and 1 in each run, after a first number (Park and Miller 1988). */
function* numbers(seed: number): Generator<number> {
  for (let n = seed; ; n = (n * 48_271) % 0x7fff_ffff) yield n / 0x7fff_ffff
}

function restoreInto(variables: Record<string, string>, path: string, changed?: (target: Target) => Target) {
  const environment = readEnvironment({ ...variables })
  const options = { ask: async () => '', keepSessions: false, earlier: [], check: false, signal: never }
  return openTarget(environment).then((target) =>
    restore(path, { url: environment.DATABASE_URL }, changed?.(target) ?? target, options, () => {}),
  )
}

test(
  'a restore of a large backup that is cut, or has a flipped byte, at fifty places ends and leaves nothing',
  async () => {
    const bytes = readFileSync(await backup)
    const path = join(mkdtempSync(join(tmpdir(), 'damage-')), 'backup')
    const DATABASE_URL = await emptyDatabase('damage')
    const random = numbers(20_261_128)
    for (let place = 0; place < PLACES; place++) {
      if (place === ON_EMPTY_DATABASE) await migrateDatabase(DATABASE_URL)
      const at = Math.floor(bytes.length * (random.next().value as number))
      const isCut = place % 2 === 0
      const damaged = Buffer.from(isCut ? bytes.subarray(0, at) : bytes)
      if (!isCut) damaged[at] = (damaged[at] ?? 0) ^ (1 << (place % 8))
      writeFileSync(path, damaged)
      const DATA_DIR = dataDirectory()
      const failure = await restoreInto({ DATA_DIR, DATABASE_URL }, path).then(
        () => undefined,
        (error: unknown) => error,
      )
      expect([place, failure]).toEqual([place, expect.any(RefusesToBoot)])
      expect([place, (failure as Error).message]).toEqual([
        place,
        expect.stringMatching(/damaged|truncated|not a Parley backup/),
      ])
      const leftovers = existsSync(DATA_DIR) ? readdirSync(DATA_DIR, { recursive: true }) : 'nothing'
      expect([place, leftovers]).toEqual([place, 'nothing'])
    }
    const DATA_DIR = dataDirectory()
    await restoreInto({ DATA_DIR, DATABASE_URL }, await backup)
    const sql = openDatabase({ url: DATABASE_URL }, 1)
    expect(await sql`select count(*)::int as n from messages`).toEqual([{ n: MESSAGES + 1 }] as never)
    await sql.end()
  },
  LONG_MS,
)

test(
  'the commands restore and verify end in one sentence over a large backup that is cut',
  async () => {
    const bytes = readFileSync(await backup)
    const path = join(mkdtempSync(join(tmpdir(), 'damage-')), 'backup')
    writeFileSync(path, bytes.subarray(0, Math.floor(bytes.length / 2)))
    for (const command of ['restore', 'verify'] as const) {
      const variables = { DATA_DIR: dataDirectory() }
      expect(await refused(command, variables, path)).toMatch(/damaged|truncated/)
      expect(existsSync(variables.DATA_DIR)).toBe(false)
    }
  },
  LONG_MS,
)

test(
  'objects of a restore that was killed before the database committed keep nothing from the next restore',
  async () => {
    const variables = { DATA_DIR: dataDirectory(), DATABASE_URL: await emptyDatabase('killed') }
    const killed = new Error('killed')
    // Imitates a kill: nothing is cleaned up.
    const dying = (target: Target): Target => ({
      keepsSecrets: target.keepsSecrets,
      demandEmpty: () => target.demandEmpty(),
      put: (key, object) => target.put(key, object),
      finish(secrets) {
        target.finish(secrets)
        throw killed
      },
      settle() {},
      async undo() {},
    })
    await expect(restoreInto(variables, await backup, dying)).rejects.toBe(killed)
    expect(existsSync(join(variables.DATA_DIR, 'objects/parley'))).toBe(true)
    const { code, error } = await refusal(variables.DATA_DIR, { DATABASE_URL: variables.DATABASE_URL })
    expect([code, error.trimEnd().split('\n').length]).toEqual([1, 1])
    expect(error).toStartWith('A restore was interrupted: run it again, or remove ')
    await done('restore', variables, await backup)
    expect(existsSync(join(variables.DATA_DIR, 'restoring'))).toBe(false)
    expect(existsSync(join(variables.DATA_DIR, 'objects/parley'))).toBe(true)
  },
  LONG_MS,
)

test('a restore that is undone after it stored files leaves no DATA_DIR that it made', async () => {
  for (const existed of [false, true]) {
    const DATA_DIR = dataDirectory()
    if (existed) mkdirSync(DATA_DIR)
    const target = await openTarget(readEnvironment({ DATA_DIR, DATABASE_URL: 'postgres://nobody@localhost/none' }))
    const bytes = (async function* () {
      yield Buffer.from('owl')
    })()
    await target.put('files/owl', { size: 3, content_type: 'text/plain', bytes })
    await target.undo()
    expect(existsSync(DATA_DIR) ? readdirSync(DATA_DIR) : 'nothing').toEqual(existed ? [] : 'nothing')
  }
})
