import { isReserved } from '../../core/look-alikes.ts'
import { codePoints } from '../../core/schema.ts'
import { isVisible, withoutHidden } from '../../core/visible.ts'

/** Normalising is quadratic in a run of combining marks, so cut longer runs. */
const MARK_RUN = /(\p{M}{30})\p{M}+/gu
/** Look for a place to cut within this many units before a part's end. */
const CUT_UNITS_MAX = 500

/** Text as this server stores it: NFC, without NUL, lone surrogates and long runs of combining marks. */
export const cleanText = (text: string): string =>
  text.toWellFormed().replaceAll('\0', '').replace(MARK_RUN, '$1').normalize('NFC')

/** The first code points, at most `code_points_max`. */
export const clipped = (text: string, code_points_max: number): string =>
  text.length <= code_points_max
    ? text
    : Array.from(text.slice(0, 2 * code_points_max))
        .slice(0, code_points_max)
        .join('')

/** A name of one line. @param otherwise for a name without visible characters */
export function cleanName(text: string, code_points_max: number, otherwise: string): string {
  // Cut first: normalising is bounded by the length.
  const line = cleanText(withoutHidden(text.slice(0, 8 * code_points_max))).replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
  const name = clipped(line.trim(), code_points_max).trim()
  return isVisible(name) ? name : otherwise
}

/**
 * The name of an author, a role or a server. A name that looks like a mention of everyone, or like this server itself,
 * gets a number.
 */
export function cleanOwnName(text: string, code_points_max: number, otherwise: string): string {
  const name = cleanName(text, code_points_max, otherwise)
  return isReserved(name) && !/^deleted user$/i.test(name) ? `${clipped(name, code_points_max - 2)} 2` : name
}

/**
 * Splits text into parts of at most this many code points, at white space if possible. An empty text is one empty part.
 */
export function inParts(text: string, code_points_max: number): string[] {
  const parts: string[] = []
  let rest = text
  while (codePoints(rest) > code_points_max) {
    const most = clipped(rest, code_points_max)
    const space = most.slice(-CUT_UNITS_MAX).search(/\s\S*$/)
    const end = space <= 0 ? most.length : most.length - Math.min(CUT_UNITS_MAX, most.length) + space
    parts.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  return rest !== '' || parts.length === 0 ? [...parts, rest] : parts
}

/** The name, with a number appended if it is taken. @param joiner what separates the number */
export function freeName(name: string, taken: Set<string>, code_points_max: number, joiner: string): string {
  let free = name
  for (let nth = 2; taken.has(free); nth++) {
    const ending = `${joiner}${nth}`
    free = clipped(name, code_points_max - ending.length) + ending
  }
  return free
}
