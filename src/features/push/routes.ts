import { columns, type Transaction } from '../../database/database.ts'
import { BODY_CODES, found, Problem, TOKEN_CODES } from '../../core/errors.ts'
import { answers, Nothing } from '../../core/schema.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { Elysia } from 'elysia'
import { signedIn } from '../sessions/identity.ts'
import type { Me, Sessions } from '../sessions/store.ts'
import { PushSettings, PushSettingsPatch, PushSubscription, PushSubscriptionDraft } from './model.ts'
import { SUBSCRIPTIONS_PER_ACCOUNT_MAX } from './model.ts'
import { settingsOf } from './outbox.ts'
import { PushServices } from './push-services.ts'

const tags = ['Notifications']
const CHANGES: BucketPolicy = { name: 'push', burst: 20, refillPerS: 0.1 }

const SUBSCRIBING = `The body is the browser’s \`PushSubscription.toJSON()\`; \`push_key\` of /.well-known/parley is
the applicationServerKey. A new subscription replaces an earlier one of the session. It ends with the session, by
DELETE, or when the push service says that it is gone. An account has at most ${SUBSCRIPTIONS_PER_ACCOUNT_MAX}: a
further one removes the oldest.`
const SETTINGS = `The settings apply to all devices. During quiet hours no notice is sent and no call rings by push;
notices of that time are not sent later.`

/** Replaces the session's earlier subscription, and any other subscription with the same endpoint. */
async function subscribe(sql: Transaction, me: Me, { endpoint, keys }: Draft): Promise<PushSubscription> {
  const [session] = await sql`select 1 from sessions where id = ${me.session_id} for key share`
  found(session, 'token_revoked')
  // Serialize: if two accounts use one browser, the later one keeps the endpoint.
  await sql`select pg_advisory_xact_lock(hashtextextended(${endpoint}, 65))`
  await sql`delete from push_subscriptions where endpoint = ${endpoint} and session_id <> ${me.session_id}`
  const [row] = await sql<PushSubscription[]>`
    insert into push_subscriptions ${sql({ session_id: me.session_id, user_id: me.id, endpoint, ...keys })}
    on conflict (session_id) do update set endpoint = excluded.endpoint, p256dh = excluded.p256dh,
      auth = excluded.auth, failing_since = null
    returning ${columns(sql, PushSubscription)}`
  await sql`delete from push_subscriptions where id in (select id from push_subscriptions
    where user_id = ${me.id} order by id desc offset ${SUBSCRIPTIONS_PER_ACCOUNT_MAX})`
  return found(row)
}

type Draft = Pick<typeof PushSubscriptionDraft._output, 'endpoint' | 'keys'>

/** An account's devices with notices, and its settings for them. */
export const pushRoutes = (parts: Parts, sessions: Sessions) => {
  const services = new PushServices(parts)
  return new Elysia({ prefix: '/api/push' })
    .use(signedIn(parts, sessions))
    .post(
      '/subscriptions',
      async ({ me, body, caller, status }) => {
        if (parts.environment.WEB_PUSH === 'off') throw new Problem('not_found', 'This installation sends no notices')
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        if (!services.isEndpoint(body.endpoint)) {
          const errors = [{ path: 'endpoint', message: 'Must be an https URL of a push service' }]
          throw new Problem('validation_failed', undefined, { errors })
        }
        // Normalized, because hosts' shares go by the text of the endpoint.
        const endpoint = new URL(body.endpoint).href
        return status(201, await parts.write((sql) => subscribe(sql, me, { ...body, endpoint })))
      },
      {
        body: PushSubscriptionDraft,
        detail: { summary: 'Subscribe this device to Web Push', description: SUBSCRIBING, tags },
        response: answers({ 201: PushSubscription }, 'not_found', ...BODY_CODES, ...TOKEN_CODES),
      },
    )
    .delete(
      '/subscriptions',
      async ({ me, status }) => {
        await parts.sql`delete from push_subscriptions where session_id = ${me.session_id}`
        return status(204, undefined)
      },
      {
        detail: { summary: 'Unsubscribe this device from Web Push', tags },
        response: answers({ 204: Nothing }, ...TOKEN_CODES),
      },
    )
    .get('/settings', async ({ me }) => settingsOf(parts.sql, me.id), {
      detail: { summary: 'Get the account’s settings for notices on devices', description: SETTINGS, tags },
      response: answers({ 200: PushSettings }, ...TOKEN_CODES),
    })
    .put(
      '/settings',
      async ({ me, body, caller }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        return parts.write(async (sql) => {
          const [session] = await sql`select 1 from sessions where id = ${me.session_id} for key share`
          found(session, 'token_revoked')
          const { hide_content, quiet_hours } = { ...(await settingsOf(sql, me.id)), ...body }
          const row = { user_id: me.id, hide_content, quiet_hours: quiet_hours && sql.json({ ...quiet_hours }) }
          await sql`insert into push_settings ${sql(row)}
            on conflict (user_id) do update set hide_content = excluded.hide_content,
              quiet_hours = excluded.quiet_hours`
          return { hide_content, quiet_hours }
        })
      },
      {
        body: PushSettingsPatch,
        detail: {
          summary: 'Change the account’s settings for notices on devices',
          description: SETTINGS,
          tags,
        },
        response: answers({ 200: PushSettings }, ...BODY_CODES, ...TOKEN_CODES),
      },
    )
}
