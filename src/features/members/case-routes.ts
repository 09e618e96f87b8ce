import { z } from 'zod'
import { BODY_CODES, found, PLACE_CODES, Problem, SHAPE_CODES, TOKEN_CODES } from '../../core/errors.ts'
import { topic } from '../../core/events.ts'
import { holds } from '../../core/permissions.ts'
import { CursorQuery } from '../../core/paging.ts'
import { answers, DecimalId, Nothing } from '../../core/schema.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import { cursorList, slice } from '../../http/lists.ts'
import type { Parts } from '../../parts.ts'
import { guarded, lockedMembership, membership } from '../access/guard.ts'
import { audit } from '../audit/record.ts'
import { Case, CaseQuery, NoteDraft, Warning, WarningDraft } from '../cases/model.ts'
import { caseSeenBy, selectCases, selectWarnings } from '../cases/reading.ts'
import { recordCase } from '../cases/record.ts'
import type { Sessions } from '../sessions/store.ts'
import { isBanLive } from './ban.ts'
import { demandRank } from './membership.ts'
import { OwnBan } from './model.ts'

const tags = ['Cases']
const Server = z.object({ server_id: DecimalId })
const Target = Server.extend({ user_id: DecimalId })
const CasePath = z.object({ case_id: DecimalId })

/** Low, because a list checks the rank of each member, and a warning calls for attention. */
const CASES: BucketPolicy = { name: 'cases', burst: 30, refillPerS: 1 }

async function caseOf(sql: Sql, id: number): Promise<Case> {
  const [row] = await selectCases(sql, sql`c.id = ${id}`)
  return found(row)
}

/**
 * Notes are written about members, and about accounts that have left with a ban or a case.
 * @throws Problem `not_found`
 */
async function demandNotable(sql: Transaction, server_id: number, user_id: number): Promise<void> {
  const [row] = await sql`select 1 from users u where u.id = ${user_id} and deleted_at is null and (
    exists (select from members m where m.server_id = ${server_id} and m.user_id = u.id)
    or exists (select from bans b where b.server_id = ${server_id} and b.user_id = u.id)
    or exists (select from cases c where c.server_id = ${server_id} and c.user_id = u.id)) for key share`
  found(row)
}

export const caseRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions).use(moderatorRoutes(parts, sessions)).use(ownRoutes(parts, sessions))

