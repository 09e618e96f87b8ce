import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { errorCodes } from '../../../src/core/errors.ts'
import type { Translation } from '../../../src/web/words/translation.ts'
import { languages } from '../../../src/web/words/languages.ts'
import { AREAS } from '../../support/locales/areas.ts'
import { languageTags, readLocale, type Tree } from '../../support/locales/locales.ts'
import { type Placeholder, readMessage } from '../../support/locales/message.ts'

const WORDS = join(import.meta.dir, '../../../src/web/words')
const codes = languageTags().filter((tag) => tag !== 'en')

type Say = (...values: unknown[]) => string
/** Everything with words, by its path: `threads.panel`. */
type Leaves<Word> = Map<string, Word>

function leavesOf<Word>(value: unknown, path = ''): [string, Word][] {
  if (typeof value === 'string' || typeof value === 'function') return [[path, value as Word]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => leavesOf<Word>(inner, path ? `${path}.${key}` : key))
}

/** The messages of a language, by area. */
const messagesOf = (tag: string): [area: string, Leaves<string>][] =>
  [...readLocale(tag, [])].map(([area, tree]: [string, Tree]) => [area, new Map(leavesOf<string>(tree))])
const english = new Map(messagesOf('en'))

/** The printed words of an area. */
async function printedOf(tag: string, area: string): Promise<Leaves<string | Say>> {
  const module = await import(join(WORDS, tag === 'en' ? '' : tag, `${area}.ts`))
  return new Map(leavesOf<string | Say>(module.default ?? module[AREAS[area]?.name ?? '']))
}

const valueOf = ({ type }: Placeholder, name: string, at: number): unknown => {
  if (type === 'boolean') return true
  if (type === 'string[]') return ['⟨a⟩', '⟨b⟩']
  return type === 'number' ? 25 + at : `⟨${name}⟩`
}

/** A value for each placeholder of an English message, by name. */
const valuesFor = (message: string): Record<string, unknown> =>
  Object.fromEntries(
    [...readMessage('en', message).placeholders].map(([name, each], at) => [name, valueOf(each, name, at)]),
  )

function saidBy(word: string | Say | undefined, values: Record<string, unknown>): string {
  if (typeof word !== 'function') return word ?? ''
  const [first, ...rest] = Object.values(values)
  return rest.length === 0 ? word(first) : word(values)
}

/** The values that a text shows: only names and numbers. */
const marksIn = (text: string, values: Record<string, unknown>): string[] =>
  Object.values(values)
    .flat()
    .flatMap((value) => (typeof value === 'boolean' ? [] : String(value)))
    .filter((mark) => text.includes(mark))

/** Digits of other scripts as European ones. */
const inLatin = (text: string): string =>
  text.replace(/[\u0660-\u0669\u0966-\u096f]/g, (digit) => String((digit.charCodeAt(0) - 6) & 15))

/** Text that may be the same in every language: signs, commands, formats, names, and cases with short words. */
const isSame = (text: string): boolean =>
  / (?:plural|select),/.test(text) || !/\p{L}{3}.*\s.*\p{L}{3}/u.test(text.replace(/\{[^{}]*\}/g, ''))

test('every folder of locales/ is a language that is loaded and listed, under its own name', () => {
  expect(Object.keys(languages).toSorted()).toEqual(['en', ...codes].toSorted())
  expect(new Set(Object.values(languages).map(({ name }) => name)).size).toBe(codes.length + 1)
})

describe.each(codes)('%s', (code) => {
  test('is loaded with all words of English, a text for each error, and its reading direction', async () => {
    const translation: Translation = (await import(join(WORDS, code, `${code}.ts`))).default
    expect(translation.dir).toBe(['ar', 'fa', 'he', 'ur'].includes(code) ? 'rtl' : 'ltr')
    const own = Object.keys(translation).filter((name) => name !== 'dir')
    expect(own).toEqual(Object.keys(AREAS).filter((area) => AREAS[area]?.within === undefined))
    expect(Object.keys(errorCodes).filter((name) => !(name in translation.words.problems))).toEqual([])
    for (const [area, { within }] of Object.entries(AREAS)) {
      const words: object = Object.entries(translation).find(([name]) => name === (within ?? area))?.[1] ?? {}
      const missing = [...(await printedOf(code, area)).keys()].filter(
        (path) => !(path.split('.', 1)[0] ?? '' in words),
      )
      expect([area, missing]).toEqual([area, []])
    }
  })

  test('puts in every name and number that English puts in', async () => {
    const faults: string[] = []
    let count = 0
    for (const area of Object.keys(AREAS)) {
      const [theirs, ours] = [await printedOf('en', area), await printedOf(code, area)]
      for (const [path, message] of english.get(area) ?? []) {
        const values = valuesFor(message)
        const [original, text] = [saidBy(theirs.get(path), values), inLatin(saidBy(ours.get(path), values))]
        count++
        for (const mark of marksIn(original, values))
          if (!text.includes(mark)) faults.push(`${area} ${path}: no ${mark} in ${text}`)
        if (original !== '' && text.trim() === '') faults.push(`${area} ${path}: empty`)
        if (/MISSING|undefined|NaN|[{}]|#(?=\s|$)/.test(text)) faults.push(`${area} ${path}: ${text}`)
      }
    }
    expect(count).toBeGreaterThan(1000)
    expect(faults).toEqual([])
  })

  test('leaves nothing in English', () => {
    const untranslated = messagesOf(code).flatMap(([area, messages]) =>
      [...messages].flatMap(([path, text]) =>
        text !== english.get(area)?.get(path) || isSame(text) ? [] : [`${area} ${path}: ${text}`],
      ),
    )
    expect(untranslated).toEqual([])
  })
})
