import { z } from 'zod'
import { columns, type Sql } from '../../database/database.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import { cursorList, slice } from '../../http/lists.ts'
import type { Parts } from '../../parts.ts'
import { topic } from '../../core/events.ts'
import { BODY_CODES, found, Problem, PLACE_CODES, SHAPE_CODES, TOKEN_CODES } from '../../core/errors.ts'
import { CursorQuery } from '../../core/paging.ts'
import { answers, DecimalId, Nothing } from '../../core/schema.ts'
import { audit } from '../audit/record.ts'
import { lockPicture } from '../files/access.ts'
import type { Sessions } from '../sessions/store.ts'
import { demand, guarded, lockServer, membership } from '../access/guard.ts'
import { Server } from '../access/model.ts'
import { publishFromNow } from './publish.ts'
import { ServerPatch, Transfer, VerificationCount, VerificationQuery } from './model.ts'
import { reportToOperator } from '../reports/forget.ts'
import { countUnverified, renewVerification } from '../members/verification.ts'
import { removeServer } from './remove.ts'
import { demandAfkChannel, demandSystemChannel } from './system-channel.ts'

const tags = ['Servers']
/** Low, because a count reads every member of the server. */
const COUNTS: BucketPolicy = { name: 'verification_counts', burst: 10, refillPerS: 0.5 }
const params = z.object({ server_id: DecimalId })

/** @throws Problem `forbidden` for a bot, because an owner cannot leave */
async function demandPerson(sql: Sql, userId: number): Promise<void> {
  const [person] = await sql`select 1 from users where id = ${userId} and kind = 'person'`
  if (!person) throw new Problem('forbidden', 'Only people can own a server')
}

const changesCalls = (before: Server, after: Server): boolean =>
  before.afk_channel_id !== after.afk_channel_id ||
  before.afk_minutes !== after.afk_minutes ||
  before.calls_encryption !== after.calls_encryption

