/** A mention of an account, or the object of a token, in a text: `text.slice(start, end)` is its name. */
export interface Mention {
  start: number
  end: number
  user_id?: number
  /** The stored form of a mention of a role, a channel, everyone, here or a custom emoji. */
  token?: string
}

/** A text that is being written, with its mentions in their order. */
export interface Composition {
  text: string
  mentions: Mention[]
}

/** The name of an account; undefined if it is not known. */
type NameOf = (user_id: number) => string | undefined
/** The name of a role or channel with its sign, by its token, `:name:` of an emoji; undefined if it is not known. */
export type TokenNameOf = (token: string) => string | undefined

/** Code, in which nothing is a mention; or a mention as the server stores it. */
const CODE_OR_MENTION = /(`+)[\s\S]+?\1(?!`)|<@(\d{1,15})>|<(?:@&|#|:[a-z0-9_]{2,32}:)\d{1,15}>/g

export const emptyComposition: Composition = { text: '', mentions: [] }

/**
 * Adjusts the mentions to an edit of the text: mentions before and after it stay, and a changed one becomes plain text.
 * @param caret the end of the inserted text
 */
export function afterEdit({ text, mentions }: Composition, next: string, caret = next.length): Composition {
  const commonMax = Math.min(text.length, next.length)
  let suffix = next.length - caret
  // Undoing may leave the caret elsewhere: then the common end is compared.
  if (suffix > text.length || text.slice(text.length - suffix) !== next.slice(caret)) {
    suffix = 0
    while (suffix < commonMax && text.at(-1 - suffix) === next.at(-1 - suffix)) suffix++
  }
  let prefix = 0
  while (prefix < commonMax - suffix && text[prefix] === next[prefix]) prefix++
  const removedEnd = text.length - suffix
  const shift = next.length - text.length
  const remaining = mentions.flatMap((mention) => {
    const { start, end } = mention
    if (end <= prefix) return mention
    return start >= removedEnd ? { ...mention, start: start + shift, end: end + shift } : []
  })
  return { text: next, mentions: remaining }
}

/**
 * Replaces a part of the text by a mention and a space.
 * @param target the account, or a token whose whole text is `name`; undefined writes only the text
 * @returns the composition, and the position of the caret
 */
export function withMention(
  composition: Composition,
  start: number,
  end: number,
  target: number | string | undefined,
  name: string,
) {
  const label = typeof target === 'number' ? `@${name}` : name
  const tail = composition.text.slice(end)
  const space = tail.startsWith(' ') ? '' : ' '
  const text = composition.text.slice(0, start) + label + space + tail
  const caret = start + label.length + 1
  const { mentions } = afterEdit(composition, text, text.length - tail.length)
  const reference = typeof target === 'number' ? { user_id: target } : { token: target ?? '' }
  const added = target === undefined ? [] : [{ start, end: start + label.length, ...reference }]
  const all = [...mentions, ...added].toSorted((a, b) => a.start - b.start)
  return { composition: { text, mentions: all }, caret }
}

/** Two texts, one below the other; only the second if the first is empty. */
export function joinTexts(one: Composition, other: Composition): Composition {
  if (one.text === '') return other
  const shift = one.text.length + 1
  const shifted = other.mentions.map((each) => ({ ...each, start: each.start + shift, end: each.end + shift }))
  return { text: `${one.text}\n${other.text}`, mentions: [...one.mentions, ...shifted] }
}

/** The text to send: every mention becomes `<@id>`, or its token. */
export function contentOf({ text, mentions }: Composition): string {
  let [content, at] = ['', 0]
  for (const { start, end, user_id, token } of mentions) {
    content += text.slice(at, start) + (token ?? `<@${user_id}>`)
    at = end
  }
  return content + text.slice(at)
}

/** The text to edit: every `<@id>` and token with a known name becomes a mention, except in code. */
export function compositionOf(content: string, nameOf: NameOf, tokenNameOf?: TokenNameOf): Composition {
  const mentions: Mention[] = []
  let [text, at] = ['', 0]
  for (const match of content.matchAll(CODE_OR_MENTION)) {
    const user_id = Number(match[2])
    const name = match[2] === undefined ? undefined : nameOf(user_id)
    const isUser = name !== undefined && String(user_id) === match[2]
    const label = isUser ? `@${name}` : match[2] === undefined && !match[1] ? tokenNameOf?.(match[0]) : undefined
    if (label === undefined) continue
    text += content.slice(at, match.index)
    const reference = isUser ? { user_id } : { token: match[0] }
    mentions.push({ start: text.length, end: text.length + label.length, ...reference })
    text += label
    at = match.index + match[0].length
  }
  return { text: text + content.slice(at), mentions }
}

/** True if the position is inside a code block (```). */
export const isInBlock = (text: string, position: number): boolean =>
  text.slice(0, position).split('```').length % 2 === 0

/** True if a stored value has the form of a composition. Another version may have written it. */
export const isComposition = (value: unknown): value is Composition =>
  typeof value === 'object' &&
  value !== null &&
  'text' in value &&
  typeof value.text === 'string' &&
  'mentions' in value &&
  Array.isArray(value.mentions) &&
  value.mentions.every(
    ({ start, end, user_id, token }) =>
      start >= 0 && end > start && (typeof token === 'string' || Number.isSafeInteger(user_id)),
  )