/** Cases for moderators. */
const moderatorRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .get(
      '/api/servers/:server_id/cases',
      async ({ params, query, request, me, member, caller }) => {
        await parts.limits.take(caller, CASES, `user:${me.id}`)
        const { sql } = parts
        const ofKind = query.kind === undefined ? sql`true` : sql`c.kind = ${query.kind}`
        const ofUser = query.user_id === undefined ? sql`true` : sql`c.user_id = ${query.user_id}`
        const where = sql`c.server_id = ${params.server_id} and ${ofKind} and ${ofUser} and ${caseSeenBy(sql, member)}`
        return cursorList<Case>(
          request,
          query,
          'newest',
          (row) => row.id,
          (scan) => selectCases(sql, sql`${where} and ${slice(sql, 'c.id', scan)}`),
        )
      },
      {
        params: Server,
        query: CaseQuery,
        member: 'moderate_members',
        detail: {
          summary: 'List the cases of a server, newest first',
          description: 'Cases of members who rank below the caller, and of accounts that have left.',
          tags,
        },
        response: answers({ 200: z.array(Case) }, ...PLACE_CODES),
      },
    )
    .get(
      '/api/servers/:server_id/members/:user_id/cases',
      async ({ params: { user_id }, query, request, me, member, caller }) => {
        await parts.limits.take(caller, CASES, `user:${me.id}`)
        const { sql } = parts
        const where = sql`c.user_id = ${user_id} and ${caseSeenBy(sql, member)}`
        return cursorList<Case>(
          request,
          query,
          'newest',
          (row) => row.id,
          (scan) => selectCases(sql, sql`${where} and ${slice(sql, 'c.id', scan)}`),
        )
      },
      {
        params: Target,
        query: CursorQuery,
        member: 'moderate_members',
        detail: { summary: 'List the cases of a member, newest first', tags },
        response: answers({ 200: z.array(Case) }, ...PLACE_CODES),
      },
    )
    .post(
      '/api/servers/:server_id/members/:user_id/warnings',
      async ({ params: { server_id, user_id }, body: { reason }, me, caller, status }) => {
        await parts.limits.take(caller, CASES, `user:${me.id}`)
        await parts.space.demand()
        return parts.write(async (sql, emit) => {
          const actor = await lockedMembership(sql, server_id, me.id, 'moderate_members')
          found(await demandRank(sql, actor, user_id))
          const id = await recordCase(sql, { server_id, user_id, kind: 'warning', actor_id: me.id, reason })
          const [warning] = await selectWarnings(sql, sql`c.id = ${id}`)
          emit(topic.user(user_id), 'warning.created', found(warning))
          const entry = { server_id, actor_id: me.id, action: 'member.warned' as const }
          await audit(sql, entry, ['member', user_id], null, { reason })
          return status(201, await caseOf(sql, id))
        })
      },
      {
        params: Target,
        body: WarningDraft,
        member: 'moderate_members',
        detail: { summary: 'Warn a member who ranks below the caller; a notice waits until it is read', tags },
        response: answers(
          { 201: Case },
          'cannot_target_self',
          'forbidden',
          'storage_full',
          ...PLACE_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .post(
      '/api/servers/:server_id/members/:user_id/notes',
      async ({ params: { server_id, user_id }, body: { text: reason }, me, caller, status }) => {
        await parts.limits.take(caller, CASES, `user:${me.id}`)
        await parts.space.demand()
        return parts.write(async (sql) => {
          const actor = await lockedMembership(sql, server_id, me.id, 'moderate_members')
          await demandRank(sql, actor, user_id)
          await demandNotable(sql, server_id, user_id)
          const id = await recordCase(sql, { server_id, user_id, kind: 'note', actor_id: me.id, reason })
          // Without the text: the member may read the audit log.
          const entry = { server_id, actor_id: me.id, action: 'member.noted' as const }
          await audit(sql, entry, ['member', user_id], null, null)
          return status(201, await caseOf(sql, id))
        })
      },
      {
        params: Target,
        body: NoteDraft,
        member: 'moderate_members',
        detail: { summary: 'Write a note about a member, for moderators', tags },
        response: answers(
          { 201: Case },
          'cannot_target_self',
          'forbidden',
          'storage_full',
          ...PLACE_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .delete(
      '/api/cases/:case_id',
      async ({ params: { case_id: id }, me, caller, status }) => {
        await parts.limits.take(caller, CASES, `user:${me.id}`)
        const [place] = await parts.sql<{ server_id: number }[]>`
          select c.server_id from cases c join members m on m.server_id = c.server_id and m.user_id = ${me.id}
          where c.id = ${id}`
        const { server_id } = found(place)
        // To everybody but moderators the case is not there.
        const { permissions } = await membership(parts.sql, server_id, me.id)
        if (!holds(permissions, 'moderate_members')) throw new Problem('not_found')
        await parts.write(async (sql, emit) => {
          const actor = await lockedMembership(sql, server_id, me.id, 'moderate_members')
          const [row] = await sql<{ user_id: number; kind: string; reason: string }[]>`
            select c.user_id, c.kind, c.reason from cases c where c.id = ${id} and ${caseSeenBy(sql, actor)} for update`
          const { user_id, kind, reason } = found(row)
          if (kind !== 'warning' && kind !== 'note')
            throw new Problem('forbidden', 'Only warnings and notes can be deleted')
          await sql`delete from cases where id = ${id}`
          if (kind === 'warning') emit(topic.user(user_id), 'warning.deleted', { id, server_id })
          const entry = { server_id, actor_id: me.id, action: 'case.deleted' as const }
          await audit(sql, entry, ['member', user_id], kind === 'warning' ? { kind, reason } : { kind }, null)
        })
        return status(204, undefined)
      },
      {
        params: CasePath,
        detail: { summary: 'Delete a warning or a note', tags },
        response: answers({ 204: Nothing }, 'forbidden', ...PLACE_CODES),
      },
    )

/** Warnings and bans for the account that they concern. */
const ownRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .get(
      '/api/users/@me/warnings',
      async ({ query, request, me }) =>
        cursorList<Warning>(
          request,
          query,
          'newest',
          (row) => row.id,
          (scan) => selectWarnings(parts.sql, parts.sql`c.user_id = ${me.id} and ${slice(parts.sql, 'c.id', scan)}`),
        ),
      {
        query: CursorQuery,
        detail: { summary: 'List your own warnings, newest first', tags },
        response: answers({ 200: z.array(Warning) }, ...SHAPE_CODES, ...TOKEN_CODES),
      },
    )
    .post(
      '/api/users/@me/warnings/:case_id/read',
      async ({ params: { case_id: id }, me, status }) => {
        await parts.write(async (sql, emit) => {
          const [row] = await sql<{ read_at: string; is_new: boolean }[]>`
            update cases c set read_at = coalesce(c.read_at, now())
            from (select id, read_at from cases where id = ${id} and user_id = ${me.id} and kind = 'warning'
              for update) old
            where c.id = old.id returning c.read_at, old.read_at is null as is_new`
          const { read_at, is_new } = found(row)
          if (is_new) emit(topic.user(me.id), 'warning.read', { id, read_at })
        })
        return status(204, undefined)
      },
      {
        params: CasePath,
        detail: { summary: 'Mark a warning as read: its notice goes', tags },
        response: answers({ 204: Nothing }, 'not_found', ...SHAPE_CODES, ...TOKEN_CODES),
      },
    )
    .get(
      '/api/users/@me/bans',
      async ({ query, request, me }) =>
        cursorList<OwnBan>(
          request,
          query,
          'oldest',
          (row) => row.server_id,
          (scan) => parts.sql`
            select b.server_id, s.name as server_name, nullif(b.reason, '') as reason, b.until, s.appeal_contact,
              b.created_at
            from bans b join servers s on s.id = b.server_id and s.owner_id is not null
            where b.user_id = ${me.id} and b.was_member and ${isBanLive(parts.sql)}
              and ${slice(parts.sql, 'b.server_id', scan)}`,
        ),
      {
        query: CursorQuery,
        detail: {
          summary: 'List the servers that you are banned from, with their contacts for appeals, ordered by id',
          description: 'Without bans from servers that you were not in: strangers could write the reason.',
          tags,
        },
        response: answers({ 200: z.array(OwnBan) }, ...SHAPE_CODES, ...TOKEN_CODES),
      },
    )
