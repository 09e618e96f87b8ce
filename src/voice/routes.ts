import { z } from 'zod'
import { offsetList } from '../http/lists.ts'
import type { Parts } from '../parts.ts'
import { ROOM_CODES } from '../core/errors.ts'
import { OffsetQuery } from '../core/paging.ts'
import { answers, DecimalId } from '../core/schema.ts'
import { guarded } from '../features/servers/guard.ts'
import type { Sessions } from '../features/sessions/store.ts'
import { VoiceState } from './model.ts'
import type { Voice } from './voice.ts'

/** Who is present in a voice channel. Source: docs/voice.md. */
export const voiceRoutes = (parts: Parts, sessions: Sessions, voice: Voice) =>
  guarded(parts, sessions).get(
    '/api/channels/:channel_id/voice-states',
    async ({ channel, query, request }) =>
      offsetList(request, query, async (limit, offset) => voice.statesIn([channel.id]).slice(offset, offset + limit)),
    {
      params: z.object({ channel_id: DecimalId }),
      query: OffsetQuery,
      channel: 'none',
      detail: { summary: 'List who is present in a voice channel, in the order in which they came', tags: ['Voice'] },
      response: answers({ 200: z.array(VoiceState) }, ...ROOM_CODES),
    },
  )
