import { expect, onTestFinished, setSystemTime, test } from 'bun:test'
import { eventFrame, topic } from '../../src/core/events.ts'
import { MovedChannels } from '../../src/events/moved-channels.ts'
import { RedisBus } from '../../src/events/redis-bus.ts'
import type { RedisLink } from '../../src/redis/client.ts'

const frameTo = (restricted: boolean) =>
  eventFrame(topic.channel({ id: 5, server_id: 1, restricted }), 'message.created', 1, '{}')
const [open, restricted] = [frameTo(false), frameTo(true)]

test('after a channel moves, frames to its former topic are stale, and those to its topic are not', () => {
  const moved = new MovedChannels(() => 0)
  expect([moved.isStale(open), moved.isStale(restricted)]).toEqual([false, false])
  moved.note({ kind: 'server_access_changed', server_id: 1, hidden: [5], revealed: [] })
  expect([moved.isStale(open), moved.isStale(restricted)]).toEqual([true, false])
  moved.note({ kind: 'server_access_changed', server_id: 1, hidden: [], revealed: [5] })
  expect([moved.isStale(open), moved.isStale(restricted)]).toEqual([false, true])
  expect(moved.isStale(eventFrame(topic.server(1), 'role.deleted', 2, '{}'))).toBe(false)
  moved.note({ kind: 'recheck_all' })
  expect(moved.isStale(restricted)).toBe(false)
})

test('a move is forgotten after a minute, also of a channel that gets no frame any more', () => {
  let now = 0
  const moved = new MovedChannels(() => now)
  const hide = (id: number) => moved.note({ kind: 'server_access_changed', server_id: 1, hidden: [id], revealed: [] })
  for (let id = 1; id <= 5; id++) hide(id)
  now = 50_000
  hide(1)
  now = 70_000
  hide(6)
  expect(moved.size).toBe(2)
})

test('a clock that is set forward forgets no move', async () => {
  const link = { subscriber: { on() {} }, key: (name: string) => name, onReady() {} } as unknown as RedisLink
  const bus = new RedisBus(link, 'one')
  const delivered: string[] = []
  bus.onFrame(({ topic }) => void delivered.push(topic))
  await bus.notify({ kind: 'server_access_changed', server_id: 1, hidden: [7], revealed: [] })
  onTestFinished(() => void setSystemTime())
  setSystemTime(Date.now() + 3_600_000)
  for (const s of [1, 2]) bus.deliver({ topic: 'server:1', type: 'message.created', s, channel_id: 7, text: '{}' })
  expect(delivered).toEqual([])
})
