import type { MessageSearch } from '../../features/search/model.ts'
import { folded } from '../../core/words.ts'

/** Names of filters, as people type them: `from:alice`. */
const FILTERS = ['from', 'in', 'has', 'mentions', 'before', 'after', 'pinned'] as const
export type Filter = (typeof FILTERS)[number]
const HAS = ['link', 'file', 'image', 'embed'] as const

/** Something that has an id and a name. */
export interface Named {
  id: number
  name: string
}

/** The people, channels and dates that a filter's value can name. */
export interface Known {
  people: Named[]
  channels: Named[]
  /** The account that `me` means, unless somebody has that name. */
  me: number
  /** The local day of now, YYYY-MM-DD. */
  today: string
}

type Query = Partial<Pick<MessageSearch, 'channel_id' | 'from' | 'mentions' | 'has' | 'pinned' | 'before' | 'after'>>

/** The query as the API takes it, or the filter that has an unknown value or appears twice. */
export type Parsed = { query: Query & { q: string } } | { filter: Filter; value: string } | { twice: Filter }

const FILTER = new RegExp(`(?<=^|\\s)(${FILTERS.join('|')}):(?:"([^"]*)"?|(\\S*))`, 'giu')
const DAY = /^\d{4}-\d{2}-\d{2}$/

const isFilter = (name: string): name is Filter => (FILTERS as readonly string[]).includes(name)
const isHas = (value: string): value is (typeof HAS)[number] => (HAS as readonly string[]).includes(value)
const comparable = (name: string) => folded(name.replace(/^[@#]/, '').trim())

/** The id of the object with this name or id. */
function idOf(value: string, among: Named[]): number | undefined {
  const sought = comparable(value)
  return (among.find(({ name }) => comparable(name) === sought) ?? among.find(({ id }) => String(id) === sought))?.id
}

/** The local day of a moment, YYYY-MM-DD. */
export const localDay = (at: Date): string =>
  [
    String(at.getFullYear()).padStart(4, '0'),
    String(at.getMonth() + 1).padStart(2, '0'),
    String(at.getDate()).padStart(2, '0'),
  ].join('-')

/** Start of a day in the local time zone; undefined if the text is not a day. */
function beginningOf(day: string): string | undefined {
  const at = new Date(DAY.test(day) ? `${day}T00:00:00` : Number.NaN)
  return !Number.isNaN(at.getTime()) && localDay(at) === day ? at.toISOString() : undefined
}

/** True if the query is empty. */
export const isEmptyQuery = (query: Query & { q: string }): boolean => query.q === '' && Object.keys(query).length === 1

/** Parses the typed text. A filter without a value is ignored. */
export function parseQuery(text: string, vocabulary: Known): Parsed {
  const query: Query & { q: string } = { q: text.replace(FILTER, ' ').replace(/\s+/g, ' ').trim() }
  const filters = new Set<Filter>()
  for (const [, name = '', quoted, plain] of text.matchAll(FILTER)) {
    const filter = name.toLowerCase()
    const value = quoted ?? plain ?? ''
    if (!isFilter(filter) || value === '') continue
    if (filters.has(filter)) return { twice: filter }
    filters.add(filter)
    const part = partOf(filter, value, vocabulary)
    if (!part) return { filter, value }
    Object.assign(query, part)
  }
  return { query }
}

function partOf(filter: Filter, value: string, { people, channels, me, today }: Known): Query | undefined {
  const low = value.toLowerCase()
  if (filter === 'has') return isHas(low) ? { has: low } : undefined
  if (filter === 'pinned') return low === 'true' || low === 'false' ? { pinned: low } : undefined
  if (filter === 'before' || filter === 'after') {
    const at = beginningOf(low === 'today' ? today : value)
    return at === undefined ? undefined : { [filter]: at }
  }
  const id = idOf(value, filter === 'in' ? channels : people) ?? (filter !== 'in' && low === 'me' ? me : undefined)
  if (id === undefined) return undefined
  return filter === 'in' ? { channel_id: id } : { [filter]: id }
}

/** A completion of the typed text. */
export interface Completion {
  /** Text that replaces the last word. */
  text: string
  label: string
  filter: Filter
  /** True if the filter still needs a value. */
  isOpen: boolean
}

const quotedName = (name: string): string => (/[\s"]/.test(name) ? `"${name.replaceAll('"', '')}"` : name)

/** The last word of a text before the caret, which a completion replaces. */
export const lastWord = (before: string): string => /(?:[a-z]+:"[^"]*|\S*)$/iu.exec(before)?.[0] ?? ''

/**
 * Completions of the last word before the caret: names of filters, or values of a filter.
 * @param max completions to return at most
 */
export function completions(before: string, vocabulary: Known, max: number): Completion[] {
  const word = lastWord(before)
  const [, name = '', input = ''] = /^([a-z]+):"?(.*)$/iu.exec(word) ?? []
  const filter = name.toLowerCase()
  if (!isFilter(filter))
    return FILTERS.filter((each) => each.startsWith(word.toLowerCase())).map((each) => ({
      text: `${each}:`,
      label: `${each}:`,
      filter: each,
      isOpen: true,
    }))
  const sought = comparable(input)
  return valuesOf(filter, vocabulary)
    .filter(({ label }) => comparable(label).includes(sought))
    .toSorted((a, b) => Number(comparable(b.label).startsWith(sought)) - Number(comparable(a.label).startsWith(sought)))
    .map(({ value, label }) => ({ text: `${filter}:${value}`, label, filter, isOpen: false }))
    .filter(({ text }) => text !== word)
    .slice(0, max)
}

/** Filters whose values are people. */
const isOfPeople = (filter: string): boolean => filter === 'from' || filter === 'mentions'

/** The name of a person that the last word before the caret begins, as `from:ali` does; undefined for other words. */
export function personBefore(before: string): string | undefined {
  const [, filter = '', name = ''] = /^([a-z]+):"?(.*)$/iu.exec(lastWord(before)) ?? []
  return isOfPeople(filter.toLowerCase()) ? name.replace(/^@/, '') : undefined
}

/** The name in a filter that needs a person, if the page knows nobody of that name. */
export const unknownPerson = (parsed: Parsed): string | undefined =>
  'filter' in parsed && isOfPeople(parsed.filter) ? parsed.value.replace(/^@/, '') : undefined

function valuesOf(filter: Filter, { people, channels, today }: Known): { value: string; label: string }[] {
  const plain = (values: readonly string[]) => values.map((value) => ({ value, label: value }))
  if (filter === 'has') return plain(HAS)
  if (filter === 'pinned') return plain(['true', 'false'])
  if (filter === 'before' || filter === 'after')
    return plain([today, `${today.slice(0, 7)}-01`, `${today.slice(0, 4)}-01-01`])
  const objects = filter === 'in' ? channels : people
  const fixed = filter === 'in' ? [] : plain(['me'])
  const counts = Map.groupBy(objects, ({ name }) => comparable(name))
  // The id distinguishes several values with the same name.
  const byName = objects.map(({ id, name }) => ({
    value: (counts.get(comparable(name))?.length ?? 0) > 1 ? String(id) : quotedName(name),
    label: name,
  }))
  return [...fixed, ...byName]
}
