import { isWebAddress } from '../../core/schema.ts'

/**
 * Lenient readers of senders' payloads: a missing value or one of another type is empty, and numbers are converted to
 * text.
 */

/** The value at a path, or undefined. */
export function valueAt(payload: unknown, ...path: string[]): unknown {
  let value = payload
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = Reflect.get(value, name)
  }
  return value
}

/** The text at a path, or an empty text. */
export function textAt(payload: unknown, ...path: string[]): string {
  const value = valueAt(payload, ...path)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** The list at a path, or an empty list. */
export function listAt(payload: unknown, ...path: string[]): unknown[] {
  const value = valueAt(payload, ...path)
  return Array.isArray(value) ? value : []
}

/** Makes text storable: no NUL, no lone surrogates, at most 30 combining marks in a row. */
const cleanText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll('\0', '')
    .replace(/(\p{M}{30})\p{M}+/gu, '$1')

/** A storable text, cut to its limit with an ellipsis. @param max code points */
export function cut(text: string, max: number): string {
  // Cut before normalising: a code point has at most two units, and a composed one replaces at most four.
  const prefix = cleanText(text.slice(0, 4 * max + 4)).normalize('NFC')
  const letters = [...prefix]
  const isWhole = letters.length <= max && text.length <= 4 * max + 4
  return isWhole ? prefix : `${letters.slice(0, max - 1).join('')}…`
}

/** An http or https address that is valid in an embed; null for anything else. */
export function linkOf(text: string): string | null {
  const trimmed = text.slice(0, 2100).trim()
  return trimmed.length <= 2048 && isWebAddress(trimmed) ? trimmed : null
}

/** A time in ISO 8601, or in seconds since 1970; null for anything else. */
export function timeOf(text: string): string | null {
  const trimmed = text.trim().slice(0, 40)
  const isSeconds = /^\d{9,10}(?:\.\d{1,9})?$/.test(trimmed)
  // A time without a zone is in UTC.
  const zoned = /[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(trimmed) ? `${trimmed.replace(' ', 'T')}Z` : trimmed
  const ms = isSeconds ? Number(trimmed) * 1000 : /^\d{4}-\d\d-\d\d/.test(trimmed) ? Date.parse(zoned) : Number.NaN
  const year = Number.isNaN(ms) ? 0 : new Date(ms).getUTCFullYear()
  return year >= 1970 && year <= 9999 ? new Date(ms).toISOString() : null
}

/** A colour from `#rrggbb` or a 24-bit number, as `#rrggbb`. Null for black, which senders use for "none". */
export function colorOf(text: string): string | null {
  const [, digits] = /^#?([0-9a-f]{6})$/i.exec(text.startsWith('#') ? text : '') ?? []
  const number = digits ? Number.parseInt(digits, 16) : /^\d{1,9}(?:\.0+)?$/.test(text) ? Number(text) : 0
  return number > 0 && number <= 0xffffff ? `#${number.toString(16).padStart(6, '0')}` : null
}
