import { Elysia } from 'elysia'
import { z } from 'zod'
import { columns } from '../../database/database.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import { cursorList, slice } from '../../http/lists.ts'
import type { Parts } from '../../parts.ts'
import { topic } from '../../core/events.ts'
import { BODY_CODES, found, Problem, PLACE_CODES, SHAPE_CODES, TOKEN_CODES } from '../../core/errors.ts'
import { CursorQuery } from '../../core/paging.ts'
import { answers, DecimalId, NoBody, Nothing } from '../../core/schema.ts'
import { isBanned } from '../members/ban.ts'
import { coverName } from '../members/cover-name.ts'
import { beginRaid } from '../members/raids.ts'
import { audit } from '../audit/record.ts'
import type { StatusOf } from '../status/model.ts'
import { demand, guarded, lockedMembership, lockServer, membership } from '../access/guard.ts'
import { Server } from '../access/model.ts'
import { anyone } from '../sessions/identity.ts'
import type { Sessions } from '../sessions/store.ts'
import { enterBy } from './enter.ts'
import { demandGifts } from './gifts.ts'
import { Code, Invite, InviteDraft, InvitePreview, INVITES_PER_SERVER_MAX, randomCode } from './model.ts'
import { previewOf } from './preview.ts'
import { removeInvite } from './remove.ts'

const tags = ['Invites']
const CodePath = z.object({ invite: Code.describe('code of the invite') })

/** Stricter than the general limit, against guessing codes and flooding servers with invites. */
const INVITES: BucketPolicy = { name: 'invites', burst: 20, refillPerS: 0.5 }

/** Previews, also for people without an account. */
const previewRoutes = (parts: Parts, sessions: Sessions, statusOf: StatusOf) =>
  new Elysia().use(anyone(parts, sessions)).get(
    '/api/invites/:invite',
    async ({ params: { invite: code }, countsAs, caller }) => {
      await parts.limits.take(caller, INVITES, countsAs)
      return previewOf(parts, statusOf, code, caller)
    },
    {
      params: CodePath,
      detail: { summary: 'Preview an invite by its code; needs no token', security: [], tags },
      response: answers({ 200: InvitePreview }, 'not_found', 'banned', 'invite_gone', ...SHAPE_CODES),
    },
  )

export const inviteRoutes = (parts: Parts, sessions: Sessions, statusOf: StatusOf) =>
  new Elysia().use(previewRoutes(parts, sessions, statusOf)).use(memberInviteRoutes(parts, sessions, statusOf))

/** Invites of servers that the caller is a member of or joins. */
const memberInviteRoutes = (parts: Parts, sessions: Sessions, statusOf: StatusOf) =>
  guarded(parts, sessions)
    .post(
      '/api/invites',
      async ({ me, caller, body, status }) => {
        const { server_id, expires_in, max_uses, role_id, temporary, guest } = body
        await parts.limits.take(caller, INVITES, `user:${me.id}`)
        return parts.write(async (sql, emit) => {
          await demandGifts(sql, await lockedMembership(sql, server_id, me.id, 'create_invite'), body)
          const [row] = await sql<{ count: number }[]>`
            select count(*)::int from invites i where server_id = ${server_id} and is_live(i)`
          if ((row?.count ?? 0) >= INVITES_PER_SERVER_MAX) throw new Problem('too_many_invites')
          const [invite] = await sql<Invite[]>`
            insert into invites (code, server_id, creator_id, max_uses, role_id, temporary, guest, expires_at)
            values (${randomCode()}, ${server_id}, ${me.id}, ${max_uses}, ${role_id}, ${temporary},
              ${guest},
              ${expires_in === 0 ? null : sql`now() + ${expires_in} * interval '1 second'`})
            returning ${columns(sql, Invite)}`
          emit(topic.invites(server_id), 'invite.created', found(invite))
          const { id, code: _, ...auditFields } = found(invite)
          await audit(sql, { server_id, actor_id: me.id, action: 'invite.created' }, ['invite', id], null, auditFields)
          return status(201, found(invite))
        })
      },
      {
        body: InviteDraft,
        detail: { summary: 'Create an invite', tags },
        response: answers({ 201: Invite }, 'too_many_invites', 'forbidden', ...PLACE_CODES, ...BODY_CODES),
      },
    )
    .get(
      '/api/servers/:server_id/invites',
      async ({ params, query, request }) =>
        cursorList<Invite>(
          request,
          query,
          'newest',
          (row) => row.id,
          (scan) => parts.sql`select ${columns(parts.sql, Invite)} from invites
            where server_id = ${params.server_id} and deleted_at is null and ${slice(parts.sql, 'id', scan)}`,
        ),
      {
        params: z.object({ server_id: DecimalId }),
        query: CursorQuery,
        member: 'manage_server',
        detail: { summary: 'List the invites of a server, newest first', tags },
        response: answers({ 200: z.array(Invite) }, ...PLACE_CODES),
      },
    )
    .delete(
      '/api/invites/:invite',
      async ({ params: { invite: id }, me, status }) =>
        parts.write(async (sql, emit) => {
          const [invite] = await sql<Invite[]>`select * from invites where id = ${id} and deleted_at is null`
          const { server_id, creator_id } = found(invite)
          await membership(sql, server_id, me.id)
          await lockServer(sql, server_id)
          const { permissions } = await membership(sql, server_id, me.id)
          if (creator_id !== me.id) demand(permissions, 'manage_server')
          await removeInvite(sql, emit, { id, server_id })
          await audit(
            sql,
            { server_id, actor_id: me.id, action: 'invite.deleted' },
            ['invite', id],
            { creator_id },
            null,
          )
          return status(204, undefined)
        }),
      {
        params: z.object({ invite: DecimalId.describe('id of the invite') }),
        detail: { summary: 'Delete an invite by its id (its creator, or manage_server)', tags },
        response: answers({ 204: Nothing }, ...PLACE_CODES),
      },
    )
    .post(
      '/api/invites/:invite/join',
      async ({ params: { invite: code }, me, caller, status }) => {
        await parts.limits.take(caller, INVITES, `user:${me.id}`)
        const { server, isNew, isRaid } = await parts.write(async (sql, emit, notify) => {
          const [invite] = await sql<{ id: number; server_id: number }[]>`
            select id, server_id from invites where code = ${code}`
          const { id, server_id } = found(invite)
          const server = await lockServer(sql, server_id)
          const [member] = await sql`select 1 from members where server_id = ${server_id} and user_id = ${me.id}`
          if (member) return { server, isNew: false, isRaid: false }
          if (await isBanned(sql, server_id, me.id)) throw new Problem('banned')
          const joiner = { user_id: me.id, status: statusOf(me.id) }
          return { ...(await enterBy(sql, emit, notify, { id, server_id }, joiner)), isNew: true }
        })
        if (!isNew) return server
        if (isRaid) await beginRaid(parts, server.id, me.id, statusOf)
        await coverName(parts, server.id, me.id, statusOf)
        return status(201, server)
      },
      {
        params: CodePath,
        body: NoBody,
        detail: { summary: 'Join a server by the code of an invite; 200 if the caller is a member already', tags },
        response: answers(
          { 200: Server, 201: Server },
          'not_found',
          'invite_gone',
          'joining_paused',
          'banned',
          'too_many_servers',
          ...BODY_CODES,
          ...TOKEN_CODES,
        ),
      },
    )
