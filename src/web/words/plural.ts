/** The language of the page, which is set before the first word is shown. */
export const spoken: {
  /** Locale for dates and numbers; undefined for the browser's. */
  locale: string | undefined
  /** The translated words, by area, which replace the English ones. */
  areas: Record<string, unknown>
} = { locale: undefined, areas: {} }

/** Words: texts, functions that put values into one, and lists and groups of these. Lists have a fixed length. */
export type Words =
  string | ((...values: never[]) => string) | [Words, ...Words[]] | { [key: string]: Words | undefined }

/** The words of an area that is loaded late, in the language of the page. */
export const inLanguage = <T extends Words>(area: string, english: T): T =>
  (spoken.areas[area] as T | undefined) ?? english

/** The digits of a number, as the language groups them. */
export const digits = (n: number): string => n.toLocaleString(spoken.locale)

/** A number on a badge. */
export const badge = (n: number): string => (n > 99 ? '99+' : String(n))

/**
 * Creates a function that chooses among forms by a number. It takes one form per plural category of the language, in
 * Unicode's order. Source: CLDR Language Plural Rules.
 */
export const chooser = <C extends Intl.LDMLPluralRule[]>(locale: string, ...categories: C) => {
  const rules = new Intl.PluralRules(locale)
  return (n: number, ...forms: { [K in keyof C]: string }): string =>
    forms.at(categories.indexOf(rules.select(n))) ?? ''
}

/** Creates a function that chooses a form, and puts the number in place of its first #. */
export const counter =
  <F extends string[]>(choose: (n: number, ...forms: F) => string) =>
  (n: number, ...forms: F): string =>
    choose(n, ...forms).replace('#', digits(n))

export const choose = chooser('en', 'one', 'other')
export const count = counter(choose)

const partsOf = (seconds: number) =>
  seconds < 60
    ? ([seconds, 'second'] as const)
    : seconds < 3600
      ? ([seconds / 60, 'minute'] as const)
      : seconds < 86_400
        ? ([seconds / 3600, 'hour'] as const)
        : ([seconds / 86_400, 'day'] as const)

/** A span of time in seconds, minutes, hours or days: “5 minutes”. */
export function spanOf(seconds: number): string {
  const [n, unit] = partsOf(seconds)
  return n.toLocaleString(spoken.locale, { style: 'unit', unit, unitDisplay: 'long' })
}

/** Time from now on: “in 5 minutes”, “in 60 seconds”. */
export function soon(seconds: number): string {
  const [n, unit] = seconds < 90 ? ([seconds, 'second'] as const) : partsOf(seconds)
  return new Intl.RelativeTimeFormat(spoken.locale).format(Math.ceil(n), unit)
}

/** Names in a sentence: “alice, bob and carol”. */
export const listOf = (names: string[]): string => new Intl.ListFormat(spoken.locale).format(names)
