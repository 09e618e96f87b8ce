import { Elysia } from 'elysia'
import { z } from 'zod'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { found, SHAPE_CODES, TOKEN_CODES } from '../../core/errors.ts'
import { answers, DecimalId, PublicUser } from '../../core/schema.ts'
import { signedIn } from '../sessions/identity.ts'
import type { Sessions } from '../sessions/store.ts'
import { SEARCH_RESULTS_MAX, SearchQuery } from './model.ts'
import { searchUsers } from './search.ts'

const tags = ['Users']

/** Stricter than the general limit, against guessing usernames. */
const SEARCHES: BucketPolicy = { name: 'search', burst: 20, refillPerS: 0.5 }

/** Search for accounts, and their public profiles. */
export const userRoutes = (parts: Parts, sessions: Sessions) =>
  new Elysia({ prefix: '/api/users' })
    .use(signedIn(parts, sessions))
    .get(
      '/search',
      async ({ me, caller, query }) => {
        await parts.limits.take(caller, SEARCHES, `user:${me.id}`)
        return parts.read('people', (sql) => searchUsers(sql, me.id, query.q))
      },
      {
        query: SearchQuery,
        detail: {
          summary: 'Search accounts by whole username or part of the display name',
          description: `At most ${SEARCH_RESULTS_MAX}; the result does not say which of the two matched.`,
          tags,
        },
        response: answers({ 200: z.array(PublicUser) }, ...SHAPE_CODES, ...TOKEN_CODES),
      },
    )
    .get(
      '/:user_id',
      async ({ params, me }) => {
        const [row] = await parts.sql<{ user: PublicUser }[]>`
          select public_user(u) as user from users u where u.id = ${params.user_id} and (not ${me.is_guest} or exists (
            select from members own join members theirs using (server_id)
            where own.user_id = ${me.id} and theirs.user_id = u.id))`
        return found(row).user
      },
      {
        params: z.object({ user_id: DecimalId }),
        detail: {
          summary: 'Get the public profile of an account',
          description: 'To a guest, only of members of its server; 404 of others.',
          tags,
        },
        response: answers({ 200: PublicUser }, 'not_found', ...SHAPE_CODES, ...TOKEN_CODES),
      },
    )
