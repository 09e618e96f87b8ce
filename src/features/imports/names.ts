import { clip } from '../../core/free-name.ts'
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

/** A name of one line. @param otherwise for a name without visible characters */
export function cleanName(text: string, codePointsMax: number, otherwise: string): string {
  // Cut first: normalising is bounded by the length.
  const line = cleanText(withoutHidden(text.slice(0, 8 * codePointsMax))).replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
  const name = clip(line.trim(), codePointsMax).trim()
  return isVisible(name) ? name : otherwise
}

/**
 * The name of an author, a role or a server. A name that looks like a mention of everyone, or like this server itself,
 * gets a number.
 */
export function cleanOwnName(text: string, codePointsMax: number, otherwise: string): string {
  const name = cleanName(text, codePointsMax, otherwise)
  return isReserved(name) && !/^deleted user$/i.test(name) ? `${clip(name, codePointsMax - 2)} 2` : name
}

/**
 * Splits text into parts of at most this many code points, at white space if possible. An empty text is one empty part.
 */
export function inParts(text: string, codePointsMax: number): string[] {
  const parts: string[] = []
  let rest = text
  while (codePoints(rest) > codePointsMax) {
    const most = clip(rest, codePointsMax)
    const space = most.slice(-CUT_UNITS_MAX).search(/\s\S*$/)
    const end = space <= 0 ? most.length : most.length - Math.min(CUT_UNITS_MAX, most.length) + space
    parts.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  return rest !== '' || parts.length === 0 ? [...parts, rest] : parts
}
