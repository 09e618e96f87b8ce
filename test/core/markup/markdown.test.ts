import { expect, test } from 'bun:test'
import { parse } from '../../../src/core/markup/markdown.ts'
import { plainText } from '../../../src/core/markup/plain-text.ts'

/** The parsed text in a short form: `b(…)` is bold, `i` italic, `u`, `s`, and `?` a spoiler. */
const outlineOf = (text: string): string => parse(text).map(toldBlock).join(' ¶ ')
type Blocks = ReturnType<typeof parse>
type Pieces = Extract<Blocks[number], { kind: 'paragraph' }>['inside']
const SIGNS = { bold: 'b', italic: 'i', underline: 'u', strike: 's', spoiler: '?' }

function toldBlock(block: Blocks[number]): string {
  if (block.kind === 'code') return `${block.language}{${block.text}}`
  if (block.kind === 'quote') return `> ${block.inside.map(toldBlock).join(' ¶ ')} <`
  if (block.kind === 'heading') return `h${block.level} ${toldPieces(block.inside)}`
  if (block.kind === 'paragraph') return toldPieces(block.inside)
  if (block.kind === 'table') {
    const rows = [block.head, ...block.rows].map((row) => row.map(toldPieces).join(' | '))
    return `table ${block.sides.map((side) => side ?? '-').join(' ')} ${rows.join(' / ')}`
  }
  const items = block.items.map(({ inside, below }) => toldPieces(inside) + below.map(toldBlock).join(''))
  return `${block.first ?? '-'}[${items.join(', ')}]`
}

const toldPieces = (pieces: Pieces): string =>
  pieces
    .map((piece) => {
      if (piece.kind === 'text') return piece.text
      if (piece.kind === 'code') return `{${piece.text}}`
      if (piece.kind === 'break') return '/'
      if (piece.kind === 'mention') return `@${piece.user_id}`
      if (piece.kind === 'token') return `T${piece.token}`
      if (piece.kind === 'emoji') return `:${piece.name} ${piece.id}:`
      if (piece.kind === 'link') return `<${piece.href}|${toldPieces(piece.inside)}>`
      if (piece.kind === 'time') return `t${piece.seconds}${piece.style}`
      return `${SIGNS[piece.kind]}(${toldPieces(piece.inside)})`
    })
    .join('')

test('marks have their usual meaning, and unfinished ones are text', () => {
  expect(outlineOf('*i* _i_ **b** __u__ ~~s~~ ||x|| ***b*** ___u___')).toBe(
    'i(i) i(i) b(b) u(u) s(s) ?(x) i(b(b)) i(u(u))',
  )
  expect(outlineOf('**b *bi*** *a **b* c**')).toBe('b(b i(bi)) i(a **b) c**')
  expect(outlineOf('||a||||b|| |||| a || b')).toBe('?(a)?(b) |||| a || b')
  expect(outlineOf('||a *b|| c*')).toBe('?(a *b) c*')
  expect(outlineOf('snake_case_name 2 * 3 * 4 ** __ ~~')).toBe('snake_case_name 2 * 3 * 4 ** __ ~~')
  expect(outlineOf('\\*no\\* \\||no|| \\# no \\x `\\*`')).toBe('*no* ||no|| # no \\x {\\*}')
  expect(outlineOf('``a ` b`` `open ``')).toBe('{a ` b} `open ``')
  expect(outlineOf('<@42>, <@x>')).toBe('@42, <@x>')
  expect(outlineOf('<@&7> <#5> @everyone @here, @hereabouts <@&x> a@b')).toBe(
    'T<@&7> T<#5> T@everyone T@here, @hereabouts <@&x> a@b',
  )
  expect(outlineOf('<:owl_2:7>, <:o:7>, <:owl:x>')).toBe(':owl_2 7:, <:o:7>, <:owl:x>')
})

test('blocks are headings, quotes, lists with lists in them, and code with a language', () => {
  expect(outlineOf('# One\n### Three\n#### four\n#five')).toBe('h1 One ¶ h3 Three ¶ #### four/#five')
  expect(outlineOf('> a\n> > b\nc')).toBe('> a ¶ > b < < ¶ c')
  expect(outlineOf('a\n>>> b\n\nc')).toBe('a ¶ > b//c <')
  expect(outlineOf('- a\n  - b\n    1. c\n- d\n3. e\n4) f')).toBe('-[a-[b1[c]], d] ¶ 3[e, f]')
  expect(outlineOf('see ```ts\nlet a = "*b*"\n``` and')).toBe('see ¶ ts{let a = "*b*"} ¶  and')
  expect(outlineOf('> ```js\n> x\n> ```')).toBe('> js{x} <')
  expect(outlineOf('a ```b``` c ```open')).toBe('a {b} c ```open')
})

