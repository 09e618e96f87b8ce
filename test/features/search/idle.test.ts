import { expect, test } from 'bun:test'
import { openDatabase } from '../../../src/database/database.ts'
import { migrate } from '../../../src/database/migrate.ts'
import { SearchIndexer } from '../../../src/features/search/indexer.ts'
import { createDatabase } from '../../support/harness.ts'
import { until } from '../../support/until.ts'

test('no transaction begins while nothing needs indexing, and later messages are indexed', async () => {
  const sql = openDatabase({ url: await createDatabase('idle_search') }, 2)
  await migrate(sql)
  let transactions = 0
  const counted = new Proxy(sql, {
    get(target, name) {
      if (name === 'begin') transactions++
      return Reflect.get(target, name)
    },
  })
  const indexer = new SearchIndexer({ sql: counted, log: () => {} })
  const happens = async () => {
    const [event] = await sql<[{ id: number }]>`insert into events (type, topic, resource, body)
      values ('server.updated', 'server:1', 'server:1', '{}') returning id`
    return event.id
  }
  /** Runs until the job has a position in the log. */
  const begins = () =>
    until(async () => {
      await indexer.run()
      return (await sql`select from search_progress`).length === 1
    })
  /** Runs until the event has been read, which waits for other open transactions. */
  const reads = (eventId: number) =>
    until(async () => {
      await indexer.run()
      const [row] = await sql`select from search_progress where event_id = ${eventId}`
      return row !== undefined
    })
  /** Counts the transactions of a few runs, once one has found nothing. */
  const whenIdle = async () => {
    await indexer.run()
    await indexer.run()
    const before = transactions
    for (let n = 0; n < 5; n++) await indexer.run()
    return transactions - before
  }
  try {
    await begins()
    for (let n = 0; n < 2; n++) {
      await reads(await happens())
      expect(await whenIdle()).toBe(0)
    }
    expect(transactions).toBeGreaterThan(0)
    await sql`delete from search_progress`
    await begins()
  } finally {
    indexer.stop()
    await indexer.run()
    await sql.end({ timeout: 1 })
  }
})
