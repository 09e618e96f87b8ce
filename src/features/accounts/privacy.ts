import { Elysia } from 'elysia'
import { columns } from '../../database/database.ts'
import type { Parts } from '../../parts.ts'
import { BODY_CODES, found, TOKEN_CODES } from '../../core/errors.ts'
import { answers } from '../../core/schema.ts'
import { signedIn } from '../sessions/identity.ts'
import type { Sessions } from '../sessions/store.ts'
import { Privacy, PrivacyPatch } from './model.ts'

const tags = ['Accounts']

/** Settings for who may write to the account or send friend requests, and for link previews in direct messages. */
export const privacyRoutes = (parts: Parts, sessions: Sessions) =>
  new Elysia({ prefix: '/api/auth' })
    .use(signedIn(parts, sessions))
    .get(
      '/privacy',
      async ({ me }) => {
        const { sql } = parts
        const [privacy] = await sql<Privacy[]>`
          select ${columns(sql, Privacy)} from users where id = ${me.id} and deleted_at is null`
        return found(privacy, 'token_revoked')
      },
      {
        detail: { summary: 'Get who may write to the account and send it friend requests', tags },
        response: answers({ 200: Privacy }, ...TOKEN_CODES),
      },
    )
    .put(
      '/privacy',
      async ({ me, body }) =>
        parts.write(async (sql) => {
          // Wait until requests accepted under the old settings have ended.
          await sql`select 1 from users where id = ${me.id} for update`
          const [privacy] = await sql<Privacy[]>`update users set ${sql(body)}, updated_at = now()
            where id = ${me.id} and deleted_at is null returning ${columns(sql, Privacy)}`
          return found(privacy, 'token_revoked')
        }),
      {
        body: PrivacyPatch,
        detail: {
          summary: 'Change who may write to the account and send it friend requests',
          description: 'Existing friendships, pending requests and conversations stay.',
          tags,
        },
        response: answers({ 200: Privacy }, ...BODY_CODES, ...TOKEN_CODES),
      },
    )
