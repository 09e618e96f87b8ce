/** Validators that conditional requests are compared with. Source: RFC 9110 §8.8. */
export interface Validators {
  /** A strong ETag, including the quotes. */
  etag: string
  modified?: Date
}

export type Verdict = 'met' | 'not modified' | 'failed'

/**
 * Evaluates the preconditions of a request for something that exists. Source: RFC 9110 §13.2.2.
 * @returns `not modified` (304, only for GET and HEAD) or `failed` (412)
 */
export function judgePreconditions(headers: Headers, isRead: boolean, { etag, modified }: Validators): Verdict {
  const ifMatch = headers.get('if-match')
  if (ifMatch !== null) {
    if (!namesETag(ifMatch, etag, 'strong')) return 'failed'
  } else {
    const date = readDate(headers.get('if-unmodified-since'))
    if (date !== undefined && modified && secondsOf(modified) > date) return 'failed'
  }
  const ifNoneMatch = headers.get('if-none-match')
  if (ifNoneMatch !== null) {
    if (!namesETag(ifNoneMatch, etag, 'weak')) return 'met'
    return isRead ? 'not modified' : 'failed'
  }
  const date = isRead ? readDate(headers.get('if-modified-since')) : undefined
  return date !== undefined && modified && secondsOf(modified) <= date ? 'not modified' : 'met'
}

/** True if the Range header applies: without If-Range, or when If-Range matches. Source: RFC 9110 §13.1.5. */
export function isRangeWanted(headers: Headers, { etag, modified }: Validators): boolean {
  const condition = headers.get('if-range')
  if (condition === null) return true
  const date = readDate(condition)
  return date === undefined ? condition.trim() === etag : modified !== undefined && secondsOf(modified) === date
}

/** True if a list of ETags, or `*`, matches this one. Weak ETags match only in the weak comparison. */
function namesETag(list: string, etag: string, comparison: 'strong' | 'weak'): boolean {
  if (list.trim() === '*') return true
  for (const [whole, tag] of list.matchAll(/(?:W\/)?("[^"]*")/g))
    if (tag === etag && (comparison === 'weak' || whole === tag)) return true
  return false
}

/** HTTP-date in its three forms. Source: RFC 9110 §5.6.7. */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{5,8}, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/,
]

/** Seconds since 1970 of an HTTP-date; undefined if malformed, which RFC 9110 §13.1.3 says to ignore. */
function readDate(header: string | null): number | undefined {
  const text = header?.trim() ?? ''
  if (!HTTP_DATES.some((form) => form.test(text))) return undefined
  const time = Date.parse(text.endsWith('GMT') ? text.replaceAll('-', ' ') : `${text} GMT`)
  return Number.isNaN(time) ? undefined : time / 1000
}

/** Last-Modified has whole seconds. */
const secondsOf = (date: Date): number => Math.floor(date.getTime() / 1000)
