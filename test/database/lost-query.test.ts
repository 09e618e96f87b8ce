import { afterAll, expect, test } from 'bun:test'
import { connect as dial, createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { isDatabaseAway, openDatabase } from '../../src/database/database.ts'
import { createDatabase } from '../support/harness.ts'
import { until } from '../support/until.ts'

const target = new URL(await createDatabase('lost_query'))
const socket = target.searchParams.get('host')
const port = Number(target.port || 5432)
const clients = new Set<Socket>()

/** A proxy to the database whose connections can be reset. */
const proxy = createServer((client) => {
  const server = socket?.startsWith('/') ? dial(`${socket}/.s.PGSQL.${port}`) : dial(port, target.hostname)
  clients.add(client)
  client.on('close', () => (clients.delete(client), server.destroy()))
  for (const end of [client, server]) end.on('error', () => {})
  client.pipe(server)
  server.pipe(client)
}).listen(0, '127.0.0.1')
await once(proxy, 'listening')
afterAll(() => proxy.close())

function url(): string {
  const address = proxy.address()
  if (typeof address !== 'object' || address === null) throw new Error('The proxy does not listen')
  const through = new URL(target)
  through.searchParams.delete('host')
  Object.assign(through, { hostname: '127.0.0.1', port: String(address.port) })
  return through.href
}

test('a query that begins while its connection is being lost is answered', async () => {
  const sql = openDatabase({ url: url() }, 1)
  for (let round = 0; round < 5; round++) {
    const [row] = await sql<{ one: number }[]>`select 1 as one`
    expect(row).toEqual({ one: 1 })
    // At the moment when the first query fails: before the driver knows that the connection is closed.
    let answers: PromiseSettledResult<unknown>[] = []
    const lost = sql`select pg_sleep(60)`.catch(async (error: unknown) => {
      expect(isDatabaseAway(error)).toBe(true)
      answers = await Promise.allSettled([
        sql`select 2 as two`,
        sql.begin(async (tx) => tx`select 3 as three`),
        sql`select 4 as four`,
      ])
    })
    await until(() => clients.size > 0)
    for (const client of clients) client.resetAndDestroy()
    await lost
    expect(answers).toHaveLength(3)
    for (const one of answers) if (one.status === 'rejected') expect(isDatabaseAway(one.reason)).toBe(true)
  }
  await sql.end({ timeout: 1 })
})
