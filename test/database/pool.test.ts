import { expect, test } from 'bun:test'
import { openDatabase } from '../../src/database/database.ts'
import { createDatabase } from '../support/harness.ts'

test('consecutive statements take one connection, with everything prepared', async () => {
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

test('a connection retains no results of its last transaction', async () => {
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
    // The stack may still refer to a few by chance.
    expect(found.filter((ref) => ref.deref()).length).toBeLessThan(4)
  } finally {
    await sql.end({ timeout: 1 })
  }
})

test('a query on a transaction that has ended is refused, and its connection stays in use', async () => {
  const url = await createDatabase('late_query')
  const [sql, other] = [openDatabase({ url }, 1), openDatabase({ url }, 1)]
  try {
    const { tx, pid } = await sql.begin(async (tx) => {
      const [row] = await tx<[{ pid: number }]>`select pg_backend_pid() as pid`
      return { tx, pid: row.pid }
    })
    const late = () =>
      tx`select 1`.then(
        () => undefined,
        (error: { code: string }) => error.code,
      )
    expect(await late()).toBe('TRANSACTION_ENDED')
    await other`select pg_terminate_backend(${pid})`
    await Bun.sleep(100)
    expect(await late()).toBe('TRANSACTION_ENDED')
    expect([...(await sql`select 1 as one`)]).toEqual([{ one: 1 }])
  } finally {
    await Promise.all([sql.end({ timeout: 1 }), other.end({ timeout: 1 })])
  }
})
