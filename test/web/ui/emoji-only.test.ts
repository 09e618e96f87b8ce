import { expect, test } from 'bun:test'
import { isEmojiOnly } from '../../../src/web/ui/messages/emoji-only.ts'
import { parse } from '../../../src/core/markup.ts'

const FLAGS = ['🇩🇪🇫🇷', '🏴󠁧󠁢󠁳󠁣󠁴󠁿']
const LARGE = [...FLAGS, '👍', '👍🏽 🎉', '👩‍👩‍👧‍👦', '1️⃣', '❤️\n❤️', '<:osprey:12> 👍', '👍'.repeat(27)]
const SMALL = ['', 'a 👍', '1', '#', '12', '**👍**', '> 👍', '👍'.repeat(28), '👍 <@8>', '👍'.repeat(100_000)]

test('a message of up to 27 emoji and nothing else is drawn large, and any other is not', () => {
  expect(LARGE.filter((text) => !isEmojiOnly(parse(text)))).toEqual([])
  expect(SMALL.filter((text) => isEmojiOnly(parse(text)))).toEqual([])
})
