import { type CursorQuery, linkNext, offsetPage, type Page, pageOf, type Scan, scans } from '../core/paging.ts'
import { callerOf } from './caller.ts'
import type { Sql } from '../database/database.ts'

/** The end of a list's SQL statement for one scan: `… where server_id = 1 and ${slice(sql, 'id', scan)}`. */
export const slice = (sql: Sql, column: string, { side, bound, limit, offset }: Scan) =>
  side === 'below'
    ? sql`${sql(column)} < ${bound} order by ${sql(column)} desc limit ${limit} offset ${offset}`
    : sql`${sql(column)} > ${bound} order by ${sql(column)} limit ${limit} offset ${offset}`

/** Answers a list that is ordered by id: runs its scans, and sets the Link header if there is a next page. */
export async function cursorList<T>(
  request: Request,
  query: CursorQuery,
  order: 'newest' | 'oldest',
  idOf: (row: T) => number,
  scan: (scan: Scan) => Promise<T[]>,
): Promise<T[]> {
  const scanned = await Promise.all(scans(query, order).map(scan))
  return withLink(request, pageOf(query, order, scanned, idOf))
}

/**
 * Answers a list in another order.
 * @param run gets a limit of one more than the page
 */
export async function offsetList<T>(
  request: Request,
  query: { limit: number; offset: number },
  run: (limit: number, offset: number) => Promise<T[]>,
): Promise<T[]> {
  return withLink(request, offsetPage(query, await run(query.limit + 1, query.offset)))
}

/**
 * Answers a list across channels, newest first. The id of the last row addresses the next page.
 * @param run gets a limit of one more than the page
 */
export async function newestList<T extends { id: number }>(
  request: Request,
  { limit }: { limit: number },
  run: (limit: number) => Promise<T[]>,
): Promise<T[]> {
  const fetched = await run(limit + 1)
  const rows = fetched.slice(0, limit)
  const last = rows.at(-1)
  return withLink(request, fetched.length > limit && last ? { rows, next: { limit, before: last.id } } : { rows })
}

function withLink<T>(request: Request, page: Page<T>): T[] {
  if (page.next) callerOf(request).headers.link = linkNext(request.url, page.next)
  return page.rows
}
