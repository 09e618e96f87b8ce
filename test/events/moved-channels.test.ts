import { expect, test } from 'bun:test'
import { eventFrame, topic } from '../../src/core/events.ts'
import { MovedChannels } from '../../src/events/moved-channels.ts'

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
