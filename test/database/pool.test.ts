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

test('a connection holds nothing of what its last transaction returned', async () => {
  const sql = openDatabase({ url: await createDatabase('let_go') }, 12)
  const read = async () => {
    const found = { text: 'found' }
    await sql.begin(async (tx) => {
      await tx`select pg_sleep(0.1)`
      return { found }
    })
    return new WeakRef(found)
  }
  try {
    const found = await Promise.all(Array.from({ length: 40 }, read))
    await Bun.sleep(100)
    Bun.gc(true)
    // The stack may still name a few by chance.
    expect(found.filter((ref) => ref.deref()).length).toBeLessThan(4)
  } finally {
    await sql.end({ timeout: 1 })
  }
})
