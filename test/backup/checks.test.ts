import { expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BackupChecks } from '../../src/backup/checks.ts'
import { databaseOf } from '../support/operator.ts'
import { done } from '../support/backups.ts'
import { boot, newServer, person, say, stop, until } from '../support/harness.ts'

const LONG_MS = 300_000

/** The process id of a check that this process has begun. */
function runningCheck(): number | undefined {
  const read = (path: string) => {
    try {
      return readFileSync(path, 'utf8')
    } catch {
      // It has ended.
      return ''
    }
  }
  const children = readdirSync('/proc/self/task').flatMap((task) =>
    read(`/proc/self/task/${task}/children`).split(' ').filter(Boolean),
  )
  return children.map(Number).find((pid) => read(`/proc/${pid}/cmdline`).split('\0').includes('verify'))
}

test(
  'VERIFY_EVERY tries the newest backup on one node, and tells in metrics whether it is intact',
  async () => {
    const BACKUP_DIR = mkdtempSync(join(tmpdir(), 'checks-'))
    const parley = await boot({ BACKUP_DIR, VERIFY_EVERY: '30m' })
    const { environment, sql } = parley.parts
    const lines: unknown[][] = []
    const open = () =>
      new BackupChecks(environment, { url: databaseOf(parley).DATABASE_URL }, (...line) => void lines.push(line))
    const [one, two] = [open(), open()]
    const metrics = async () => (await fetch(`${parley.url}/metrics`)).text()
    // Without a backup there is nothing to check.
    await one.run()
    expect(lines).toEqual([])
    expect(await metrics()).toInclude('\nparley_backup_verified -1\n')

    const alice = await person(parley, 'alice')
    await say(alice, (await newServer(alice)).channel_id, 'kingfisher')
    const path = join(BACKUP_DIR, 'parley-manual-20260102T030405.001Z.tar.zst')
    await done('backup', { ...databaseOf(parley), DATA_DIR: environment.DATA_DIR }, path)
    await Promise.all([one.run(), two.run(), one.run()])
    // It is not due again.
    await one.run()
    expect(lines.map(([level, event]) => [level, event])).toEqual([['info', 'backup.verified']])
    expect(await metrics()).toInclude('\nparley_backup_verified 1\n')

    // A check that was interrupted says nothing about the backup.
    await sql`update backup_checks set at = at - interval '31 minutes'`
    const three = open()
    const checking = three.run()
    let child: number | undefined
    await until(() => (child = runningCheck()) !== undefined, LONG_MS)
    process.kill(child ?? 0, 'SIGTERM')
    await checking
    expect(lines.pop()?.slice(0, 2)).toEqual(['error', 'backup.unchecked'])
    expect(await metrics()).toInclude('\nparley_backup_verified 1\n')
    await three.stop()

    const bytes = readFileSync(path)
    const place = Math.floor(bytes.length / 2)
    bytes[place] = (bytes[place] ?? 0) ^ 1
    writeFileSync(path, bytes)
    await one.run()
    expect(lines.at(-1)?.slice(0, 2)).toEqual(['error', 'backup.damaged'])
    const [check] = await sql<{ problem: string }[]>`select problem from backup_checks order by id desc limit 1`
    expect(check?.problem).toMatch(/damaged/)
    expect(await metrics()).toInclude('\nparley_backup_verified 0\n')
    await Promise.all([one.stop(), two.stop()])
    await stop(parley)
  },
  LONG_MS,
)
