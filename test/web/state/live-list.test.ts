import { expect, test } from 'bun:test'
import type { EventFrame } from '../../../src/web/client/gateway.ts'
import { changesSight, listAfter, type LiveList } from '../../../src/web/state/live-list.ts'
import type { Entry } from '../../../src/web/state/timeline.ts'

/** A message of channel 7 that is pinned at a minute, or not at all. */
const message = (id: number, minute: number | null, content = `message ${id}`) =>
  ({ id, channel_id: 7, content, pinned_at: minute === null ? null : `2026-05-05T00:0${minute}:00.000Z` }) as Entry
const event = (t: string, d: object) => ({ t, d }) as unknown as EventFrame
const pins = {
  belongs: ({ pinned_at }: Entry) => pinned_at !== null,
  order: (one: Entry, other: Entry) => Date.parse(other.pinned_at ?? '') - Date.parse(one.pinned_at ?? ''),
}
const list = (isWhole: boolean): LiveList => ({ entries: [message(3, 9), message(8, 5), message(1, 2)], isWhole })
const idsAfter = (before: LiveList, t: string, d: object) =>
  listAfter(before, event(t, d), pins).entries.map(({ id }) => id)

test('a new pin appears in order, an unpinned or deleted one goes, and an edit stays in its place', () => {
  expect(idsAfter(list(true), 'message.updated', message(4, 7))).toEqual([3, 4, 8, 1])
  expect(idsAfter(list(true), 'message.updated', message(8, null))).toEqual([3, 1])
  expect(idsAfter(list(true), 'message.deleted', { id: 1, channel_id: 7 })).toEqual([3, 8])
  const edited = listAfter(list(true), event('message.updated', message(8, 5, 'new')), pins)
  expect(edited.entries.map(({ content }) => content)).toEqual(['message 3', 'new', 'message 1'])
  expect(idsAfter(list(true), 'channel.pruned', { channel_id: 7, before_id: 3 })).toEqual([3, 8])
  expect(idsAfter(list(true), 'channel.deleted', { id: 7 })).toEqual([])
})

test('entries below the fetched pages are left to the next page', () => {
  expect(idsAfter(list(false), 'message.updated', message(4, 1))).toEqual([3, 8, 1])
  expect(idsAfter(list(true), 'message.updated', message(4, 1))).toEqual([3, 8, 1, 4])
})

test('an unrelated event changes nothing, and a connection that begins afresh fetches anew', () => {
  const before = list(false)
  expect(listAfter(before, event('message.updated', message(4, null)), pins)).toBe(before)
  expect(listAfter(before, event('typing.started', { channel_id: 7 }), pins)).toBe(before)
  expect(changesSight(event('ready', { resumed: true }))).toBe(false)
  expect(changesSight(event('ready', { resumed: false }))).toBe(true)
})
