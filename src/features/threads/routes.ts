import { z } from 'zod'
import { PLACE_CODES } from '../../core/errors.ts'
import { answers, DecimalId, Nothing } from '../../core/schema.ts'
import type { Parts } from '../../parts.ts'
import { guarded } from '../access/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { follow } from './follow.ts'

const tags = ['Channels']
const ChannelPath = z.object({ channel_id: DecimalId })

/** Followers of threads. Routes of any type of channel are in features/channels, lists in features/forums. */
export const threadRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .put(
      '/api/channels/:channel_id/followers/@me',
      async ({ params, me, status }) => {
        await parts.write((sql, emit) => follow(sql, emit, params.channel_id, me.id, true))
        return status(204, undefined)
      },
      {
        params: ChannelPath,
        detail: {
          summary: 'Follow a thread: its messages count as unread',
          description: 'Writing in a thread, or being mentioned there, follows it too.',
          tags,
        },
        response: answers({ 204: Nothing }, 'forbidden', ...PLACE_CODES),
      },
    )
    .delete(
      '/api/channels/:channel_id/followers/@me',
      async ({ params, me, status }) => {
        await parts.write((sql, emit) => follow(sql, emit, params.channel_id, me.id, false))
        return status(204, undefined)
      },
      {
        params: ChannelPath,
        detail: { summary: 'Unfollow a thread', tags },
        response: answers({ 204: Nothing }, 'forbidden', ...PLACE_CODES),
      },
    )
