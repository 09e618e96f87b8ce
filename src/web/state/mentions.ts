/** A part of a text that mentions an account: `text.slice(start, end)` is `@name`. */
export interface Mention {
  start: number
  end: number
  user_id: number
}

/** A text that is being written, with its mentions in their order. */
export interface Composition {
  text: string
  mentions: Mention[]
}

/** The name of an account; undefined if it is not known. */
type NameOf = (user_id: number) => string | undefined

/** Code, in which nothing is a mention; or a mention as the server stores it. */
const CODE_OR_MENTION = /(`+)[\s\S]+?\1(?!`)|<@(\d{1,15})>/g
/** What may stand before the @ of a mention: in an e-mail address it is a letter or a digit. */
const BEFORE = /(?:^|[\s([{"'“‘«>*_~,;:/-])$/
/** Characters of a name after the @ that are compared with names. */
const QUERY_MAX = 40

export const emptyComposition: Composition = { text: '', mentions: [] }

/**
 * Follows an edit of the text: mentions before and after it stay, and one that was changed becomes plain text.
 * @param caret the end of what was inserted
 */
export function edited({ text, mentions }: Composition, next: string, caret = next.length): Composition {
  const most = Math.min(text.length, next.length)
  let suffix = next.length - caret
  // Undoing may leave the caret elsewhere: then the common end is compared.
  if (suffix > text.length || text.slice(text.length - suffix) !== next.slice(caret)) {
    suffix = 0
    while (suffix < most && text.at(-1 - suffix) === next.at(-1 - suffix)) suffix++
  }
  let prefix = 0
  while (prefix < most - suffix && text[prefix] === next[prefix]) prefix++
  const removed_end = text.length - suffix
  const shift = next.length - text.length
  const kept = mentions.flatMap(({ start, end, user_id }) => {
    if (end <= prefix) return { start, end, user_id }
    return start >= removed_end ? { start: start + shift, end: end + shift, user_id } : []
  })
  return { text: next, mentions: kept }
}

/** Puts a mention and a space in place of a part of the text. @returns it, and where the caret belongs */
export function mentioned(composition: Composition, start: number, end: number, user_id: number, name: string) {
  const token = `@${name}`
  const rest = composition.text.slice(end)
  const space = rest.startsWith(' ') ? '' : ' '
  const text = composition.text.slice(0, start) + token + space + rest
  const caret = start + token.length + 1
  const { mentions } = edited(composition, text, text.length - rest.length)
  const all = [...mentions, { start, end: start + token.length, user_id }].toSorted((a, b) => a.start - b.start)
  return { composition: { text, mentions: all }, caret }
}

/** The text to send: every mention becomes `<@id>`. */
export function contentOf({ text, mentions }: Composition): string {
  let [content, at] = ['', 0]
  for (const { start, end, user_id } of mentions) {
    content += `${text.slice(at, start)}<@${user_id}>`
    at = end
  }
  return content + text.slice(at)
}

/** The text to edit: every `<@id>` of an account with a known name becomes a mention, except in code. */
export function compositionOf(content: string, nameOf: NameOf): Composition {
  const mentions: Mention[] = []
  let [text, at] = ['', 0]
  for (const match of content.matchAll(CODE_OR_MENTION)) {
    const user_id = Number(match[2])
    const name = match[2] === undefined ? undefined : nameOf(user_id)
    if (name === undefined || String(user_id) !== match[2]) continue
    text += content.slice(at, match.index)
    mentions.push({ start: text.length, end: text.length + name.length + 1, user_id })
    text += `@${name}`
    at = match.index + match[0].length
  }
  return { text: text + content.slice(at), mentions }
}

/** The text with names in place of `<@id>`: for quotes and announcements. */
export const withNames = (content: string, nameOf: NameOf): string => compositionOf(content, nameOf).text

/** The start of an unfinished mention before the caret, and what is written of the name; undefined if there is none. */
export function queryAt({ text, mentions }: Composition, caret: number): { start: number; query: string } | undefined {
  const start = text.lastIndexOf('@', caret - 1)
  if (start < 0 || caret - start > QUERY_MAX) return undefined
  const query = text.slice(start + 1, caret)
  if (/^\s|\n|\s{2}/.test(query) || !BEFORE.test(text.slice(0, start))) return undefined
  if (mentions.some((mention) => mention.start < caret && mention.end > start)) return undefined
  if (isInCode(text, start)) return undefined
  return { start, query }
}

/** Whether an opened code stands before the position, and has not ended before it. */
export function isInCode(text: string, position: number): boolean {
  const before = text.slice(0, position).replace(/```[\s\S]*?```/g, '')
  return before.includes('```') || /`[^\n]*$/.test(before.replace(/(`+)[^`]+\1/g, ''))
}

/** Whether a stored value has the form of a composition: another version may have written it. */
export const isComposition = (value: unknown): value is Composition =>
  typeof value === 'object' &&
  value !== null &&
  'text' in value &&
  typeof value.text === 'string' &&
  'mentions' in value &&
  Array.isArray(value.mentions) &&
  value.mentions.every(({ start, end, user_id }) => start >= 0 && end > start && Number.isSafeInteger(user_id))

interface Candidate {
  user_id: number
  name: string
}

/** The accounts whose name contains the query; those first whose name, or a word of it, begins with it. */
export function matches<T extends Candidate>(query: string, candidates: Iterable<T>, most: number): T[] {
  const sought = query.toLowerCase()
  const rankOf = (name: string): number => {
    const at = name.toLowerCase().indexOf(sought)
    return at <= 0 ? at : name[at - 1] === ' ' ? 1 : 2
  }
  return [...candidates]
    .map((candidate) => ({ candidate, rank: rankOf(candidate.name) }))
    .filter(({ rank }) => rank >= 0)
    .toSorted(
      (a, b) =>
        a.rank - b.rank ||
        a.candidate.name.localeCompare(b.candidate.name) ||
        a.candidate.user_id - b.candidate.user_id,
    )
    .slice(0, most)
    .map(({ candidate }) => candidate)
}
