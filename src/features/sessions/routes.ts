import { Elysia } from 'elysia'
import { z } from 'zod'
import { cursorList, slice } from '../../http/lists.ts'
import type { Parts } from '../../parts.ts'
import { BODY_CODES, Problem, SHAPE_CODES, TOKEN_CODES } from '../../core/errors.ts'
import { CursorQuery } from '../../core/paging.ts'
import { answers, DecimalId, Done, NoBody, Nothing } from '../../core/schema.ts'
import { sessionCookie, signedIn } from './identity.ts'
import { Session, SESSION_SECONDS, TokenAnswer } from './model.ts'
import type { Sessions } from './store.ts'

const tags = ['Sessions']

export const sessionRoutes = (parts: Parts, sessions: Sessions) =>
  new Elysia({ prefix: '/api/auth' })
    .use(signedIn(parts, sessions))
    .post(
      '/logout',
      async ({ me, caller }) => {
        await sessions.revoke(me.id, { only: me.session_id })
        caller.headers['set-cookie'] = sessionCookie(caller.base, '', 0)
        return { message: 'Logged out' }
      },
      {
        body: NoBody,
        detail: { summary: 'Revoke the current token', tags },
        response: answers({ 200: Done }, ...BODY_CODES, ...TOKEN_CODES),
      },
    )
    .post(
      '/logout-all',
      async ({ me, caller }) => {
        await sessions.revoke(me.id)
        caller.headers['set-cookie'] = sessionCookie(caller.base, '', 0)
        return { message: 'Logged out everywhere' }
      },
      {
        body: NoBody,
        detail: { summary: 'Revoke all sessions', tags },
        response: answers({ 200: Done }, ...BODY_CODES, ...TOKEN_CODES),
      },
    )
    .post(
      '/refresh',
      async ({ me, caller }) => {
        const token = await sessions.refresh(me)
        caller.headers['set-cookie'] = sessionCookie(caller.base, token, SESSION_SECONDS)
        return { token }
      },
      {
        body: NoBody,
        detail: {
          summary: 'Get a new token for this session',
          description: 'For 60 s the previous token still gets the current one; if it is used later, the session ends.',
          tags,
        },
        response: answers({ 200: TokenAnswer }, ...BODY_CODES, ...TOKEN_CODES),
      },
    )
    .get(
      '/sessions',
      async ({ me, query, request }) =>
        cursorList<Session>(
          request,
          query,
          'newest',
          (row) => row.id,
          (scan) => parts.sql`
            select id, created_at, last_used_at, expires_at, user_agent, ip, id = ${me.session_id} as current,
              encode(device_key, 'hex') as device_key
            from sessions where user_id = ${me.id} and ${slice(parts.sql, 'id', scan)}`,
        ),
      {
        query: CursorQuery,
        detail: { summary: 'List sessions, newest first', tags },
        response: answers({ 200: z.array(Session) }, ...SHAPE_CODES, ...TOKEN_CODES),
      },
    )
    .delete(
      '/sessions/:id',
      async ({ me, params, status }) => {
        if ((await sessions.revoke(me.id, { only: params.id })) === 0) throw new Problem('not_found')
        return status(204, undefined)
      },
      {
        params: z.object({ id: DecimalId.describe('id of the session') }),
        detail: { summary: 'End one session', tags },
        response: answers({ 204: Nothing }, ...SHAPE_CODES, 'not_found', ...TOKEN_CODES),
      },
    )
