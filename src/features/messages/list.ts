import { cursorList, slice } from '../../http/lists.ts'
import { json } from '../../http/answers.ts'
import { bodiesWithMine } from '../reactions/mine.ts'
import type { CursorQuery } from '../../core/paging.ts'
import type { Sql } from '../../database/database.ts'

/** A page of a channel's messages, newest first, as the account sees them. */
export async function messagePage(sql: Sql, request: Request, query: CursorQuery, channel_id: number, me: number) {
  const rows = await cursorList<{ id: number; body: string }>(
    request,
    query,
    'newest',
    (row) => row.id,
    // The inner query takes ids from the index alone; otherwise the planner may scan all channels' messages.
    (scan) => sql`
      select page.id, wire.body::text as body
      from (select id from messages where channel_id = ${channel_id} and ${slice(sql, 'id', scan)}) page
      join messages m on m.id = page.id cross join lateral message_wire(m, ${me}) wire
      order by page.id ${scan.side === 'below' ? sql`desc` : sql``}`,
  )
  const bodies = rows.map((row) => row.body)
  return json(`[${(await bodiesWithMine(sql, me, bodies)).join(',')}]`)
}