test('links have safe targets, and no link text is another address', () => {
  expect(outlineOf('see https://a.org/x_(y), **https://b.org** <https://c.org>.')).toBe(
    'see <https://a.org/x_(y)|https://a.org/x_(y)>, b(<https://b.org|https://b.org>) <https://c.org|https://c.org>.',
  )
  expect(outlineOf('[a **b**](https://a.org) [m](mailto:a@b.org)')).toBe('<https://a.org|a b(b)> <mailto:a@b.org|m>')
  for (const href of ['javascript:x', 'data:x', '//x.org', '/etc', 'vbscript:x', ' https://a.org'])
    expect(JSON.stringify(parse(`[a](${href})`))).not.toContain('"javascript')
  expect(JSON.stringify(parse('[https://good.org](https://bad.org)'))).not.toContain('"href":"https://bad.org"')
  expect(outlineOf('/c/12/34 a/c/1/2 /c/1')).toBe('</c/12/34|/c/12/34> a/c/1/2 </c/1|/c/1>')
})

test('in one line, a message has no marks, and its spoilers stay hidden', () => {
  const nameOf = (id: number) => (id === 1 ? 'Bob' : undefined)
  const tokenNameOf = () => '#lake'
  const line = plainText('**a** ||the end|| <@1> <#3> [x](https://a.org)\n> q\n- l\n- m', {
    nameOf,
    tokenNameOf,
    timeOf: String,
  })
  expect(line).toBe('a ▒▒▒ @Bob #lake x q l, m')
})

const PIECES =
  '* _ ** __ ~~ || |||| ` `` ``` > >>>_ -_ 1._ # [ ] [a]( https://a.b/( <@1 <https:// \\ /c/1_ ***a _a a_ h'
    .split(' ')
    .map((piece) => piece.replace('_', piece.length > 2 ? ' ' : '_'))
const SIZES = [4_000, 32_000] as const
/** A quadratic parse takes 64 times as long. */
const GROWTH_MAX = 30

/** The CPU time of a parse, µs. */
function timeOf(text: string): number {
  const before = process.cpuUsage()
  parse(text)
  const { user, system } = process.cpuUsage(before)
  return user + system
}

/**
 * The ratio of CPU times of the two sizes. Takes the minimum of up to ten runs each, because other threads add to some.
 */
function growthOf(piece: string): number {
  const least = SIZES.map(() => Infinity)
  let growth = Infinity
  for (let round = 0; round < 10 && growth >= GROWTH_MAX; round++) {
    for (const [at, size] of SIZES.entries())
      least[at] = Math.min(least[at] ?? 0, timeOf(piece.repeat(size / piece.length)))
    // Below half a millisecond the clock is too coarse.
    growth = (least[1] ?? 0) / Math.max(least[0] ?? 0, 500)
  }
  return growth
}

test('eight times the text takes eight times the time, with any content', () => {
  parse(PIECES.join('x').repeat(50))
  const mixed = PIECES.flatMap((one, at) => [one, `${one}\n`, `${one}x${PIECES[(at + 7) % PIECES.length]}`])
  for (const piece of mixed) expect([piece, growthOf(piece) < GROWTH_MAX]).toEqual([piece, true])
})

test('cells between bars above a line of dashes are a table, whose other rows have as many cells', () => {
  expect(outlineOf('Birds:\n| Bird | Eggs |\n|:--|--:|\n| *owl* | 3 |\n| auk |\n| kiwi | 1 | x |\nEnd')).toBe(
    'Birds: ¶ table left right Bird | Eggs / i(owl) | 3 / auk |  / kiwi | 1 ¶ End',
  )
  expect(outlineOf('a | b\n:-: | ---\n\\| x | ||')).toBe('table center - a | b / | x | ')
  expect(outlineOf('> a | b\n> - | -')).toBe('> table - - a | b <')
  for (const text of ['a | b', 'a | b\n---', 'a | b\n- | - | -', 'a\n|-|x|', '||\n||'])
    expect(outlineOf(text)).not.toContain('table')
  const wide = Array.from({ length: 21 }, () => 'x').join('|')
  expect(outlineOf(`${wide}\n${wide.replaceAll('x', '-')}`)).not.toContain('table')
  const long = `a|b\n-|-\n${'c|d\n'.repeat(100)}`
  expect(parse(long).map(({ kind }) => kind)).toEqual(['table', 'paragraph'])
  expect(
    plainText('a | b\n- | -\nc | d', { nameOf: () => undefined, tokenNameOf: () => undefined, timeOf: () => '' }),
  ).toBe('a, b, c, d')
})

test('a line that is nearly one of dashes below a head costs as much as its length', () => {
  const many = 100_000
  for (const text of [
    `|-${' '.repeat(many)}x`,
    `|${' '.repeat(many)}x`,
    `|${'-'.repeat(many)}x`,
    `|- ${'|- '.repeat(many)}x`,
    `|- ${'| - '.repeat(many)}x`,
  ]) {
    const from = performance.now()
    expect(outlineOf(`a|b\n${text}`)).not.toContain('table')
    expect([text.slice(0, 6), performance.now() - from < 2000]).toEqual([text.slice(0, 6), true])
  }
})
