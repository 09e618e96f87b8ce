import { signal } from '@preact/signals'
import compact from 'emojibase-data/en/compact.json'
import shortcodes from 'emojibase-data/en/shortcodes/github.json'
import { unicodeEmoji } from '../../../core/emoji.ts'
import { folded } from '../../../core/words.ts'

/** An emoji of Unicode. */
export interface KnownEmoji {
  emoji: string
  label: string
  /** The label as searches compare it. */
  key: string
  group: number
  /** The names that people write between colons. */
  names: string[]
  /** Other words that people look for it by, folded. */
  tags: string[]
  /** The same in other skin tones. */
  skins: string[]
}

/** The group of skin tones and hair, which are no emoji by themselves. */
const COMPONENTS = 2
const codes: Record<string, string | string[] | undefined> = shortcodes
const TONES = ['\u{1F3FB}', '\u{1F3FC}', '\u{1F3FD}', '\u{1F3FE}', '\u{1F3FF}']

/** All emoji of Unicode, in its order. Large, so load it only when first needed. */
export const knownEmoji: KnownEmoji[] = compact
  .filter(({ group }) => group !== undefined && group !== COMPONENTS)
  .toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
  .map(({ unicode, label, group = 0, hexcode, tags = [], skins = [] }) => ({
    emoji: unicodeEmoji(unicode) ?? unicode,
    label,
    key: folded(label),
    group,
    names: [codes[hexcode] ?? []].flat(),
    tags: tags.map(folded),
    skins: skins.map((skin) => unicodeEmoji(skin.unicode) ?? skin.unicode),
  }))

/** Increases when the emoji get names in another language. */
export const namings = signal(0)

/** The emoji in a skin tone, if it has tones. @param tone 0 for none, 1 to 5 */
export function inTone({ emoji, skins }: KnownEmoji, tone: number): string {
  const modifier = TONES[tone - 1]
  const fits = (skin: string) => [...skin].every((point) => !TONES.includes(point) || point === modifier)
  return (modifier && skins.find(fits)) || emoji
}

/** Rank of an emoji for a query, best first; -1 if it does not match. */
function rankOf({ key, names, tags }: KnownEmoji, query: string): number {
  if (names.includes(query)) return 0
  if (names.some((name) => name.startsWith(query)) || key.startsWith(query)) return 1
  if (names.some((name) => name.includes(query)) || key.includes(query)) return 2
  return tags.some((tag) => tag.startsWith(query)) ? 3 : -1
}

const byName = new Map(knownEmoji.flatMap(({ emoji, names }) => names.map((name) => [name, emoji])))

/** The emoji that is written as a name between colons. */
export const emojiNamed = (name: string): string | undefined => byName.get(name)

/** The emoji whose names, label or tags match the query, best first. */
export function findEmoji(query: string, max: number): KnownEmoji[] {
  const sought = folded(query)
  return knownEmoji
    .map((one) => ({ one, rank: rankOf(one, sought) }))
    .filter(({ rank }) => rank >= 0)
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, max)
    .map(({ one }) => one)
}
