import { z } from 'zod'
import type { Sql } from '../../database/database.ts'
import { cursorList, slice } from '../../http/lists.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { BODY_CODES, found, Problem, PLACE_CODES, SHAPE_CODES, TOKEN_CODES } from '../../core/errors.ts'
import { CursorQuery } from '../../core/paging.ts'
import { answers, DecimalId, Nothing } from '../../core/schema.ts'
import { audit } from '../audit/record.ts'
import { demand, guarded, lockedMembership, lockServer, membership } from '../access/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { banAccount, isBanLive } from './ban.ts'
import { emitBan } from './ban-news.ts'
import { kick } from './kick.ts'
import { onlineRoutes } from './online-routes.ts'
import { leave, nameContains, selectMembers } from './membership.ts'
import { changeMember, judgeNickname } from './change.ts'
import { coverName } from './cover-name.ts'
import { Ban, BanDraft, ReasonDraft, Member, MemberPatch, MemberQuery } from './model.ts'
import type { StatusOf } from '../status/model.ts'
import { TIMEOUT_DAYS_MAX } from './timeouts.ts'

const tags = ['Members']
const Server = z.object({ server_id: DecimalId })
const Target = z.object({ server_id: DecimalId, user_id: DecimalId })

/** Low, because a search reads every member of the server. */
const NAME_SEARCHES: BucketPolicy = { name: 'member_search', burst: 20, refillPerS: 2 }

const selectBans = (sql: Sql, where: ReturnType<Sql>) => sql<Ban[]>`
  select b.server_id, public_user(u) as user, b.reason, b.banned_by, b.until, b.created_at
  from bans b join users u on u.id = b.user_id where ${where}`

