import { Elysia } from 'elysia'
import { z } from 'zod'
import { cursorList, slice } from '../../http/lists.ts'
import type { Parts } from '../../parts.ts'
import { BODY_CODES, SHAPE_CODES, TOKEN_CODES } from '../../core/errors.ts'
import { CursorQuery } from '../../core/paging.ts'
import { answers, DecimalId, Nothing } from '../../core/schema.ts'
import { registrationState } from '../accounts/registration.ts'
import { changesBetween } from '../audit/record.ts'
import type { Sessions } from '../sessions/store.ts'
import { act } from './act.ts'
import { deleteContent } from './content.ts'
import { operating, OPERATING } from './guard.ts'
import { InviteSummary, RegistrationChange, RegistrationState, ServerQuery, ServerSummary } from './model.ts'

const tags = ['Operator']
const CODES = [...TOKEN_CODES, ...SHAPE_CODES, 'not_found', 'proof_required'] as const

export const operatorPlaceRoutes = (parts: Parts, sessions: Sessions) =>
  new Elysia({ prefix: '/api/operator' })
    .use(operating(parts, sessions))
    .get(
      '/servers',
      async ({ me, caller, query, request }) => {
        await parts.limits.take(caller, OPERATING, `user:${me.id}`)
        const { q } = query
        const { result } = await act(parts.write, { me }, 'list-servers', async ({ sql }) => {
          const among =
            q === undefined ? sql`true` : sql`(s.id::text = ${q} or name_key(s.name) like (select name_pattern(${q})))`
          const page = await cursorList<ServerSummary>(
            request,
            query,
            'oldest',
            (row) => row.id,
            (scan) => sql`select s.id, s.name, json_build_object('id', o.id, 'username', o.username) as owner,
                s.member_count, s.created_at, (select count(*) from channels c
                  where c.server_id = s.id and c.type in ('text', 'voice', 'forum', 'stage')) as channel_count
              from servers s join users o on o.id = s.owner_id where ${among} and ${slice(sql, 's.id', scan)}`,
          )
          return { result: page, changes: { shown: page.map((row) => row.id) } }
        })
        return result
      },
      {
        query: ServerQuery,
        detail: { summary: 'Find servers, oldest first', description: 'The ids are recorded in the admin log.', tags },
        response: answers({ 200: z.array(ServerSummary) }, ...CODES),
      },
    )
    .delete(
      '/servers/:server_id',
      async ({ me, caller, params: { server_id }, status }) => {
        await parts.limits.take(caller, OPERATING, `user:${me.id}`)
        await act(parts.write, { me }, 'delete', (context) => deleteContent(context, 'server', server_id))
        return status(204, undefined)
      },
      {
        params: z.object({ server_id: DecimalId }),
        detail: { summary: 'Delete a server, as its owner would', tags },
        response: answers({ 204: Nothing }, 'forbidden', ...CODES),
      },
    )
    .get(
      '/invites',
      async ({ me, caller, query, request }) => {
        await parts.limits.take(caller, OPERATING, `user:${me.id}`)
        const { result } = await act(parts.write, { me }, 'list-invites', async ({ sql }) => {
          const page = await cursorList<InviteSummary>(
            request,
            query,
            'newest',
            (row) => row.id,
            (scan) => sql`select i.id, json_build_object('id', s.id, 'name', s.name) as server,
                json_build_object('id', c.id, 'username', c.username) as creator,
                i.uses, i.max_uses, i.expires_at, i.created_at
              from invites i join servers s on s.id = i.server_id join users c on c.id = i.creator_id
              where is_live(i) and ${slice(sql, 'i.id', scan)}`,
          )
          return { result: page, changes: { shown: page.map((row) => row.id) } }
        })
        return result
      },
      {
        query: CursorQuery,
        detail: { summary: 'List live invites, newest first, without their codes', tags },
        response: answers({ 200: z.array(InviteSummary) }, ...CODES),
      },
    )
    .delete(
      '/invites/:invite',
      async ({ me, caller, params: { invite }, status }) => {
        await parts.limits.take(caller, OPERATING, `user:${me.id}`)
        await act(parts.write, { me }, 'delete', (context) => deleteContent(context, 'invite', invite))
        return status(204, undefined)
      },
      {
        params: z.object({ invite: DecimalId.describe('id of the invite') }),
        detail: { summary: 'Delete an invite', tags },
        response: answers({ 204: Nothing }, ...CODES),
      },
    )
    .get('/registration', async () => registrationState(parts), {
      detail: { summary: 'Get the registration mode', tags },
      response: answers({ 200: RegistrationState }, ...CODES),
    })
    .put(
      '/registration',
      async ({ me, caller, body: { chosen } }) => {
        await parts.limits.take(caller, OPERATING, `user:${me.id}`)
        const { environment } = parts
        const { result } = await act(parts.write, { me }, 'registration', async ({ sql }) => {
          const before = await registrationState({ environment, sql })
          await (chosen === null
            ? sql`delete from installation_settings where name = 'registration'`
            : sql`insert into installation_settings (name, value) values ('registration', ${chosen})
                on conflict (name) do update set value = excluded.value`)
          const after = await registrationState({ environment, sql })
          return { result: after, changes: changesBetween(before, after) }
        })
        return result
      },
      {
        body: RegistrationChange,
        detail: {
          summary: 'Set the registration mode',
          description: 'It can only be stricter than the variable REGISTRATION.',
          tags,
        },
        response: answers({ 200: RegistrationState }, ...BODY_CODES, ...CODES),
      },
    )
