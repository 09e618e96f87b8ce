import { expect, test } from 'bun:test'
import type { CompiledRules } from '../../../src/features/automod/compiled-rules.ts'
import { matchesIn } from '../../../src/features/automod/try-rules.ts'
import { compiled, wordsRule } from '../../support/automod.ts'

const ruleSet = async (words: string[], allow: string[] = []) =>
  (await compiled(wordsRule([], { trigger: { type: 'words', words, allow } }))).texts
const finds = async (words: string[], text: string, allow: string[] = []): Promise<boolean> =>
  (await ruleSet(words, allow)).judge([text]).length > 0

const table: [title: string, words: string[], caught: string[], free: string[]][] = [
  ['at word boundaries', ['ass'], ['ass', 'An ass!', 'kick_ass', "ass's"], ['class', 'assume', 'as', 'a ss']],
  ['whatever the case', ['Straße'], ['STRASSE', 'strasse', 'straße'], ['Strasbourg']],
  ['in compatibility forms', ['heron'], ['ｈｅｒｏｎ', '𝓱𝓮𝓻𝓸𝓷', 'ⓗⓔⓡⓞⓝ', 'ʜᴇʀᴏɴ', '🅷🅴🆁🅾🅽'], ['herons']],
  ['without what nobody sees', ['heron'], ['he\u200bron', 'h\u00ade\u2060r\u034fon', 'her\u{e0041}on'], ['her on']],
  [
    'turned round by an override',
    ['heron'],
    ['\u202enoreh', 'a \u202enoreh\u202c b', '\u202eno\u202ereh', '\u202e*noreh*', '\u202eno\u200breh\nx'],
    ['noreh', '\u202exheron', 'no\u202e\nreh'],
  ],
  ['without marks', ['heron', 'ёж'], ['hérôn', 'h\u0336e\u0336r\u0336o\u0336n', 'еж', 'ё\u0301ж'], ['hern']],
  ['with marks where they make the letter', ['คา', 'が'], ['คา', 'が'], ['か', 'คำ']],
  ['by look-alikes in a word of two scripts', ['heron', 'рак'], ['hеrоn', 'pак', 'hεrοn'], ['сосна', 'pak']],
  ['whatever the length of a run', ['cool', 'as'], ['coool', 'cooooool', 'aaas', 'asss'], ['col', 'ass', 'aass']],
  ['with numbers as they are', ['10'], ['10', '-10-'], ['1000', '100']],
  ['across lines and spaces', ['two herons'], ['two   herons', 'two\nherons', 'TWO\u00a0HERONS'], ['twoherons']],
  ['with a star for more letters', ['her*', '*gull', '*ow*'], ['heron', 'seagull', 'crows'], ['other', 'gulls']],
  [
    'within others in scripts without spaces',
    ['笨蛋', 'ばか', '바보', 'โง่'],
    ['你笨蛋啊', 'おばかさん', '바보야', 'คนโง่มาก'],
    ['蛋'],
  ],
  ['where Markdown hides the seam', ['heron'], ['he**r**on', 'h*e*ron', '[her](https://a.example)on'], ['her * on']],
  [
    'in code and links',
    ['heron'],
    ['`heron`', '```\nheron\n```', 'https://heron.example/x'],
    ['https://herons.example'],
  ],
  ['with signs of their own', ['c++', ':('], ['I like c++', 'no :('], ['c+', ': (']],
  ['from other planes', ['𠮷野', '😀'], ['𠮷野家', 'so 😀'], ['野', '😁']],
]
for (const [title, words, caught, free] of table)
  test(`words match ${title}`, async () => {
    for (const text of caught) expect([text, await finds(words, text)]).toEqual([text, true])
    for (const text of free) expect([text, await finds(words, text)]).toEqual([text, false])
  })

test('a match within an allowed word does not count, and another one of the same text does', async () => {
  expect(await finds(['*ass*'], 'a classic bass', ['class*', 'bass'])).toBe(false)
  expect(await finds(['*ass*'], 'a classic bass, you ass', ['class*', 'bass'])).toBe(true)
})

test('a test of a text says where it matches', async () => {
  const rules = await ruleSet(['two herons'])
  const text = 'Once\u200b there were  t\u0336w\u0336o\u0336 Ｈｅｒｏｎｓ, I think'
  const [match] = await matchesIn(rules, text, async () => {})
  expect([match?.found, text.slice(match?.start, match?.end)]).toEqual(['two herons', 't̶w̶o̶ Ｈｅｒｏｎｓ,'])
  expect(await matchesIn(rules, 'no such bird', async () => {})).toEqual([])
})

test('texts of any shape are judged in linear time', async () => {
  const word = (n: number) => `${n % 7 === 0 ? '*' : ''}${(n * 7919).toString(36)}bird${n % 5 === 0 ? '*' : ''}`
  const rules = await ruleSet(Array.from({ length: 1000 }, (_, n) => word(n)))
  const hostile = ['a'.repeat(4000), 'a '.repeat(2000), 'bird'.repeat(1000), 'ﷺ'.repeat(4000), 'é\u0301'.repeat(2000)]
  for (const text of [...hostile, '\u202ea'.repeat(2000), 'aа'.repeat(2000), '**a**'.repeat(800), '𠮷'.repeat(4000)]) {
    const begin = performance.now()
    rules.judge([text])
    // Far above what it takes, and far below what a quadratic scan would.
    expect(performance.now() - begin).toBeLessThan(500)
  }
})

test('rules of any shape judge a text in a bounded time', async () => {
  const block = [{ type: 'block' }]
  const thirty = (trigger: (n: number) => object) =>
    compiled(...Array.from({ length: 30 }, (_, n) => ({ name: `${n}`, actions: block, trigger: trigger(n) })))
  const hosts = Array.from({ length: 100 }, (_, n) => `bad${n}.example`)
  const runs = Array.from({ length: 1000 }, (_, n) => `${n % 2 ? '*' : ''}${'a'.repeat((n % 57) + 3)}`)
  const allow = Array.from({ length: 100 }, (_, n) => `*${'a'.repeat((n % 3) + 1)}*`)
  const cases: [CompiledRules, string][] = [
    [await thirty(() => ({ type: 'links', mode: 'deny', hosts })), 'http://a.b.c.d.e '.repeat(230)],
    [await thirty(() => ({ type: 'links', mode: 'allow', hosts: ['a.b.c.d.e'] })), 'http://a.b.c.d.e '.repeat(230)],
    [await thirty(() => ({ type: 'invites' })), 'https://discord.gg/ '.repeat(200)],
    [await thirty(() => ({ type: 'mentions', max: 50 })), '<@1> '.repeat(800)],
    [await thirty(() => ({ type: 'words', words: runs })), 'a aa '.repeat(800)],
    [await thirty(() => ({ type: 'words', words: ['*a*', '*aa*'], allow })), 'aa a '.repeat(800)],
  ]
  for (const [rules, text] of cases) {
    const times = []
    for (let n = 0; n < 12; n++) {
      const begin = performance.now()
      expect(rules.texts.judge([text])).toEqual([])
      times.push(performance.now() - begin)
    }
    // Some milliseconds; without the bounds it was half a second or more.
    expect([text.slice(0, 20), Math.min(...times) < 100]).toEqual([text.slice(0, 20), true])
  }
})