export const memberRoutes = (parts: Parts, sessions: Sessions, statusOf: StatusOf) =>
  guarded(parts, sessions)
    .use(onlineRoutes(parts, sessions, statusOf))
    .get(
      '/api/servers/:server_id/members',
      async ({ params, query, request, me, caller }) => {
        const { q, ids } = query
        if (q !== undefined) await parts.limits.take(caller, NAME_SEARCHES, `user:${me.id}`)
        const rows = await parts.read('members', (sql) => {
          const nameFilter = q === undefined ? sql`true` : nameContains(sql, q)
          const idFilter = ids === undefined ? sql`true` : sql`m.user_id = any(${ids})`
          const where = sql`m.server_id = ${params.server_id} and ${nameFilter} and ${idFilter}`
          return cursorList<Omit<Member, 'status'>>(
            request,
            query,
            'oldest',
            (row) => row.user.id,
            (scan) => selectMembers(sql, sql`${where} and ${slice(sql, 'm.user_id', scan)}`),
          )
        })
        return rows.map((row) => ({ ...row, status: statusOf(row.user.id) }))
      },
      {
        params: Server,
        query: MemberQuery,
        member: 'none',
        detail: {
          summary:
            'List members, ordered by user id; the cursors are user ids; `q` matches nicknames and display names',
          tags,
        },
        response: answers({ 200: z.array(Member) }, ...PLACE_CODES),
      },
    )
    .delete(
      '/api/servers/:server_id/members/@me',
      async ({ params, me, status }) =>
        parts.write(async (sql, emit, notify) => {
          const server = await lockServer(sql, params.server_id)
          await membership(sql, server.id, me.id)
          if (server.owner_id === me.id) throw new Problem('owner_cannot_leave')
          const ending = { cause: 'left', reason: null, until: null } as const
          await leave(sql, emit, notify, { server_id: server.id, user_id: me.id, ending })
          return status(204, undefined)
        }),
      {
        params: Server,
        detail: { summary: 'Leave a server', tags },
        response: answers({ 204: Nothing }, 'not_found', 'owner_cannot_leave', ...SHAPE_CODES, ...TOKEN_CODES),
      },
    )
    .put(
      '/api/servers/:server_id/members/:user_id',
      async ({ params, me, body }) => {
        const { server_id, user_id } = params
        const settle = await judgeNickname(parts.judge, params, me.id, body.nickname)
        const member = await changeMember(parts, { ...params, meId: me.id }, body, statusOf(user_id))
        await settle?.()
        if (body.nickname !== null) return member
        await coverName(parts, server_id, user_id, statusOf)
        const [row] = await selectMembers(parts.sql, parts.sql`m.server_id = ${server_id} and m.user_id = ${user_id}`)
        return { ...found(row), status: member.status }
      },
      {
        params: Target,
        body: MemberPatch,
        member: 'none',
        detail: {
          summary:
            'Name a member (change_nickname, manage_nicknames), time out, quarantine or release one (moderate_members)',
          description:
            `A timeout lasts at most ${TIMEOUT_DAYS_MAX} days, a quarantine until a moderator lifts it; ` +
            'leaving and rejoining ends neither.',
          tags,
        },
        response: answers(
          { 200: Member },
          'automod_blocked',
          'cannot_target_self',
          'forbidden',
          ...PLACE_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .delete(
      '/api/servers/:server_id/members/:user_id',
      async ({ params: { server_id, user_id }, member, me, body, status }) => {
        await membership(parts.sql, server_id, user_id)
        demand(member.permissions, 'kick_members')
        await kick(parts, { server_id, user_id, actor_id: me.id }, body)
        return status(204, undefined)
      },
      {
        params: Target,
        body: ReasonDraft,
        member: 'none',
        detail: {
          summary: 'Kick a member who ranks below the caller; an optional body gives the reason',
          tags,
        },
        response: answers({ 204: Nothing }, 'cannot_target_self', 'forbidden', ...PLACE_CODES, ...BODY_CODES),
      },
    )
    .get(
      '/api/servers/:server_id/bans',
      async ({ params, query, request }) =>
        cursorList<Ban>(
          request,
          query,
          'oldest',
          (row) => row.user.id,
          (scan) => {
            const page = slice(parts.sql, 'b.user_id', scan)
            return selectBans(
              parts.sql,
              parts.sql`b.server_id = ${params.server_id} and ${isBanLive(parts.sql)} and ${page}`,
            )
          },
        ),
      {
        params: Server,
        query: CursorQuery,
        member: 'ban_members',
        detail: { summary: 'List bans, ordered by user id; the cursors are user ids', tags },
        response: answers({ 200: z.array(Ban) }, ...PLACE_CODES),
      },
    )
    .put(
      '/api/servers/:server_id/bans/:user_id',
      async ({ params: { server_id, user_id }, member, me, body }) => {
        found((await parts.sql`select 1 from users where id = ${user_id}`)[0])
        demand(member.permissions, 'ban_members')
        await banAccount(parts, { server_id, user_id, actor_id: me.id }, body)
        const [row] = await selectBans(parts.sql, parts.sql`b.server_id = ${server_id} and b.user_id = ${user_id}`)
        return found(row)
      },
      {
        params: Target,
        body: BanDraft,
        member: 'none',
        detail: {
          summary: 'Ban an account, or change the reason of its ban; a member must rank below the caller',
          description:
            '`delete_message_seconds` also deletes its recent messages here, after the answer, newest first. ' +
            'This needs only ban_members. `delete_messages_hours` also needs manage_messages, channel by channel.',
          tags,
        },
        response: answers({ 200: Ban }, 'cannot_target_self', 'forbidden', ...PLACE_CODES, ...BODY_CODES),
      },
    )
    .delete(
      '/api/servers/:server_id/bans/:user_id',
      async ({ params: { server_id, user_id }, me, status }) => {
        await parts.write(async (sql, emit) => {
          await lockedMembership(sql, server_id, me.id, 'ban_members')
          const [before] = await sql<{ reason: string | null }[]>`
            delete from bans where server_id = ${server_id} and user_id = ${user_id} returning reason`
          const entry = { server_id, actor_id: me.id, action: 'member.unbanned' as const }
          await audit(sql, entry, ['member', user_id], found(before), null)
          await emitBan(sql, emit, 'ban.deleted', { server_id, user_id })
        })
        return status(204, undefined)
      },
      {
        params: Target,
        member: 'ban_members',
        detail: { summary: 'Lift a ban', tags },
        response: answers({ 204: Nothing }, ...PLACE_CODES),
      },
    )
