import { expect, test } from 'bun:test'
import { events } from '../../src/api/asyncapi.ts'
import { topic } from '../../src/core/events.ts'
import { memoryBus } from '../../src/events/bus.ts'
import { UncertainWrites } from '../../src/events/uncertain-writes.ts'
import { openWrite } from '../../src/events/write.ts'
import { boot } from '../support/harness.ts'

const { sql } = (await boot()).parts

test('writes after a loss of the database are published after possible commits from before', async () => {
  const bus = memoryBus()
  const published: (number | undefined)[] = []
  bus.onFrame(({ s }) => void published.push(s))
  const uncertain = new UncertainWrites(sql, bus, () => {}, false)
  const write = openWrite(sql, bus, events, uncertain)
  const [before] = await sql<[{ id: number }]>`
    insert into events (type, topic, server_id, resource, body)
    values ('server.deleted', 'server:1', 1, 'server:1', '{"id":1}') returning id`
  const others = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const other = sql.begin(async (tx) => {
    await tx`select pg_current_xact_id()`
    begun.resolve()
    await others.promise
  })
  await begun.promise
  uncertain.add([])
  let isAnswered = false
  const newer = write(async (_tx, emit) => emit(topic.server(2), 'server.deleted', { id: 2 })).then(() => {
    isAnswered = true
  })
  await Bun.sleep(500)
  expect(isAnswered).toBe(false)
  others.resolve()
  await Promise.all([other, newer])
  const [after] = await sql<[{ id: number }]>`select max(id) as id from events`
  expect(published.indexOf(before.id)).toBeGreaterThanOrEqual(0)
  expect(published.at(-1)).toBe(after.id)
  expect(published.lastIndexOf(before.id)).toBeLessThan(published.lastIndexOf(after.id))
  uncertain.stop()
})
