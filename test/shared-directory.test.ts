import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../src/database/database.ts'
import { VERSION } from '../src/core/version.ts'
import { person } from './support/harness.ts'
import { dataDirectory, emptyDatabase, refusal, SPAWN_MS, spawnParley } from './support/spawned.ts'

const isRoot = process.getuid?.() === 0

test(
  'a second server on a DATA_DIR refuses in one sentence, and removes nothing that the first is writing',
  async () => {
    const data = dataDirectory()
    const { child } = await spawnParley(data, { DATABASE_URL: await emptyDatabase('first') })
    const upload = join(data, 'objects/parley/tmp/upload-under-way')
    mkdirSync(join(upload, '..'), { recursive: true })
    writeFileSync(upload, 'bytes')
    const second = await refusal(data, { DATABASE_URL: await emptyDatabase('second') })
    expect(second).toEqual({ code: 1, out: '', error: 'Another Parley uses this DATA_DIR.\n' })
    expect(existsSync(upload)).toBe(true)
    child.kill('SIGKILL')
    await child.exited
    // The lock ends with its holder.
    const next = await spawnParley(data, { DATABASE_URL: await emptyDatabase('third') })
    next.child.kill('SIGTERM')
    expect(await next.child.exited).toBe(0)
  },
  SPAWN_MS,
)

test(
  'with umask 077 the server starts, as root and as a user, and starts again',
  async () => {
    for (const uid of isRoot ? [0, 65_534] : [process.getuid?.() ?? 0]) {
      const data = dataDirectory()
      const as = isRoot && uid !== 0 ? ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'] : []
      if (as.length > 0)
        Bun.spawnSync([
          'sh',
          '-c',
          `chmod 711 "$1/.." "$1" && mkdir "$2" && chown ${uid}:${uid} "$2"`,
          'sh',
          join(data, '..'),
          data,
        ])
      const wrapper = [...as, 'sh', '-c', 'umask 077; exec "$@"', 'sh']
      for (let start = 0; start < 2; start++) {
        const { child, parley } = await spawnParley(data, {}, wrapper)
        await person(parley, 'alice')
        child.kill('SIGTERM')
        expect([uid, await child.exited]).toEqual([uid, 0])
      }
      expect(statSync(join(data, 'secrets.json')).mode & 0o077).toBe(0)
    }
  },
  SPAWN_MS,
)

test(
  'a newer schema is refused with a version that has it, or with the file to look for where no release has it yet',
  async () => {
    const DATABASE_URL = await emptyDatabase('newer')
    const { child } = await spawnParley(dataDirectory(), { DATABASE_URL })
    child.kill('SIGTERM')
    await child.exited
    const sql = openDatabase({ url: DATABASE_URL }, 1)
    await sql`insert into migrations (name, digest, version) values ('9998_a.sql', 'x', ${VERSION})`
    const same = await refusal(dataDirectory(), { DATABASE_URL })
    expect([same.code, same.error]).toEqual([
      1,
      `The database has run sql/9998_a.sql, which this version (${VERSION}) does not have: use a release after ` +
        `${VERSION}, or a commit of Parley that has this file (git log --all -- sql/9998_a.sql).\n`,
    ])
    await sql`insert into migrations (name, digest, version) values ('9999_b.sql', 'x', '99.1.0')`
    const newer = await refusal(dataDirectory(), { DATABASE_URL })
    expect(newer.error).toContain('sql/9999_b.sql')
    expect(newer.error).toEndWith('use Parley 99.1.0 or later.\n')
    await sql.end()
  },
  SPAWN_MS,
)
