import type { types } from 'mediasoup'
import { z } from 'zod'
import { offsetList } from '../http/lists.ts'
import type { Parts } from '../parts.ts'
import { BODY_CODES, PLACE_CODES, TOKEN_CODES } from '../core/errors.ts'
import { OffsetQuery } from '../core/paging.ts'
import { answers, DecimalId } from '../core/schema.ts'
import { guarded } from '../features/access/guard.ts'
import type { Sessions } from '../features/sessions/store.ts'
import type { WindowPolicy } from '../http/limits/limiter.ts'
import { SfuTest, SfuTestDraft, VoiceState } from './model.ts'
import type { Voice } from './voice.ts'

/** Testing a connection takes two of these: UDP and TCP. */
const TESTS: WindowPolicy = { name: 'sfu_tests', max: 20, windowS: 300 }

const StatesQuery = OffsetQuery.extend({
  part: z.enum(['speakers', 'listeners']).optional().describe('only these members of a stage'),
})

/** Members present in a voice channel, and tests of the path to the SFU. Source: docs/voice.md. */
export const voiceRoutes = (parts: Parts, sessions: Sessions, voice: Voice) =>
  guarded(parts, sessions)
    .get(
      '/api/channels/:channel_id/voice-states',
      async ({ channel, query: { part, ...page }, request }) =>
        offsetList(request, page, async (limit, offset) => {
          const all = voice.statesIn([channel.id])
          const states = part === undefined ? all : all.filter(({ stage }) => stage?.speaks === (part === 'speakers'))
          return states.slice(offset, offset + limit)
        }),
      {
        params: z.object({ channel_id: DecimalId }),
        query: StatesQuery,
        channel: 'none',
        detail: {
          summary: 'List who is present in a voice channel or stage, in the order in which they came',
          tags: ['Voice'],
        },
        response: answers({ 200: z.array(VoiceState) }, ...PLACE_CODES),
      },
    )
    .post(
      '/api/voice/sfu-tests',
      async ({ me, caller, body, status }) => {
        await parts.limits.take(caller, TESTS, `user:${me.id}`)
        const { ice_parameters, ice_candidates, dtls_parameters, router_rtp_capabilities, transport_id } =
          await voice.tests.open(body.fingerprints as types.DtlsFingerprint[])
        return status(201, {
          transport_id,
          ice_parameters: { ...ice_parameters },
          ice_candidates: ice_candidates.map((candidate) => ({ ...candidate })),
          dtls_parameters: { ...dtls_parameters },
          router_rtp_capabilities: { ...router_rtp_capabilities },
        })
      },
      {
        body: SfuTestDraft,
        detail: {
          summary: 'Open a transport to the SFU that tests the way to it',
          description:
            'Complete ICE and DTLS with it, as the DTLS client; nothing is sent over it. It ends after 15 s.',
          tags: ['Voice'],
        },
        response: answers({ 201: SfuTest }, ...TOKEN_CODES, ...BODY_CODES, 'media_unavailable', 'rate_limited'),
      },
    )
