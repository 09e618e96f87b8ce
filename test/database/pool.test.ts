import { expect, test } from 'bun:test'
import { openDatabase } from '../../src/database/database.ts'
import { createDatabase } from '../support/harness.ts'

test('statements one after another take one connection, which has all they need at hand', async () => {
  const sql = openDatabase({ url: await createDatabase('pool') }, 3)
  const pid = async (seconds: number): Promise<number> => {
    const [row] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid, pg_sleep(${seconds}::float)`
    return row.pid
  }
  const atOnce = async () => new Set(await Promise.all([pid(0.2), pid(0.2), pid(0.2)]))
  try {
    const all = await atOnce()
    expect(all.size).toBe(3)
    const one = new Set<number>()
    for (let n = 0; n < 10; n++) one.add(await pid(0))
    expect(one.size).toBe(1)
    expect(await atOnce()).toEqual(all)
  } finally {
    await sql.end({ timeout: 1 })
  }
})
