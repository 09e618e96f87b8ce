import { expect, test } from 'bun:test'
import { matches } from '../../../src/web/state/matches.ts'
import {
  type Composition,
  compositionOf,
  contentOf,
  afterEdit,
  emptyComposition,
  withMention,
} from '../../../src/web/state/mentions.ts'
import { queryAt } from '../../../src/web/state/unfinished-mention.ts'

const names = new Map([
  [2, 'Bob'],
  [3, 'Bob'],
  [4, 'Alice Winter'],
])
const nameOf = (id: number) => names.get(id)
const typed = (composition: Composition, text: string) => afterEdit(composition, composition.text + text)
/** Writes `@` and chooses the account. */
function choose(composition: Composition, user_id: number): Composition {
  const { text } = composition
  return withMention(typed(composition, '@'), text.length, text.length + 1, user_id, nameOf(user_id) ?? '').composition
}

test('if two members have one name, the chosen one is mentioned', () => {
  const both = typed(choose(typed(choose(emptyComposition, 3), 'and '), 2), '!')
  expect(both.text).toBe('@Bob and @Bob !')
  expect(contentOf(both)).toBe('<@3> and <@2> !')
})

test('only the chosen mention is sent as one: not the same name elsewhere, in an address or in code', () => {
  const text = typed(choose(emptyComposition, 2), 'wrote from x@Bob.org, `@Bob`, and @Bob wrote')
  expect(contentOf(text)).toBe('<@2> wrote from x@Bob.org, `@Bob`, and @Bob wrote')
})

test('a mention follows edits before and after it, and one that is changed becomes plain text', () => {
  const start = typed(choose(typed(emptyComposition, 'Hi '), 2), 'there')
  expect(contentOf(afterEdit(start, 'Oh, Hi @Bob there', 4))).toBe('Oh, Hi <@2> there')
  expect(contentOf(afterEdit(start, 'Hi @Bob ther', 12))).toBe('Hi <@2> ther')
  expect(contentOf(afterEdit(start, 'Hi @Bo there', 6))).toBe('Hi @Bo there')
  expect(contentOf(afterEdit(start, 'Hi @Bxob there', 6))).toBe('Hi @Bxob there')
  expect(contentOf(afterEdit(start, '', 0))).toBe('')
})

test('if one of two equal adjacent mentions is deleted, the other one stays', () => {
  const both: Composition = {
    text: '@Bob@Bob',
    mentions: [
      { start: 0, end: 4, user_id: 2 },
      { start: 4, end: 8, user_id: 3 },
    ],
  }
  expect(contentOf(afterEdit(both, '@Bob', 0))).toBe('<@3>')
  expect(contentOf(afterEdit(both, '@Bob', 4))).toBe('<@2>')
})

test('a mention can be chosen in the middle of a text', () => {
  const { composition, caret } = withMention({ text: 'for @al today', mentions: [] }, 4, 7, 4, 'Alice Winter')
  expect(composition.text).toBe('for @Alice Winter today')
  expect(caret).toBe(18)
  expect(contentOf(composition)).toBe('for <@4> today')
})

test('a stored text can be edited with names, and is the same after the edit', () => {
  const content = 'Hi <@2>, <@4> and <@99>; `<@2>` and\n```\n<@3>\n```\n<@02> <@3>'
  const opened = compositionOf(content, nameOf)
  expect(opened.text).toBe('Hi @Bob, @Alice Winter and <@99>; `<@2>` and\n```\n<@3>\n```\n<@02> @Bob')
  expect(contentOf(opened)).toBe(content)
})

