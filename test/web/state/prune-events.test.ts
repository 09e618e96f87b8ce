import { expect, test } from 'bun:test'
import type { Channel } from '../../../src/features/access/model.ts'
import type { EventFrame } from '../../../src/web/client/gateway.ts'
import { Store } from '../../../src/web/state/store.ts'
import { emptyTimeline, type Entry, merge } from '../../../src/web/state/timeline.ts'

const channel_id = 2
const message = (id: number, author: number) =>
  ({ id, channel_id, kind: 'default', author: { id: author }, content: `${id}`, reactions: [] }) as unknown as Entry
const pruned = (author_id: number) =>
  ({ t: 'channel.pruned_by', s: 101, d: { channel_id, author_id, after_id: 2, before_id: 9 } }) as EventFrame

function scene(rows: Entry[]) {
  const store = new Store()
  store.state.channels.set(channel_id, { id: channel_id, server_id: 1, type: 'text' } as Channel)
  const timeline = emptyTimeline()
  store.state.timelines.set(`c${channel_id}`, timeline)
  if (rows.length > 0) merge(timeline, 'newest', rows)
  const ids = () => timeline.entries.map(({ id }) => id)
  return { store, timeline, ids }
}

test('only the messages of the author within the range go', () => {
  const { store, ids } = scene([message(1, 8), message(3, 8), message(4, 7), message(5, 8), message(9, 8)])
  store.apply(pruned(8))
  expect(ids()).toEqual([1, 4, 9])
})

test('messages that are deleted while their page is on its way do not come with it', () => {
  const { store, timeline, ids } = scene([])
  timeline.meanwhile = []
  store.apply(pruned(8))
  merge(timeline, 'newest', [message(1, 8), message(3, 8), message(4, 7)])
  expect(ids()).toEqual([1, 4])
})

test('a channel whose loaded messages are all gone is loaded again', () => {
  const rows = Array.from({ length: 50 }, (_, at) => message(100 + at, 8))
  const { store, timeline } = scene(rows)
  const d = { channel_id, author_id: 8, after_id: 2, before_id: 900 }
  expect(timeline.atOldest).toBeFalse()
  store.apply({ t: 'channel.pruned_by', s: 102, d } as EventFrame)
  expect(store.state.timelines.has(`c${channel_id}`)).toBeFalse()
})
