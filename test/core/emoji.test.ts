import { expect, test } from 'bun:test'
import data from 'emojibase-data/en/data.json'
import { customEmojiId, unicodeEmoji } from '../../src/core/emoji.ts'

const groupedEmoji = data.filter(({ group }) => group !== undefined).flatMap((one) => [one, ...(one.skins ?? [])])

test('every emoji that emojibase knows has one form, with and without variation selectors', () => {
  expect(groupedEmoji.length).toBeGreaterThan(3_500)
  const forms = groupedEmoji.map(({ emoji }) => [
    unicodeEmoji(emoji),
    unicodeEmoji(emoji.replace(/\uFE0F/g, '')),
    unicodeEmoji(unicodeEmoji(emoji) ?? ''),
  ])
  expect(forms.filter(([one, bare, again]) => one === undefined || bare !== one || again !== one)).toEqual([])
  expect(new Set(forms.map(([one]) => one)).size).toBe(groupedEmoji.length)
})

test('the text form of an emoji is the emoji', () => {
  expect(unicodeEmoji('\u2764')).toBe('\u2764\uFE0F')
  expect(unicodeEmoji('\u2764\uFE0E')).toBe('\u2764\uFE0F')
  expect(unicodeEmoji('\u{1F44D}\uFE0F')).toBe('\u{1F44D}')
  expect(unicodeEmoji('#\u20E3')).toBe('#\uFE0F\u20E3')
})

test('text other than one emoji is refused, however long', () => {
  const ones = ['', 'a', '1', '#', '👍👍', '👍a', '\u{1F1E6}', '\u{1F3FB}\u{1F3FB}', '\uD83D', '\uFE0F', '\u200D', 'ok']
  for (const text of [...ones, '👍'.repeat(100_000), 'e\u0301'.repeat(100_000)])
    expect([text.slice(0, 9), unicodeEmoji(text)]).toEqual([text.slice(0, 9), undefined])
})

test('a custom emoji is a name and an id', () => {
  expect(customEmojiId('owl_2:17')).toBe(17)
  for (const text of [
    'o:17',
    'owl:0',
    'owl:017',
    'Owl:17',
    'owl:1e3',
    `${'o'.repeat(33)}:1`,
    'owl:9999999999999999',
    'owl',
  ])
    expect([text, customEmojiId(text)]).toEqual([text, undefined])
})
