import { spoken } from './plural.ts'
import { words } from './words.ts'
import { onDevice } from '../state/stored.ts'

/** The languages besides English, each a chunk of its own. */
const parts = {
  de: () => import('./de/de.ts'),
  fr: () => import('./fr/fr.ts'),
  es: () => import('./es/es.ts'),
  pt: () => import('./pt/pt.ts'),
  pl: () => import('./pl/pl.ts'),
  tr: () => import('./tr/tr.ts'),
  ru: () => import('./ru/ru.ts'),
  uk: () => import('./uk/uk.ts'),
  ar: () => import('./ar/ar.ts'),
  hi: () => import('./hi/hi.ts'),
  ja: () => import('./ja/ja.ts'),
  zh: () => import('./zh/zh.ts'),
}

export type Language = 'en' | keyof typeof parts
const isLanguage = (tag: string): tag is Language => tag === 'en' || Object.hasOwn(parts, tag)

const KEY = 'parley.language'
const baseOf = (tag: string) => tag.split('-', 1).join('')
const preferences: readonly string[] = globalThis.navigator?.languages ?? []

/** The language chosen in this browser, if any. */
export const chosen = onDevice.getItem(KEY) ?? ''
/** The language of the page: the chosen one, or the browser's first preference. */
export const language = [chosen, ...preferences.map(baseOf)].find(isLanguage) ?? 'en'
// The browser's own variant of the language says how dates are written.
spoken.locale = preferences.find((tag) => baseOf(tag) === language) ?? language

/** Sets the language for this browser, or leaves it to the browser; reloads the page. */
export function chooseLanguage(name: Language | ''): void {
  onDevice.setItem(KEY, name)
  location.reload()
}

/** Loads the words of the language; without them the page speaks English. */
export async function loadWords(): Promise<void> {
  const { documentElement: page } = document
  if (language === 'en') return
  const { default: translation } = await parts[language]()
  Object.assign(words, translation.words)
  spoken.areas = { ...translation }
  page.lang = language
  page.dir = translation.dir
  document.querySelector('[rel=manifest]')?.setAttribute('href', `/manifest.webmanifest?lang=${language}`)
}
