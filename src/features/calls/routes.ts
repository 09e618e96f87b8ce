import { z } from 'zod'
import type { Parts } from '../../parts.ts'
import { BODY_CODES, PLACE_CODES } from '../../core/errors.ts'
import { answers, DecimalId, NoBody, Nothing } from '../../core/schema.ts'
import { guarded } from '../access/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { declineCall } from './call.ts'

/** Calls of dms and groups. The gateway's `voice.join` joins them. */
export const callRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions).post(
    '/api/channels/:channel_id/call/decline',
    async ({ me, params: { channel_id }, status }) => {
      await parts.write((sql, emit) => declineCall(sql, emit, channel_id, me.id))
      return status(204, undefined)
    },
    {
      params: z.object({ channel_id: DecimalId }),
      body: NoBody,
      detail: {
        summary: 'Decline the ringing call of a dm or group; all devices of the caller stop ringing',
        description: 'Does nothing if no call rings. The call can still be joined while it lasts.',
        tags: ['Voice'],
      },
      response: answers({ 204: Nothing }, ...PLACE_CODES, ...BODY_CODES),
    },
  )
