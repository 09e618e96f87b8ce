import { z } from 'zod'
import { DecimalId, decimal } from './schema.ts'

const PAGE_DEFAULT = 50
export const PAGE_MAX = 100
export const OFFSET_MAX = 10_000

/** Rows per page. */
export const limit = decimal(1, PAGE_MAX).default(PAGE_DEFAULT).describe(`${PAGE_DEFAULT} unless given`)
const offset = decimal(0, OFFSET_MAX)

/** The query of a list with another order than by id. */
export const OffsetQuery = z.object({ limit, offset: offset.default(0) })

/** The query of a list ordered by id: an offset, or one of the cursors. */
export const CursorQuery = z
  .object({
    limit,
    offset: offset.optional().describe('not with a cursor'),
    before: DecimalId.describe('what has smaller ids; the nearest'),
    after: DecimalId.describe('what has larger ids; the nearest'),
    around: DecimalId.describe('what stands on both sides of this id, and itself'),
  })
  .partial({ before: true, after: true, around: true })
  .refine(
    (query) =>
      [query.before, query.after, query.around, query.offset].filter((value) => value !== undefined).length <= 1,
    'before, after, around and offset are mutually exclusive',
  )
export type CursorQuery = z.infer<typeof CursorQuery>

/** One scan along the index: ids on one side of a bound, nearest first. */
export interface Scan {
  /** `below`: id < bound, descending; `above`: id > bound, ascending. */
  side: 'below' | 'above'
  bound: number
  limit: number
  offset: number
}

/** Rows on either side of `around`; the row itself belongs to the lower half. */
const halves = (limit: number) => ({ above: Math.floor(limit / 2), below: Math.ceil(limit / 2) })

/**
 * The scans that answer a query. Towards the next page they read one extra row, which shows whether there is one.
 * @param order how the list is ordered by id
 */
export function scans(query: CursorQuery, order: 'newest' | 'oldest'): Scan[] {
  const top = { side: 'below', bound: Number.MAX_SAFE_INTEGER, offset: 0 } as const
  const bottom = { side: 'above', bound: 0, offset: 0 } as const
  if (query.around !== undefined) {
    const { above, below } = halves(query.limit)
    return [
      { ...bottom, bound: query.around, limit: order === 'oldest' ? above + 1 : above },
      { ...top, bound: query.around + 1, limit: order === 'newest' ? below + 1 : below },
    ]
  }
  const more = query.limit + 1
  if (query.before !== undefined) return [{ ...top, bound: query.before, limit: more }]
  if (query.after !== undefined) return [{ ...bottom, bound: query.after, limit: more }]
  return [{ ...(order === 'newest' ? top : bottom), limit: more, offset: query.offset ?? 0 }]
}

/** A page: its rows in the list's order, and the query of the next page. */
export interface Page<T> {
  rows: T[]
  next?: Record<string, number>
}

/** Merges the rows of the scans into one page. */
export function pageOf<T>(
  query: CursorQuery,
  order: 'newest' | 'oldest',
  scanned: T[][],
  idOf: (row: T) => number,
): Page<T> {
  const inOrder = (rows: T[]) => rows.toSorted((a, b) => (idOf(a) - idOf(b)) * (order === 'newest' ? -1 : 1))
  if (query.around !== undefined) {
    const { above, below } = halves(query.limit)
    const [upper = [], lower = []] = scanned
    const rows = inOrder([...upper.slice(0, above), ...lower.slice(0, below)])
    if (upper.length <= above && lower.length <= below) return { rows }
    const ids = rows.map(idOf)
    const next: Page<T>['next'] =
      order === 'newest' ? { before: Math.min(...ids) } : { after: Math.max(query.around, ...ids) }
    return { rows, next: { limit: query.limit, ...next } }
  }
  const all = scanned[0] ?? []
  const rows = inOrder(all.slice(0, query.limit))
  if (all.length <= query.limit) return { rows }
  const { limit } = query
  const offset = query.offset === undefined ? undefined : query.offset + limit
  // Beyond the largest offset, the next page is addressed by cursor.
  if (offset !== undefined && offset <= OFFSET_MAX) return { rows, next: { limit, offset } }
  const ids = rows.map(idOf)
  const upwards = query.after !== undefined || (query.before === undefined && order === 'oldest')
  return { rows, next: upwards ? { limit, after: Math.max(...ids) } : { limit, before: Math.min(...ids) } }
}

/**
 * Builds the page of a list with another order than by id.
 * @param rows the page and one extra row
 */
export function offsetPage<T>(query: { limit: number; offset: number }, rows: T[]): Page<T> {
  const offset = query.offset + query.limit
  const hasMore = rows.length > query.limit && offset <= OFFSET_MAX
  return { rows: rows.slice(0, query.limit), ...(hasMore ? { next: { limit: query.limit, offset } } : {}) }
}

/** The Link header of a page that has a next one. */
export function linkNext(url: string, next: Record<string, number>): string {
  const target = new URL(url)
  for (const name of ['limit', 'offset', 'before', 'after', 'around', 'token']) target.searchParams.delete(name)
  for (const [name, value] of Object.entries(next)) target.searchParams.set(name, String(value))
  return `<${target.pathname}${target.search}>; rel="next"`
}

/** The Link header of a page that a cursor follows. */
export function linkCursor(url: string, cursor: string): string {
  const target = new URL(url)
  target.searchParams.delete('token')
  target.searchParams.set('cursor', cursor)
  return `<${target.pathname}${target.search}>; rel="next"`
}
