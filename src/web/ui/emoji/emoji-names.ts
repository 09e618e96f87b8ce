import { folded } from '../../../core/words.ts'
import { language, type Language } from '../../words/load.ts'
import { knownEmoji, namings } from './known-emoji.ts'

/** Languages with names from CLDR; in all others people search emoji in English. */
const parts: Partial<Record<Language, () => Promise<{ default: string }>>> = {
  de: () => import('./names/names-de.built.ts'),
  fr: () => import('./names/names-fr.built.ts'),
  es: () => import('./names/names-es.built.ts'),
  pt: () => import('./names/names-pt.built.ts'),
  pl: () => import('./names/names-pl.built.ts'),
  ru: () => import('./names/names-ru.built.ts'),
  uk: () => import('./names/names-uk.built.ts'),
  hi: () => import('./names/names-hi.built.ts'),
  ja: () => import('./names/names-ja.built.ts'),
  zh: () => import('./names/names-zh.built.ts'),
}

let naming: Promise<void> | undefined

async function nameAll(): Promise<void> {
  const load = parts[language]
  if (!load) return
  const names = new Map((await load()).default.split('\n').map((line) => [line.slice(0, line.indexOf('\t')), line]))
  for (const one of knownEmoji) {
    const [, label, ...tags] = names.get(one.emoji)?.split('\t') ?? []
    if (label === undefined) continue
    // English names also match, for people who know only those.
    one.tags = [...tags, one.key, ...one.key.split(/[\s:]+/), ...one.tags]
    one.label = label
    one.key = folded(label)
  }
  namings.value++
}

/** Loads the emoji's names in the language of the page; without a network they keep the English ones. */
export const nameEmoji = (): Promise<void> => (naming ??= nameAll().catch(() => void (naming = undefined)))
