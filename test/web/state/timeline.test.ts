import { expect, test } from 'bun:test'
import {
  dropReferences,
  emptyTimeline,
  type Entry,
  merge,
  PAGE,
  withReference,
} from '../../../src/web/state/timeline.ts'
import { forgetBefore, oldestToKeep } from '../../../src/web/state/resting.ts'

const message = (id: number, content: string) => ({ id, channel_id: 7, content, reactions: [] as unknown[] }) as Entry

test('a page leaves an unchanged message the same object, and replaces a changed one', () => {
  const timeline = emptyTimeline()
  merge(timeline, 'newest', [message(1, 'one'), message(2, 'two')])
  const [one, two] = timeline.entries
  merge(timeline, 'around', [message(1, 'one'), message(2, 'two, edited'), message(3, 'three')], 1)
  expect(timeline.entries.map(({ content }) => content)).toEqual(['one', 'two, edited', 'three'])
  expect([timeline.entries[0] === one, timeline.entries[1] === two]).toEqual([true, false])
})

test('messages far above are evicted, but not the new line, and not while a page is requested', () => {
  const timeline = emptyTimeline()
  const rows = (count: number) => Array.from({ length: count }, (_, nth) => message(nth + 1, `number ${nth + 1}`))
  merge(timeline, 'newest', rows(2 * PAGE))
  expect(oldestToKeep(timeline, Infinity)).toBe(undefined)
  merge(timeline, 'newest', rows(3 * PAGE))
  timeline.atOldest = true
  expect(oldestToKeep(timeline, Infinity)).toBe(2 * PAGE + 1)
  expect(oldestToKeep(timeline, PAGE)).toBeLessThanOrEqual(PAGE)
  expect(oldestToKeep({ ...timeline, meanwhile: [] }, Infinity)).toBe(undefined)
  forgetBefore(timeline, 2 * PAGE + 1)
  expect([timeline.entries.length, timeline.entries[0]?.id, timeline.atOldest]).toEqual([PAGE, 2 * PAGE + 1, false])
})

test('a reference from REST stays when an event lacks it, and goes with its channel or its original', () => {
  const author = { id: 1, display_name: 'Alice', avatar_file_id: null, kind: 'person' as const }
  const original = { message_id: 3, channel_id: 9, author, content: 'An owl' }
  const unnamed = { message_id: null, channel_id: null, author: null }
  expect(withReference({ ...unnamed, content: 'An owl' }, original)).toEqual(original)
  expect(withReference({ ...unnamed, content: null }, original)).toEqual({ ...unnamed, content: null })
  expect(withReference(original, undefined)).toEqual(original)
  const timeline = emptyTimeline()
  merge(timeline, 'newest', [{ ...message(4, ''), forwarded: original }, message(5, 'other')])
  dropReferences(timeline, 8)
  expect(timeline.entries[0]?.forwarded).toEqual(original)
  dropReferences(timeline, 9)
  expect(timeline.entries[0]?.forwarded).toEqual({ ...unnamed, content: 'An owl' })
})
