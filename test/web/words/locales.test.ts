import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCodes } from '../../../src/core/errors.ts'
import type { Translation } from '../../../src/web/words/language.ts'
import { languages } from '../../../src/web/words/languages.ts'

const WORDS = join(import.meta.dir, '../../../src/web/words')
const codes = readdirSync(WORDS, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
const areas = readdirSync(WORDS).filter((name) => name.endsWith('.ts'))
const source = areas.map((name) => readFileSync(join(WORDS, name), 'utf8')).join('\n')

type Say = (...values: unknown[]) => unknown
/** Everything with words, by its path: `threads.panel`. */
type Leaves = Map<string, string | Say>

function leavesOf(value: unknown, path = ''): [string, string | Say][] {
  if (typeof value === 'string' || typeof value === 'function') return [[path, value as string | Say]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, path ? `${path}.${key}` : key))
}

/** The English words of an area; the page starts with the area `words`. */
async function englishOf(area: string): Promise<unknown> {
  const module = await import(join(WORDS, `${area}.ts`))
  return Object.entries(module).find(([name]) => /^\w*[wW]ords$/.test(name))?.[1]
}

const translationOf = async (code: string): Promise<Translation> =>
  (await import(join(WORDS, code, `${code}.ts`))).default

const areaNames = Object.keys(await translationOf('de')).filter((name) => name !== 'dir')
const english: Leaves = new Map(
  (await Promise.all(areaNames.map(async (area) => leavesOf({ [area]: await englishOf(area) })))).flat(),
)

/** A value for each parameter of an English function, by the types in the source. */
function valuesFor(path: string, say: Say): unknown[] {
  const [, names = ''] = /^\(([^)]*)\)/.exec(String(say)) ?? []
  const parameterNames = names.split(',').map((name) => name.trim().split(' ')[0])
  const key = path.split('.').at(-1)
  for (const [, found, list = ''] of source.matchAll(/(\w+): \(([^)]*)\)(?:: string)? =>/g)) {
    const parameters = list.split(',').map((each) => each.trim().split(/[:?] ?/))
    if (found !== key || parameters.map(([name = '']) => name.split(' ')[0]).join() !== parameterNames.join()) continue
    return parameters.map(([name = '', type = ''], at) => {
      if (type.includes('[]')) return ['⟨a⟩', '⟨b⟩']
      if (type.includes('number')) return 25 + at
      return type.includes('boolean') || name.includes('=') ? true : `⟨${name}⟩`
    })
  }
  throw new Error(`The parameters of ${path} were not found`)
}

const saidBy = (word: string | Say, values: unknown[]): string =>
  typeof word === 'string' ? word : String(word(...values))
/** The placeholders for values: only names and numbers. */
const marksIn = (text: string, values: unknown[]): string[] =>
  values
    .flat()
    .flatMap((value) => (typeof value === 'boolean' ? [] : String(value)))
    .filter((mark) => text.includes(mark))

/** Digits of other scripts as European ones. */
const inLatin = (text: string): string =>
  text.replace(/[\u0660-\u0669\u0966-\u096f]/g, (digit) => String((digit.charCodeAt(0) - 6) & 15))

/** Text that may be the same in every language: signs, commands, formats and names. */
const isSame = (text: string): boolean => !/\p{L}{3}.*\s.*\p{L}{3}/u.test(text)

test('every folder of words is a language that is loaded and listed, under its own name', () => {
  expect(Object.keys(languages).toSorted()).toEqual(['en', ...codes].toSorted())
  expect(new Set(Object.values(languages).map(({ name }) => name)).size).toBe(codes.length + 1)
})

describe.each(codes)('%s', (code) => {
  test('has exactly the words of English', async () => {
    const { dir, ...translation } = await translationOf(code)
    expect(dir).toBe(['ar', 'fa', 'he', 'ur'].includes(code) ? 'rtl' : 'ltr')
    const own = leavesOf(translation).map(([path]) => path)
    const extra = own.filter((path) => !english.has(path) && !/^words\.(problems|rules)\./.test(path))
    expect(extra).toEqual([])
    expect([...english.keys()].filter((path) => !own.includes(path))).toEqual([])
    expect(Object.keys(errorCodes).filter((name) => !own.includes(`words.problems.${name}`))).toEqual([])
  })

  test('puts in every name and number that English puts in, and leaves nothing empty', async () => {
    const { dir: _, ...translation } = await translationOf(code)
    const faults: string[] = []
    for (const [path, word] of leavesOf(translation)) {
      const original = english.get(path)
      if (original === undefined) continue
      if (typeof word !== typeof original) faults.push(`${path}: another kind`)
      const values = typeof original === 'function' ? valuesFor(path, original) : []
      const [theirs, ours] = [saidBy(original, values), inLatin(saidBy(word, values))]
      for (const mark of marksIn(theirs, values))
        if (!ours.includes(mark)) faults.push(`${path}: no ${mark} in ${ours}`)
      if (theirs !== '' && ours.trim() === '') faults.push(`${path}: empty`)
      if (/MISSING|undefined|NaN|\$\{|#(?=\s|$)/.test(ours)) faults.push(`${path}: ${ours}`)
    }
    expect(faults).toEqual([])
  })

  test('has a form for each plural category of the language, and names the categories in order', () => {
    const [, ...named] = /counter\(([^)]*)\)/.exec(readFileSync(join(WORDS, code, 'plural.ts'), 'utf8')) ?? []
    const [locale, ...categories] = (named[0] ?? '').split(',').map((each) => each.trim().replaceAll("'", ''))
    const pluralCategories = new Intl.PluralRules(code).resolvedOptions().pluralCategories
    const order = ['zero', 'one', 'two', 'few', 'many', 'other'].filter((each) =>
      pluralCategories.some((one) => one === each),
    )
    expect([locale, ...categories]).toEqual([code, ...order])
  })

  test('leaves nothing in English', async () => {
    const { dir: _, ...translation } = await translationOf(code)
    const untranslated = leavesOf(translation).flatMap(([path, word]) => {
      const original = english.get(path)
      if (typeof word !== 'string' || word !== original || isSame(word)) return []
      return [`${path}: ${word}`]
    })
    expect(untranslated).toEqual([])
  })
})
