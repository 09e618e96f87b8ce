import { expect, test } from 'bun:test'
import { emptyTimeline, type Entry, merge } from '../../../src/web/state/timeline.ts'

const message = (id: number, content: string) => ({ id, channel_id: 7, content, reactions: [] as unknown[] }) as Entry

test('a page leaves a message that is known and unchanged the same object, and replaces a changed one', () => {
  const timeline = emptyTimeline()
  merge(timeline, 'newest', [message(1, 'one'), message(2, 'two')])
  const [one, two] = timeline.entries
  merge(timeline, 'around', [message(1, 'one'), message(2, 'two, edited'), message(3, 'three')], 1)
  expect(timeline.entries.map(({ content }) => content)).toEqual(['one', 'two, edited', 'three'])
  expect([timeline.entries[0] === one, timeline.entries[1] === two]).toEqual([true, false])
})
