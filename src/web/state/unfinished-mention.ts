import type { Composition } from './mentions.ts'

/** Characters allowed before the @ of a mention. In an e-mail address a letter or digit precedes it. */
const BEFORE = /(?:^|[\s([{"'“‘«>*_~,;:/-])$/
/** Characters of a name after the @ that are compared with names. */
const QUERY_MAX = 40

/** The start of an unfinished mention before the caret, and the typed part of the name; undefined if there is none. */
export function queryAt(
  { text, mentions }: Composition,
  caret: number,
  sign: '@' | '#' = '@',
): { start: number; query: string } | undefined {
  const start = text.lastIndexOf(sign, caret - 1)
  if (start < 0 || caret - start > QUERY_MAX) return undefined
  const query = text.slice(start + 1, caret)
  if (/^\s|\n|\s{2}/.test(query) || !BEFORE.test(text.slice(0, start))) return undefined
  if (mentions.some((mention) => mention.start < caret && mention.end > start)) return undefined
  if (isInCode(text, start)) return undefined
  return { start, query }
}

/** True if inline code is open at the position. */
export function isInCode(text: string, position: number): boolean {
  const before = text.slice(0, position).replace(/```[\s\S]*?```/g, '')
  return before.includes('```') || /`[^\n]*$/.test(before.replace(/(`+)[^`]+\1/g, ''))
}