export const serverRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .get(
      '/api/servers',
      async ({ me, query, request }) =>
        cursorList<Server>(
          request,
          query,
          'oldest',
          (row) => row.id,
          (scan) => parts.sql`select ${columns(parts.sql, Server)} from servers
            where id in (select server_id from members where user_id = ${me.id}) and ${slice(parts.sql, 'id', scan)}`,
        ),
      {
        query: CursorQuery,
        detail: { summary: 'List the caller’s servers, ordered by id', tags },
        response: answers({ 200: z.array(Server) }, ...SHAPE_CODES, ...TOKEN_CODES),
      },
    )
    .get(
      '/api/servers/:server_id',
      async ({ params }) => {
        const [server] = await parts.sql<Server[]>`
          select ${columns(parts.sql, Server)} from servers where id = ${params.server_id}`
        return found(server)
      },
      {
        params,
        member: 'none',
        detail: { summary: 'Get a server', tags },
        response: answers({ 200: Server }, ...PLACE_CODES),
      },
    )
    .put(
      '/api/servers/:server_id',
      async ({ params, me, body: { binds_members, ...body } }) => {
        if (body.verification === 'mail' && !parts.environment.SMTP_URL) throw new Problem('mail_unavailable')
        if (body.calls_encryption === 'required' && parts.environment.CALLS_ENCRYPTION === 'off')
          throw new Problem('encryption_unavailable')
        return parts.write(async (sql, emit, notify) => {
          const before = await lockServer(sql, params.server_id)
          demand((await membership(sql, before.id, me.id)).permissions, 'manage_server')
          if (body.system_channel_id) await demandSystemChannel(sql, before.id, me.id, body.system_channel_id)
          if (body.afk_channel_id) await demandAfkChannel(sql, before.id, me.id, body.afk_channel_id)
          if (body.icon_file_id) await lockPicture(sql, body.icon_file_id, me.id)
          if (binds_members && before.owner_id !== me.id)
            throw new Problem('forbidden', 'Only the owner can bind existing members')
          const changes = { ...body, verification: body.verification ?? before.verification }
          const [server] = await sql<Server[]>`update servers set ${sql(changes)}, updated_at = now()
            where id = ${params.server_id} returning ${columns(sql, Server)}`
          if (binds_members ?? body.verification ?? body.verification_minutes)
            await renewVerification(sql, before.id, binds_members === true)
          if (body.public && !before.public) await publishFromNow(sql, emit, before.id)
          emit(topic.server(params.server_id), 'server.updated', found(server))
          // Calls read these with the permissions of their members.
          if (changesCalls(before, found(server)))
            notify({ kind: 'server_access_changed', server_id: before.id, hidden: [], revealed: [] })
          const entry = { server_id: before.id, actor_id: me.id, action: 'server.updated' as const }
          const after = { ...found(server), ...(binds_members ? { binds_members } : {}) }
          await audit(sql, entry, ['server', before.id], before, after)
          return found(server)
        })
      },
      {
        params,
        body: ServerPatch,
        member: 'manage_server',
        detail: { summary: 'Update a server', tags },
        response: answers(
          { 200: Server },
          'forbidden',
          'picture_unreadable',
          'mail_unavailable',
          'encryption_unavailable',
          ...PLACE_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .get(
      '/api/servers/:server_id/verification',
      async ({ params, query, me, caller }) => {
        await parts.limits.take(caller, COUNTS, `user:${me.id}`)
        return { count: await countUnverified(parts.sql, params.server_id, query) }
      },
      {
        params,
        query: VerificationQuery,
        member: 'manage_server',
        detail: { summary: 'Count the members that a verification would hold back if it bound existing members', tags },
        response: answers({ 200: VerificationCount }, ...PLACE_CODES),
      },
    )
    .delete(
      '/api/servers/:server_id',
      async ({ params, me, status }) => {
        const demandOwner = async (sql: Sql) => {
          if (!(await membership(sql, params.server_id, me.id)).is_owner)
            throw new Problem('forbidden', 'Only the owner can delete a server')
        }
        // Checked before taking locks, and again in case the server has been transferred meanwhile.
        await demandOwner(parts.sql)
        return parts.write(async (sql, emit, notify) => {
          await lockServer(sql, params.server_id)
          await demandOwner(sql)
          await removeServer(sql, emit, notify, params.server_id)
          return status(204, undefined)
        })
      },
      {
        params,
        detail: { summary: 'Delete a server (owner)', tags },
        response: answers({ 204: Nothing }, 'forbidden', ...PLACE_CODES),
      },
    )
    .post(
      '/api/servers/:server_id/transfer',
      async ({ params, me, body }) =>
        parts.write(async (sql, emit, notify) => {
          const { id, owner_id } = await lockServer(sql, params.server_id)
          await membership(sql, id, me.id)
          await membership(sql, id, body.user_id)
          if (owner_id !== me.id) throw new Problem('forbidden', 'Only the owner can transfer a server')
          if (body.user_id === me.id) throw new Problem('cannot_target_self')
          await demandPerson(sql, body.user_id)
          const [server] = await sql<Server[]>`update servers set owner_id = ${body.user_id}, updated_at = now()
            where id = ${id} returning ${columns(sql, Server)}`
          emit(topic.server(id), 'server.updated', found(server))
          await reportToOperator(sql, id, body.user_id)
          notify({ kind: 'access_changed', user_ids: [me.id, body.user_id] })
          const entry = { server_id: id, actor_id: me.id, action: 'server.transferred' as const }
          await audit(sql, entry, ['member', body.user_id], { owner_id }, { owner_id: body.user_id })
          return found(server)
        }),
      {
        params,
        body: Transfer,
        detail: { summary: 'Transfer the server to another member (owner)', tags },
        response: answers({ 200: Server }, 'forbidden', 'cannot_target_self', ...PLACE_CODES, ...BODY_CODES),
      },
    )
