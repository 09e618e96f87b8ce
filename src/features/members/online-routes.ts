import { z } from 'zod'
import { PLACE_CODES } from '../../core/errors.ts'
import { answers, DecimalId } from '../../core/schema.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { guarded } from '../access/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import type { StatusOf } from '../status/model.ts'
import { selectMembers } from './membership.ts'
import { type Member, ONLINE_PAGE, OnlineMemberPage, OnlineQuery } from './model.ts'
import { type OnlineList, OnlineMembers } from './online-members.ts'

/** A client asks for the rows on its screen while somebody scrolls, and again now and then. */
const ONLINE: BucketPolicy = { name: 'online_members', burst: 60, refillPerS: 5 }
/** Pages that are kept of one list. */
const PAGES_MAX = 50

/** The list of who is online, by the rows on the screen: for servers whose presence is not announced. */
export const onlineRoutes = (parts: Parts, sessions: Sessions, statusOf: StatusOf) => {
  const online = new OnlineMembers(parts.sql, statusOf)
  /** The rows of a list by their start, as long as the list lives. */
  const pages = new WeakMap<OnlineList, Map<number, Promise<Member[]>>>()

  const readPage = async (server_id: number, ids: number[]): Promise<Member[]> => {
    const rows = await selectMembers(parts.sql, parts.sql`m.server_id = ${server_id} and m.user_id = any(${ids})`)
    const rowOf = new Map(rows.map((row) => [row.user.id, row]))
    return ids.flatMap((id) => {
      const row = rowOf.get(id)
      // No row of those who have left, or gone offline, since the list was made.
      return row && statusOf(id) !== 'offline' ? { ...row, status: statusOf(id) } : []
    })
  }

  const pageOf = (list: OnlineList, server_id: number, from: number): Promise<Member[]> => {
    const ids = list.ids.slice(from, from + ONLINE_PAGE)
    if (ids.length === 0) return Promise.resolve([])
    const own = pages.get(list) ?? new Map<number, Promise<Member[]>>()
    pages.set(list, own)
    const page = own.get(from) ?? readPage(server_id, ids)
    if (own.size < PAGES_MAX) own.set(from, page)
    // A page that failed is read again.
    void page.catch(() => own.delete(from))
    return page
  }

  return guarded(parts, sessions).get(
    '/api/servers/:server_id/members/online',
    async ({ params: { server_id }, query: { from }, me, caller }) => {
      await parts.limits.take(caller, ONLINE, `user:${me.id}`)
      const list = await online.of(server_id)
      const members = await pageOf(list, server_id, from)
      const online_count = list.ids.length
      return { groups: list.groups, online_count, offline_count: list.memberCount - online_count, from, members }
    },
    {
      params: z.object({ server_id: DecimalId }),
      query: OnlineQuery,
      member: 'none',
      detail: {
        summary: 'List who is online in a server of any size, by role and name; some seconds old',
        tags: ['Members'],
      },
      response: answers({ 200: OnlineMemberPage }, ...PLACE_CODES),
    },
  )
}
