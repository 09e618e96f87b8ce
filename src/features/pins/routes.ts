import { z } from 'zod'
import type { Parts } from '../../parts.ts'
import { PLACE_CODES } from '../../core/errors.ts'
import { OffsetQuery } from '../../core/paging.ts'
import { answers, DecimalId, Nothing } from '../../core/schema.ts'
import { json } from '../../http/answers.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import { offsetList } from '../../http/lists.ts'
import { Message } from '../messages/model.ts'
import { bodiesWithMine } from '../reactions/mine.ts'
import { guarded } from '../access/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { setPinned } from './pin.ts'

const tags = ['Pins']
const ChannelPath = z.object({ channel_id: DecimalId })
const PinPath = ChannelPath.extend({ message_id: DecimalId })

/** Low, because a pin posts a message in the channel. */
const PINS: BucketPolicy = { name: 'pins', burst: 10, refillPerS: 0.5 }

export const pinRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .put(
      '/api/channels/:channel_id/pins/:message_id',
      async ({ params, me, caller, status }) => {
        await parts.limits.take(caller, PINS, `user:${me.id}`)
        await parts.space.demand()
        await parts.write((sql, emit) => setPinned(sql, emit, params, me.id, true))
        return status(204, undefined)
      },
      {
        params: PinPath,
        detail: {
          summary: 'Pin a message (pin_messages; in a dm or group any participant), at most 250 per channel',
          tags,
        },
        response: answers(
          { 204: Nothing },
          'too_many_pins',
          'forbidden',
          'cannot_contact',
          'storage_full',
          ...PLACE_CODES,
        ),
      },
    )
    .delete(
      '/api/channels/:channel_id/pins/:message_id',
      async ({ params, me, caller, status }) => {
        await parts.limits.take(caller, PINS, `user:${me.id}`)
        await parts.write((sql, emit) => setPinned(sql, emit, params, me.id, false))
        return status(204, undefined)
      },
      {
        params: PinPath,
        detail: { summary: 'Unpin a message (pin_messages; in a dm or group any participant)', tags },
        response: answers({ 204: Nothing }, 'cannot_contact', ...PLACE_CODES),
      },
    )
    .get(
      '/api/channels/:channel_id/pins',
      async ({ params: { channel_id }, query, request, me }) => {
        const rows = await offsetList(
          request,
          query,
          (limit, offset) => parts.sql<{ body: string }[]>`
            select wire.body::text as body from messages m cross join lateral message_wire(m, ${me.id}) wire
            where m.channel_id = ${channel_id} and m.pinned_at is not null
              and not is_requested(${me.id}, ${channel_id})
            order by m.pinned_at desc, m.id desc limit ${limit} offset ${offset}`,
        )
        const bodies = rows.map((row) => row.body)
        return json(`[${(await bodiesWithMine(parts.sql, me.id, bodies)).join(',')}]`)
      },
      {
        params: ChannelPath,
        query: OffsetQuery,
        channel: 'read_history',
        detail: { summary: 'List the pinned messages, newest pin first', tags },
        response: answers({ 200: z.array(Message) }, ...PLACE_CODES),
      },
    )
