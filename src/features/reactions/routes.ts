import { z } from 'zod'
import type { Parts } from '../../parts.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import { cursorList, slice } from '../../http/lists.ts'
import { PLACE_CODES } from '../../core/errors.ts'
import { CursorQuery } from '../../core/paging.ts'
import { answers, DecimalId, Emoji, Nothing, PublicUser } from '../../core/schema.ts'
import { customEmojiId } from '../../core/emoji.ts'
import { audit } from '../audit/record.ts'
import { messagePlace } from '../access/place.ts'
import { demand, guarded } from '../access/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { clearReactions, react, takeBack } from './react.ts'

const tags = ['Reactions']
const MessagePath = z.object({ message_id: DecimalId })
const ReactionPath = MessagePath.extend({ emoji: Emoji })
const OwnerPath = ReactionPath.extend({ user_id: DecimalId })

/** Low, because each sends an event to everyone who sees the message. */
const REACTIONS: BucketPolicy = { name: 'reactions', burst: 20, refillPerS: 4 }

const REACT = `Needs read_history; a new emoji on the message also needs add_reactions. In a dm the other account must
accept messages from the caller. At most 20 different emoji per message.`

export const reactionRoutes = (parts: Parts, sessions: Sessions) => {
  /** Removes everyone's reactions, and records that in the server's audit log. */
  const clear = (message_id: number, userId: number, emoji?: string) =>
    parts.write(async (sql, emit) => {
      const { place, clearedReactions } = await clearReactions(sql, emit, message_id, userId, emoji)
      const { author_id, channel_id, server_id } = place
      if (server_id === null || clearedReactions.length === 0) return
      const entry = { server_id, actor_id: userId, action: 'message.reactions_cleared' as const }
      const reactions = Object.fromEntries(clearedReactions.map(({ emoji: name, count }) => [name, count]))
      await audit(sql, entry, ['message', message_id], { author_id, channel_id, reactions }, null)
    })
  return guarded(parts, sessions)
    .put(
      '/api/messages/:message_id/reactions/:emoji/@me',
      async ({ params: { message_id, emoji }, me, caller, status }) => {
        await parts.limits.take(caller, REACTIONS, `user:${me.id}`)
        await parts.space.demand()
        await parts.write((sql, emit) => react(sql, emit, message_id, me.id, emoji))
        return status(204, undefined)
      },
      {
        params: ReactionPath,
        detail: { summary: 'React to a message', description: REACT, tags },
        response: answers(
          { 204: Nothing },
          'too_many_reactions',
          'forbidden',
          'cannot_contact',
          'storage_full',
          ...PLACE_CODES,
        ),
      },
    )
    .delete(
      '/api/messages/:message_id/reactions/:emoji/@me',
      async ({ params: { message_id, emoji }, me, caller, status }) => {
        await parts.limits.take(caller, REACTIONS, `user:${me.id}`)
        await parts.write((sql, emit) => takeBack(sql, emit, message_id, me.id, emoji))
        return status(204, undefined)
      },
      {
        params: ReactionPath,
        detail: { summary: 'Remove the caller’s reaction', tags },
        response: answers({ 204: Nothing }, ...PLACE_CODES),
      },
    )
    .delete(
      '/api/messages/:message_id/reactions/:emoji/:user_id',
      async ({ params: { message_id, emoji, user_id }, me, caller, status }) => {
        await parts.limits.take(caller, REACTIONS, `user:${me.id}`)
        await parts.write(async (sql, emit) => {
          const place = await takeBack(sql, emit, message_id, me.id, emoji, user_id)
          if (!place || user_id === me.id || place.server_id === null) return
          const { server_id, channel_id, author_id } = place
          const entry = { server_id, actor_id: me.id, action: 'message.reactions_cleared' as const }
          const before = { author_id, channel_id, reactions: { [emoji]: 1 } }
          await audit(sql, entry, ['message', message_id], before, null)
        })
        return status(204, undefined)
      },
      {
        params: OwnerPath,
        detail: { summary: 'Remove the reaction of another account (manage_messages)', tags },
        response: answers({ 204: Nothing }, ...PLACE_CODES),
      },
    )
    .get(
      '/api/messages/:message_id/reactions/:emoji',
      async ({ params: { message_id, emoji }, query, request, me }) => {
        const { permissions } = await messagePlace(parts.sql, message_id, me.id)
        demand(permissions, 'read_history')
        const custom = customEmojiId(emoji)
        const condition = custom === undefined ? parts.sql`= ${emoji}` : parts.sql`like ${`%:${custom}`}`
        return cursorList<PublicUser>(
          request,
          query,
          'oldest',
          (row) => row.id,
          (scan) => parts.sql`
            select u.id, u.display_name, u.avatar_file_id, u.kind from (
              select mr.user_id from message_reactions mr
              where mr.message_id = ${message_id} and mr.emoji = (
                select r.emoji from reaction_counts r where r.message_id = ${message_id}
                  and r.emoji ${condition} limit 1)
              and ${slice(parts.sql, 'mr.user_id', scan)}) reacted join users u on u.id = reacted.user_id`,
        )
      },
      {
        params: ReactionPath,
        query: CursorQuery,
        detail: { summary: 'List who reacted with an emoji, by id', tags },
        response: answers({ 200: z.array(PublicUser) }, ...PLACE_CODES),
      },
    )
    .delete(
      '/api/messages/:message_id/reactions/:emoji',
      async ({ params: { message_id, emoji }, me, status }) => {
        await clear(message_id, me.id, emoji)
        return status(204, undefined)
      },
      {
        params: ReactionPath,
        detail: { summary: 'Remove everyone’s reactions with an emoji (manage_messages)', tags },
        response: answers({ 204: Nothing }, ...PLACE_CODES),
      },
    )
    .delete(
      '/api/messages/:message_id/reactions',
      async ({ params: { message_id }, me, status }) => {
        await clear(message_id, me.id)
        return status(204, undefined)
      },
      {
        params: MessagePath,
        detail: { summary: 'Remove everyone’s reactions (manage_messages)', tags },
        response: answers({ 204: Nothing }, ...PLACE_CODES),
      },
    )
}
