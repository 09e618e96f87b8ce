import { parse, type Token } from '@messageformat/parser'

// A message of locales/, in ICU MessageFormat: its placeholders, and what is wrong with them. docs/translating.md has
// the syntax for translators.

/** A placeholder of a message. English decides its type for all languages. */
export interface Placeholder {
  type: 'string' | 'number' | 'boolean' | 'string[]'
  /** True if the value can be undefined: a select has a case for that. */
  isOptional: boolean
  /** True if the message shows the value; otherwise it only selects a case. */
  isShown: boolean
  /** True if a plural has one form for all numbers, although the language has several. */
  hasOneForm: boolean
  /** Cases of its selects, without `other`. */
  cases: string[]
}

export interface Message {
  tokens: Token[]
  placeholders: Map<string, Placeholder>
}

/** The formats, each with the type of its values, and the styles that can follow a second comma. */
const FORMATS: Record<string, { type: Placeholder['type']; styles: string[] }> = {
  number: { type: 'number', styles: ['', 'plain', 'badge'] },
  duration: { type: 'number', styles: ['', 'relative'] },
  list: { type: 'string[]', styles: [''] },
}

const ORDER = ['zero', 'one', 'two', 'few', 'many', 'other'] as const

/** The plural categories of a language, in Unicode's order. Source: CLDR Language Plural Rules. */
export function pluralCategories(tag: string): Intl.LDMLPluralRule[] {
  const categories = new Intl.PluralRules(tag).resolvedOptions().pluralCategories
  return ORDER.filter((each) => categories.includes(each))
}

/** The style in a format: `plain` in `{n, number, plain}`. */
export const styleOf = ({ param = [] }: { param?: Token[] }): string =>
  param
    .map(({ ctx }) => ctx.text)
    .join('')
    .trim()

/** The surroundings of a token. */
interface Place {
  /** The value that # shows: of the innermost plural. */
  counted?: string
  /** Values that cannot be undefined there. */
  present: string[]
}

/** Collects placeholders. Methods throw an Error that says what is wrong. */
class Reading {
  readonly placeholders = new Map<string, Placeholder>()
  /** Values that are shown where they can be undefined. */
  readonly unguarded: string[] = []
  readonly #categories: string[]

  constructor(tag: string) {
    this.#categories = pluralCategories(tag)
  }

  #add(name: string, type?: Placeholder['type']): Placeholder {
    if (!/^[a-z][A-Za-z]*$/.test(name)) throw new Error(`{${name}} is not a name like {channelName}`)
    const former = this.placeholders.get(name)
    if (former && type && former.type !== 'string' && former.type !== type)
      throw new Error(`{${name}} cannot be both ${former.type} and ${type}`)
    const placeholder = former ?? { type: 'string', isOptional: false, isShown: false, hasOneForm: false, cases: [] }
    if (type) placeholder.type = type
    this.placeholders.set(name, placeholder)
    return placeholder
  }

  #show(name: string, place: Place, type?: Placeholder['type']): void {
    this.#add(name, type).isShown = true
    if (!place.present.includes(name)) this.unguarded.push(name)
  }

  read(tokens: Token[], place: Place): void {
    for (const [at, token] of tokens.entries())
      if (token.type === 'argument') this.#show(token.arg, place)
      else if (token.type === 'octothorpe') this.#show(place.counted ?? '', place, 'number')
      else if (token.type === 'plural') this.#readPlural(token, place)
      else if (token.type === 'select') this.#readSelect(token, place)
      else if (token.type === 'selectordinal') throw new Error('selectordinal is not supported')
      else if (token.type === 'function') {
        const format = FORMATS[token.key]
        if (!format?.styles.includes(styleOf(token))) throw new Error(`${token.ctx.text} has an unknown format`)
        this.#show(token.arg, place, format.type)
      } else if (token.type === 'content') {
        const { text } = token.ctx
        if (/[{}]/.test(token.value) && !text.includes("'")) throw new Error('A brace has no partner')
        // ICU reads the rest as quoted text.
        if (token.value.endsWith("'") && !text.endsWith("''") && at + 1 < tokens.length)
          throw new Error("Write '' in front of a placeholder: one apostrophe begins quoted text")
      }
  }

  #readPlural({ arg, cases, pluralOffset }: Extract<Token, { cases: unknown }>, place: Place): void {
    const forms = cases.map(({ key }) => key).filter((key) => !key.startsWith('='))
    const missing = this.#categories.filter((category) => !forms.includes(category))
    if (pluralOffset) throw new Error(`offset is not supported`)
    if (missing.length > 0 && forms.join() !== 'other') throw new Error(`{${arg}, plural} lacks ${missing.join(', ')}`)
    this.#add(arg, 'number').hasOneForm ||= missing.length > 0
    for (const { tokens } of cases) this.read(tokens, { ...place, counted: arg })
  }

  #readSelect({ arg, cases }: Extract<Token, { cases: unknown }>, place: Place): void {
    const keys = cases.map(({ key }) => key)
    if (!keys.includes('other')) throw new Error(`{${arg}, select} lacks other`)
    const own = keys.filter((key) => key !== 'other')
    const placeholder = this.#add(arg, own.every((key) => /^(?:true|false)$/.test(key)) ? 'boolean' : undefined)
    placeholder.isOptional ||= own.includes('undefined')
    placeholder.cases.push(...own)
    for (const { key, tokens } of cases) {
      const isPresent = own.includes('undefined') && key !== 'undefined'
      this.read(tokens, isPresent ? { ...place, present: [...place.present, arg] } : place)
    }
  }
}

/** Parses a message of a language. @throws Error that says what is wrong with it */
export function readMessage(tag: string, text: string): Message {
  const tokens = parse(text, { cardinal: pluralCategories(tag) })
  const reading = new Reading(tag)
  reading.read(tokens, { present: [] })
  const { placeholders, unguarded } = reading
  const bare = unguarded.find((name) => placeholders.get(name)?.isOptional)
  if (bare) throw new Error(`{${bare}} can be undefined: show it only in the case other of its select`)
  return { tokens, placeholders }
}

/** Faults of a translation’s placeholders. */
export function placeholderFaults(english: Message, translation: Message): string[] {
  const faults = [...translation.placeholders].flatMap(([name, own]) => {
    const original = english.placeholders.get(name)
    if (!original) return [`{${name}} is not in the English message`]
    if (own.type !== original.type) return [`{${name}} must be a ${original.type}, not a ${own.type}`]
    if (own.hasOneForm && !original.hasOneForm) return [`{${name}, plural} needs a form for each plural category`]
    if (original.isOptional && own.isShown && !own.isOptional) return [`{${name}} can be undefined`]
    const surplus = own.cases.filter((key) => !original.cases.includes(key))
    return surplus.map((key) => `{${name}, select} has the case ${key}, which English lacks`)
  })
  for (const [name, { isShown }] of english.placeholders)
    if (isShown && !translation.placeholders.has(name)) faults.push(`{${name}} is missing`)
  return faults
}
