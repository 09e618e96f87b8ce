import { Elysia } from 'elysia'
import type { Parts } from '../parts.ts'
import { TOKEN_CODES } from '../core/errors.ts'
import { answers } from '../core/schema.ts'
import { signedIn } from '../features/sessions/identity.ts'
import type { Sessions } from '../features/sessions/store.ts'
import { CREDENTIAL_SECONDS, iceServers } from './credentials.ts'
import { IceServers } from './model.ts'
import type { Turn } from './thread.ts'

/** STUN and TURN servers for the caller. Source: docs/voice.md. */
export const turnRoutes = (parts: Parts, sessions: Sessions, turn: Turn) =>
  new Elysia().use(signedIn(parts, sessions)).get(
    '/api/voice/ice-servers',
    async ({ me, caller }) => {
      const nowMs = Math.floor(Date.now() / 1000) * 1000
      return {
        ice_servers: iceServers(turn, me.id, caller.base, nowMs / 1000),
        expires_at: new Date(nowMs + CREDENTIAL_SECONDS * 1000).toISOString(),
      }
    },
    {
      detail: {
        summary: 'Get STUN and TURN servers',
        description: 'The credentials are good for 12 hours; an allocation made with them outlives that.',
        tags: ['Voice'],
      },
      response: answers({ 200: IceServers }, ...TOKEN_CODES),
    },
  )
