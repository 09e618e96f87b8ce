import { expect, test } from 'bun:test'
import { parse } from '../../../src/core/markup/markdown.ts'
import { linksIn, mentionsIn, showsNothing } from '../../../src/core/markup/references.ts'
import { markupCases, scripts } from '../../support/markup-cases.ts'

/** The links that the client draws. */
const drawnLinks = (text: string): string[] => {
  const links: string[] = []
  JSON.stringify(parse(text), (key, value) => {
    if (key === 'href') links.push(value)
    return value
  })
  return links
}

test('three hundred texts in twelve scripts have the same links and mentions for the client and the server', () => {
  const cases = scripts.flatMap(markupCases)
  expect([scripts.length, cases.length >= 300]).toEqual([12, true])
  for (const { text, links, people, roles, everyone, here, isQuiet } of cases) {
    expect([text, drawnLinks(text)]).toEqual([text, links])
    expect([text, linksIn(text)]).toEqual([text, isQuiet ? [] : links])
    const named = { people: people ? [8] : [], roles: roles ? [7] : [], everyone, here }
    expect([text, mentionsIn(text)]).toEqual([text, named])
  }
})

test('an address ends before another script begins, and a letter may precede it without a space', () => {
  const links: [string, string[]][] = [
    ['https://example.comを見て', ['https://example.com']],
    ['https://例え.jpを https://例え.例え', ['https://例え.jp', 'https://例え.例え']],
    ['https://ja.wikipedia.org/wiki/日本。', ['https://ja.wikipedia.org/wiki/日本']],
    ['https://fa.wikipedia.org/wiki/می‌خواهم', ['https://fa.wikipedia.org/wiki/می‌خواهم']],
    ['https://fr.wikipedia.org/wiki/L’Équipe’', ['https://fr.wikipedia.org/wiki/L’Équipe']],
    ["https://a.example's https://a.example:8080の", ['https://a.example', 'https://a.example:8080']],
    ['(https://a.example/b)c [https://a.example/b]c', ['https://a.example/b', 'https://a.example/b']],
    ['https://a.example/\u202egro.knab https://a.example/\u200b', ['https://a.example/', 'https://a.example/']],
    ['http://[::1]:80/x, http://[', ['http://[::1]:80/x']],
    ['1https://a.example éhttps://a.example _https://a.example_', []],
    [`https://a.example/${'x'.repeat(2000)}`, []],
  ]
  for (const [text, found] of links) expect([text, drawnLinks(text)]).toEqual([text, found])
})

test('a label that looks like the address of another host is no link, in any spelling', () => {
  const labels = [
    'https://bank.example',
    '**https://bank.example**',
    '`https://bank.example`',
    '~~ht~~tps://bank.example',
    'https\\://bank.example',
    'ht\u200btps://bank.example',
    'ｈｔｔｐｓ：//bank.example',
    'see https://bank.example/',
    'https://bank.example@a.example/',
    '\u200b',
  ]
  for (const label of labels) expect([label, drawnLinks(`[${label}](https://a.example/)`)]).toEqual([label, []])
  expect(drawnLinks('[https://a.example/b](https://a.example/c)')).toEqual(['https://a.example/c'])
  expect(JSON.stringify(parse('[a\u202eelpmaxe.knab](https://a.example)'))).not.toContain('\u202e')
})

test('a text of only blanks, fillers and empty marks shows nothing', () => {
  const nothing = [
    ' \n',
    '\u200b',
    '\u3164',
    '\u2800',
    '**\u200b**',
    '> \n> ',
    '||\u200b||',
    '\u{e0041}',
    '\ufe0f',
    '- \u200b',
  ]
  for (const text of nothing) expect([text, showsNothing(text)]).toEqual([text, true])
  for (const text of ['.', '**', '||', '---', '_', '`', '> x', '🕊', '<@8>', '[ ](', '```\n-\n```', '# -'])
    expect([text, showsNothing(text)]).toEqual([text, false])
})

test('256 kB of a hostile text take time in proportion to its length', () => {
  const timeOf = (text: string): number => {
    const before = process.cpuUsage()
    for (const read of [mentionsIn, linksIn, showsNothing]) read(text)
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  const pieces = [
    'https://[',
    'http://a.b(',
    '](x()',
    '[a](https://a.b/(',
    '<t:1',
    "https://a.b'",
    '@everyone',
    '> ',
    '<@8',
  ]
  pieces.push('https://a.aé', 'https://a.b)]', '\\@', '||', '[\u200b](https://a.b)', 'https://a.b.', '[https://')
  for (const piece of pieces) {
    const timed = (units: number) => timeOf(`https:@${piece.repeat(units / piece.length)}`)
    let growth = Infinity
    // Takes the minimum of some rounds, because other threads add to some.
    for (let round = 0; round < 5 && growth > 30; round++)
      growth = Math.min(growth, timed(256_000) / Math.max(timed(32_000), 2000))
    expect([piece, growth <= 30]).toEqual([piece, true])
  }
})
