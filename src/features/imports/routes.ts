import { Elysia } from 'elysia'
import { answers, Done } from '../../core/schema.ts'
import { BODY_CODES, TOKEN_CODES } from '../../core/errors.ts'
import type { WindowPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { signedIn } from '../sessions/identity.ts'
import type { Sessions } from '../sessions/store.ts'
import { useClaimLink } from './claims.ts'
import { AuthorClaim } from './model.ts'

const LINKS_USED: WindowPolicy = { name: 'claims', max: 30, windowS: 3600 }

/** Lets people claim their imported messages. */
export const importRoutes = (parts: Parts, sessions: Sessions) =>
  new Elysia().use(signedIn(parts, sessions)).post(
    '/api/users/@me/imported-messages',
    async ({ body: { token }, me, caller }) => {
      await parts.limits.take(caller, LINKS_USED, `user:${me.id}`)
      await parts.write((sql) => useClaimLink(sql, token, me.id))
      return { message: 'The messages will be yours within minutes.' }
    },
    {
      body: AuthorClaim,
      detail: {
        summary: 'Take over an imported author’s messages with a link that the operator made for this account',
        description:
          'Messages, files, reactions, mentions and threads move in batches; roles and permissions never do. ' +
          '`link_gone` also for a link that was made for another account.',
        tags: ['Users'],
      },
      response: answers({ 200: Done }, 'link_gone', 'not_found', ...BODY_CODES, ...TOKEN_CODES),
    },
  )