test('random edits keep every mention on its name', () => {
  let seed = 7
  const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below
  let composition = emptyComposition
  for (let round = 0; round < 3000; round++) {
    const { text } = composition
    const at = random(text.length + 1)
    if (random(3) === 0) {
      const id = 2 + random(3)
      composition = withMention(
        composition,
        at,
        Math.min(text.length, at + random(4)),
        id,
        nameOf(id) ?? '',
      ).composition
    } else {
      const [end, word] = [Math.min(text.length, at + random(9)), ['', '@', 'Bob', ' x'][random(4)] ?? '']
      composition = afterEdit(composition, text.slice(0, at) + word + text.slice(end), at + word.length)
    }
    for (const { start, end, user_id } of composition.mentions)
      expect(composition.text.slice(start, end)).toBe(`@${nameOf(user_id ?? 0)}`)
    expect(composition.mentions.map(({ start }) => start)).toEqual(
      composition.mentions.map(({ start }) => start).toSorted((a, b) => a - b),
    )
    if (composition.text.length > 200) composition = emptyComposition
  }
})

test('a mention begins after a space or a bracket, in the middle of a text too, and ends with the line', () => {
  const at = (text: string) => queryAt({ text: text.replace('|', ''), mentions: [] }, text.indexOf('|'))
  expect(at('@|')).toEqual({ start: 0, query: '' })
  expect(at('5 @|')).toEqual({ start: 2, query: '' })
  expect(at('to @Ali| today')).toEqual({ start: 3, query: 'Ali' })
  expect(at('(@alice win|)')).toEqual({ start: 1, query: 'alice win' })
  expect(at('me@exa|mple.org')).toBeUndefined()
  expect(at('see @ noon|')).toBeUndefined()
  expect(at('@Bob\nand|')).toBeUndefined()
  expect(at('`@Bob|`')).toBeUndefined()
  expect(at('```\n@Bob|')).toBeUndefined()
  expect(at('`code` @Bob|')).toEqual({ start: 7, query: 'Bob' })
  const chosen = choose(emptyComposition, 2)
  expect(queryAt(chosen, 4)).toBeUndefined()
})

test('names that begin with the query come before those that contain it', () => {
  const people = ['Jacob', 'Bob', 'Anna Bobbins', 'Carol'].map((name, at) => ({ name, id: at }))
  expect(matches('bob', people, 6).map(({ name }) => name)).toEqual(['Bob', 'Anna Bobbins'])
  expect(matches('ob', people, 6).map(({ name }) => name)).toEqual(['Anna Bobbins', 'Bob', 'Jacob'])
  expect(matches('anna b', people, 6).map(({ name }) => name)).toEqual(['Anna Bobbins'])
  expect(matches('', people, 2)).toHaveLength(2)
})

test('roles, channels and everyone are written by their names and sent as tokens', () => {
  const names: Record<string, string> = { '<@&7>': '@Herons', '<#5>': '#general' }
  const begun = typed(emptyComposition, '@her')
  const { composition, caret } = withMention(begun, 0, 4, '<@&7>', '@Herons')
  expect([composition.text, caret, contentOf(composition)]).toEqual(['@Herons ', 8, '<@&7> '])
  const place = typed(composition, 'see #ge')
  expect(queryAt(place, place.text.length, '#')).toEqual({ start: 12, query: 'ge' })
  const both = withMention(place, 12, 15, '<#5>', '#general').composition
  expect(contentOf(both)).toBe('<@&7> see <#5> ')
  expect(compositionOf(contentOf(both), nameOf, (token) => names[token])).toEqual(both)
  const unknown = compositionOf('<@&8> `<#5>`', nameOf, (token) => names[token])
  expect(unknown).toEqual({ text: '<@&8> `<#5>`', mentions: [] })
  // A forbidden mention stays plain text.
  expect(withMention(begun, 0, 4, undefined, '@Herons').composition).toEqual({ text: '@Herons ', mentions: [] })
})

test('a custom emoji is edited by its name and stays the same emoji, except in code', () => {
  const nameOfToken = (token: string) => token.replace(/^<|\d+>$/g, '')
  const content = '<:owl:5> and <:owl:6>, `<:owl:5>`'
  const opened = compositionOf(content, nameOf, nameOfToken)
  expect(opened.text).toBe(':owl: and :owl:, `<:owl:5>`')
  expect(contentOf(opened)).toBe(content)
  expect(contentOf(afterEdit(opened, ':owl and :owl:, `<:owl:5>`', 4))).toBe(':owl and <:owl:6>, `<:owl:5>`')
})
