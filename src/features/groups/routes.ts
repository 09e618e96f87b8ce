import { z } from 'zod'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import { offsetList } from '../../http/lists.ts'
import { columns } from '../../database/database.ts'
import type { Parts } from '../../parts.ts'
import { BODY_CODES, Problem, PLACE_CODES, SHAPE_CODES, TOKEN_CODES } from '../../core/errors.ts'
import { OffsetQuery } from '../../core/paging.ts'
import { answers, DecimalId, NoBody, Nothing } from '../../core/schema.ts'
import { Channel, channelOf } from '../access/model.ts'
import { DirectChannelDraft } from '../groups/model.ts'
import { guarded } from '../access/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { createGroup, openDm } from './create.ts'
import { addParticipant, removeParticipant } from './participants.ts'

const tags = ['Direct messages']
const RecipientPath = z.object({ channel_id: DecimalId, user_id: DecimalId })

/** Stricter than the general limit, because a group reaches up to nine people at once. */
const GATHERINGS: BucketPolicy = { name: 'gatherings', burst: 20, refillPerS: 0.05 }

/** Low, because each may leave an empty dm behind. */
const OPENINGS: BucketPolicy = { name: 'openings', burst: 60, refillPerS: 0.5 }

/** Dms and groups: open, list, participants. */
export const groupRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .post(
      '/api/channels/direct',
      async ({ me, caller, body: { recipient_ids, nonce }, status }) => {
        if (recipient_ids.includes(me.id)) throw new Problem('cannot_target_self')
        await parts.space.demand()
        const [other = 0, ...more] = recipient_ids
        await parts.limits.take(caller, more.length > 0 ? GATHERINGS : OPENINGS, `user:${me.id}`)
        const { channel, isNew } = await parts.write((sql, emit) =>
          more.length === 0 ? openDm(sql, me.id, other) : createGroup(sql, emit, me.id, recipient_ids, nonce),
        )
        return isNew ? status(201, channel) : channel
      },
      {
        body: DirectChannelDraft,
        detail: {
          summary: 'Open the dm with an account (200 if it exists), or create a group of several friends',
          description:
            'The other account sees a dm once it has a message. A group needs friends who do not block each other.',
          tags,
        },
        response: answers(
          { 200: Channel, 201: Channel },
          'cannot_target_self',
          'cannot_contact',
          'not_found',
          'nonce_conflict',
          'too_many_groups',
          'storage_full',
          ...BODY_CODES,
          ...TOKEN_CODES,
        ),
      },
    )
    .get(
      '/api/channels/direct',
      async ({ me, query, request }) => {
        const rows = await offsetList<Channel>(
          request,
          query,
          (limit, offset) => parts.sql`
            select ${columns(parts.sql, Channel, 'c')}
            from conversations_of(${me.id}, ${limit + offset}) shown join channels c on c.id = shown.channel_id
            order by shown.active_at desc, c.id desc limit ${limit} offset ${offset}`,
        )
        return rows.map(channelOf)
      },
      {
        query: OffsetQuery,
        detail: { summary: 'List the caller’s groups and visible dms, most recently active first', tags },
        response: answers({ 200: z.array(Channel) }, ...SHAPE_CODES, ...TOKEN_CODES),
      },
    )
    .put(
      '/api/channels/:channel_id/recipients/:user_id',
      async ({ me, caller, params: { channel_id, user_id } }) => {
        await parts.limits.take(caller, GATHERINGS, `user:${me.id}`)
        return parts.write((sql, emit, notify) => addParticipant(sql, emit, notify, channel_id, me.id, user_id))
      },
      {
        params: RecipientPath,
        body: NoBody,
        detail: {
          summary: 'Add a friend to a group (any participant; only the owner for somebody who has left)',
          description:
            'The friend sees the whole history. A block between the friend and any participant prevents adding.',
          tags,
        },
        response: answers(
          { 200: Channel },
          'forbidden',
          'cannot_contact',
          'too_many_participants',
          'too_many_groups',
          ...PLACE_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .delete(
      '/api/channels/:channel_id/recipients/:user_id',
      async ({ me, params: { channel_id, user_id }, status }) => {
        await parts.write((sql, emit, notify) => removeParticipant(sql, emit, notify, channel_id, me.id, user_id))
        return status(204, undefined)
      },
      {
        params: RecipientPath,
        detail: {
          summary: 'Leave a group, or remove a participant (owner)',
          description:
            'If the owner leaves, the longest-standing participant becomes the owner; without any, it is deleted.',
          tags,
        },
        response: answers({ 204: Nothing }, 'forbidden', ...PLACE_CODES),
      },
    )
