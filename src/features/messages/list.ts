import { cursorList } from '../../http/lists.ts'
import { json } from '../../http/answers.ts'
import { bodiesWithMine } from '../reactions/mine.ts'
import { found } from '../../core/errors.ts'
import type { CursorQuery } from '../../core/paging.ts'
import type { Sql } from '../../database/database.ts'
import { demand, demandSight } from '../access/guard.ts'

/** The result of message_page; messages are JSON, separated by SEPARATOR. */
interface MessagePage {
  permissions: number | null
  ids: number[] | null
  bodies: string | null
}

/** RFC 7464 §2.1: the record separator, which JSON never contains. */
const SEPARATOR = '\x1e'

/**
 * A page of a channel's messages, newest first, as the account sees them. A single statement checks access and reads
 * them.
 * @throws Problem `not_found` for a channel that the account does not see, `missing_permission`
 */
export async function messagePage(sql: Sql, request: Request, query: CursorQuery, channelId: number, me: number) {
  const rows = await cursorList<{ id: number; body: string }>(
    request,
    query,
    'newest',
    (row) => row.id,
    async ({ side, bound, limit, offset }) => {
      const [page] = await sql<MessagePage[]>`
        select permissions, ids, bodies
        from message_page(${channelId}, ${me}, ${side === 'below'}, ${bound}, ${limit}, ${offset})`
      const { permissions, ids, bodies } = found(page)
      demandSight(permissions ?? undefined)
      demand(permissions ?? 0, 'read_history')
      const texts = bodies?.split(SEPARATOR) ?? []
      return texts.map((body, at) => ({ id: ids?.[at] ?? 0, body }))
    },
  )
  const bodies = rows.map((row) => row.body)
  return json(`[${(await bodiesWithMine(sql, me, bodies)).join(',')}]`)
}
