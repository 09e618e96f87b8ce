import { z } from 'zod'
import { durable, type Payloads } from '../../core/events.ts'
import { Id } from '../../core/schema.ts'

/** Different emoji on one message. */
export const REACTIONS_PER_MESSAGE_MAX = 20

export const Reaction = z
  .object({
    id: Id.describe('another one when all have been removed and somebody begins again'),
    emoji: z.string().describe('an emoji of Unicode, or name:id of a custom one').meta({ example: '👍' }),
    count: z.int(),
    me: z.boolean().optional().describe('whether the account reacted with it; absent in events'),
  })
  .meta({ title: 'Reaction' })
export type Reaction = z.infer<typeof Reaction>

const ReactionChange = z.object({
  user_id: Id.nullable().describe('who reacted or took it back; null: a moderator removed those of everybody'),
  emoji: z.string().nullable().describe('null: all').meta({ example: '👍' }),
  on: z.boolean(),
})
export type ReactionChange = z.infer<typeof ReactionChange>

export const reactionEvents = {
  'message.reactions': durable(
    z.object({
      id: Id,
      channel_id: Id,
      reactions: z.array(Reaction),
      change: ReactionChange.optional().describe('absent when the reactions of a deleted account went'),
    }),
    (d) => `reactions:${d.id}`,
    'members who see the channel; participants of a dm or group',
  ),
  'reaction.mine': durable(
    z.object({
      message_id: Id,
      emoji: z.string().meta({ example: '👍' }),
      on: z.boolean(),
      reaction_id: Id.nullable().describe('the id of the reaction; null when it is off'),
    }),
    (d) => `reaction:${d.message_id}:${d.emoji}`,
    'your own sockets',
  ),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof reactionEvents> {}
}
