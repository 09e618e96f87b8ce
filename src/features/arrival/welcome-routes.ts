import { z } from 'zod'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { BODY_CODES, PLACE_CODES } from '../../core/errors.ts'
import { answers, DecimalId } from '../../core/schema.ts'
import { guarded, lockedMembership } from '../access/guard.ts'
import { audit } from '../audit/record.ts'
import type { Sessions } from '../sessions/store.ts'
import { Welcome, WelcomeDraft } from './model.ts'
import { changeWelcome, selectWelcome } from './welcome.ts'

const tags = ['Arrival']
const params = z.object({ server_id: DecimalId })

/** Few, because each is in the audit log. */
const WELCOMES: BucketPolicy = { name: 'welcomes', burst: 20, refillPerS: 0.2 }

/** The first page that new members see. */
export const welcomeRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .get(
      '/api/servers/:server_id/welcome',
      async ({ params: { server_id }, me }) => selectWelcome(parts.sql, { server_id, user_id: me.id }),
      {
        params,
        member: 'none',
        detail: { summary: 'Get the welcome of a server to new members', tags },
        response: answers({ 200: Welcome }, ...PLACE_CODES),
      },
    )
    .put(
      '/api/servers/:server_id/welcome',
      async ({ params: { server_id }, me, caller, body }) => {
        await parts.limits.take(caller, WELCOMES, `user:${me.id}`)
        const member = { server_id, user_id: me.id }
        return parts.write(async (sql) => {
          await lockedMembership(sql, server_id, me.id, 'manage_server')
          const before = await selectWelcome(sql, member)
          await changeWelcome(sql, member, body)
          const after = await selectWelcome(sql, member)
          const entry = { server_id, actor_id: me.id, action: 'welcome.updated' as const }
          const fieldsOf = ({ content, channels }: Welcome) => ({
            welcome: content,
            channel_ids: channels.map(({ channel_id }) => channel_id),
          })
          await audit(sql, entry, ['server', server_id], fieldsOf(before), fieldsOf(after))
          return after
        })
      },
      {
        params,
        body: WelcomeDraft,
        member: 'manage_server',
        detail: { summary: 'Change the welcome of a server: a text and up to five channels', tags },
        response: answers({ 200: Welcome }, ...PLACE_CODES, ...BODY_CODES),
      },
    )
