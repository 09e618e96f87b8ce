import { Elysia } from 'elysia'
import { z } from 'zod'
import { cursorList, slice } from '../../http/lists.ts'
import type { Parts } from '../../parts.ts'
import { BODY_CODES, SHAPE_CODES, TOKEN_CODES } from '../../core/errors.ts'
import { answers, DecimalId, NoBody, Nothing } from '../../core/schema.ts'
import { removeLeftovers } from '../lifecycle/own-data.ts'
import { demandPasswords } from '../accounts/passwords.ts'
import type { Sessions } from '../sessions/store.ts'
import {
  accountSummaries,
  endAccountSessions,
  removeAccount,
  resetLink,
  resetPassword,
  restore,
  searchCondition,
  showAccount,
  suspend,
} from './accounts.ts'
import { act } from './act.ts'
import { operating, OPERATING } from './guard.ts'
import {
  AccountDetails,
  AccountQuery,
  AccountSummary,
  PasswordReset,
  ResetLink,
  Restored,
  SessionsEnded,
  Suspended,
  Suspension,
} from './model.ts'

const tags = ['Operator']
const params = z.object({ user_id: DecimalId })
const CODES = [...TOKEN_CODES, ...SHAPE_CODES, 'not_found', 'proof_required'] as const
const ACT_CODES = [...CODES, 'forbidden'] as const

export const operatorAccountRoutes = (parts: Parts, sessions: Sessions) =>
  new Elysia({ prefix: '/api/operator' })
    .use(operating(parts, sessions))
    .get(
      '/accounts',
      async ({ me, caller, query, request }) => {
        await parts.limits.take(caller, OPERATING, `user:${me.id}`)
        const { q, suspended } = query
        const { result } = await act(parts.write, { me }, q === undefined ? 'list' : 'find', async ({ sql }) => {
          const among = sql`(${suspended !== 'true'} or suspended_at is not null)
            and ${q === undefined ? sql`true` : searchCondition(sql, q)}`
          const page = await cursorList<AccountSummary>(
            request,
            query,
            'oldest',
            (row) => row.id,
            (scan) => accountSummaries(sql, sql`${among} and ${slice(sql, 'u.id', scan)}`),
          )
          return { result: page, changes: { shown: page.map((row) => row.id) } }
        })
        return result
      },
      {
        query: AccountQuery,
        detail: { summary: 'Find accounts, oldest first', description: 'The ids are recorded in the admin log.', tags },
        response: answers({ 200: z.array(AccountSummary) }, ...CODES),
      },
    )
    .get(
      '/accounts/:user_id',
      async ({ me, caller, params: { user_id } }) => {
        await parts.limits.take(caller, OPERATING, `user:${me.id}`)
        return (await act(parts.write, { me }, 'show', (context) => showAccount(context, user_id))).result
      },
      {
        params,
        detail: { summary: 'Get an account with its sessions, servers and figures', tags },
        response: answers({ 200: AccountDetails }, ...CODES),
      },
    )
    .delete(
      '/accounts/:user_id',
      async ({ me, caller, params: { user_id }, status }) => {
        await parts.limits.take(caller, OPERATING, `user:${me.id}`)
        const { uploads } = await act(parts.write, { me }, 'delete-account', (context) =>
          removeAccount(context, user_id),
        )
        await removeLeftovers(parts, user_id, uploads)
        return status(204, undefined)
      },
      {
        params,
        detail: { summary: 'Delete an account permanently, as its owner would', tags },
        response: answers({ 204: Nothing }, 'owns_servers', ...ACT_CODES),
      },
    )
    .use(sanctionRoutes(parts, sessions))

/** Suspensions, sessions and passwords of accounts. */
const sanctionRoutes = (parts: Parts, sessions: Sessions) =>
  new Elysia()
    .use(operating(parts, sessions))
    .put(
      '/accounts/:user_id/suspension',
      async ({ me, caller, params: { user_id }, body: { reason } }) => {
        await parts.limits.take(caller, OPERATING, `user:${me.id}`)
        return (await act(parts.write, { me }, 'suspend', (context) => suspend(context, user_id, reason))).result
      },
      {
        params,
        body: Suspension,
        detail: {
          summary: 'Suspend an account: its sessions end and it cannot log in; its messages stay',
          tags,
        },
        response: answers({ 200: Suspended }, ...BODY_CODES, ...ACT_CODES),
      },
    )
    .delete(
      '/accounts/:user_id/suspension',
      async ({ me, caller, params: { user_id } }) => {
        await parts.limits.take(caller, OPERATING, `user:${me.id}`)
        return (await act(parts.write, { me }, 'restore', (context) => restore(context, user_id))).result
      },
      {
        params,
        detail: { summary: 'End the suspension of an account', tags },
        response: answers({ 200: Restored }, ...ACT_CODES),
      },
    )
    .post(
      '/accounts/:user_id/reset',
      async ({ me, caller, params: { user_id } }) => {
        demandPasswords(parts.environment)
        await parts.limits.take(caller, OPERATING, `user:${me.id}`)
        return (await act(parts.write, { me }, 'reset-password', (context) => resetPassword(context, user_id))).result
      },
      {
        params,
        body: NoBody,
        detail: { summary: 'Set a new random password, which is shown only this once, and end the sessions', tags },
        response: answers({ 200: PasswordReset }, ...BODY_CODES, ...ACT_CODES),
      },
    )
    .post(
      '/accounts/:user_id/reset-link',
      async ({ me, caller, params: { user_id } }) => {
        demandPasswords(parts.environment)
        await parts.limits.take(caller, OPERATING, `user:${me.id}`)
        const base = parts.environment.PUBLIC_URL ?? caller.base
        return (await act(parts.write, { me }, 'reset-link', (context) => resetLink(context, user_id, base))).result
      },
      {
        params,
        body: NoBody,
        detail: { summary: 'Create a password reset link, valid once and for an hour', tags },
        response: answers({ 200: ResetLink }, ...BODY_CODES, ...ACT_CODES),
      },
    )
    .delete(
      '/accounts/:user_id/sessions',
      async ({ me, caller, params: { user_id } }) => {
        await parts.limits.take(caller, OPERATING, `user:${me.id}`)
        return (await act(parts.write, { me }, 'end-sessions', (context) => endAccountSessions(context, user_id)))
          .result
      },
      {
        params,
        detail: { summary: 'End every session of an account', tags },
        response: answers({ 200: SessionsEnded }, ...ACT_CODES),
      },
    )
    .delete(
      '/accounts/:user_id/sessions/:session_id',
      async ({ me, caller, params: { user_id, session_id } }) => {
        await parts.limits.take(caller, OPERATING, `user:${me.id}`)
        const run = act(parts.write, { me }, 'end-sessions', (context) =>
          endAccountSessions(context, user_id, session_id),
        )
        return (await run).result
      },
      {
        params: z.object({ user_id: DecimalId, session_id: DecimalId.describe('id of the session') }),
        detail: { summary: 'End one session of an account', tags },
        response: answers({ 200: SessionsEnded }, ...ACT_CODES),
      },
    )
