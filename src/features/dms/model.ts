import { z } from 'zod'
import { durable, type Payloads } from '../../core/events.ts'
import { Id, PublicUser, Time } from '../../core/schema.ts'
import { demandContent, draftFields, Message } from '../messages/model.ts'

export const DirectMessage = Message.extend({
  sender_id: Id,
  recipient_id: Id,
  read_at: Time.nullable().describe('when its recipient marked it read; once set it stays'),
}).meta({ title: 'DirectMessage' })
export type DirectMessage = z.infer<typeof DirectMessage>

const unread_count = z.int().describe('your unread messages')

const request = z
  .enum(['waiting', 'ignored'])
  .nullable()
  .describe('a stranger began it and you have not accepted that: notify of nothing, cover its pictures; only you know')

export const Conversation = z
  .object({ channel_id: Id, user: PublicUser, last_message: DirectMessage.nullable(), unread_count, request })
  .meta({ title: 'Conversation' })
export type Conversation = z.infer<typeof Conversation>

/** A dm or group in the gateway's `ready`. */
export const ConversationMark = z
  .object({
    channel_id: Id,
    user_id: Id.nullable().describe('the other one in a dm; null for a group'),
    last_message_id: Id.nullable().describe('null for a group without messages'),
    unread_count: z.int().nullable().describe('unread messages of a dm; a group has a read mark instead: null'),
    request,
  })
  .meta({ title: 'ConversationMark' })

export const DirectDraft = demandContent(z.strictObject({ recipient_id: Id, ...draftFields }))

export const RequestAnswer = z.strictObject({ state: z.enum(['accepted', 'ignored']) })

const RequestChange = z.object({ channel_id: Id, user_id: Id.describe('who wrote'), request })

export const dmEvents = {
  'dm.request': durable(RequestChange, (d) => `request:${d.channel_id}`, 'your own sockets'),
  'dm.read': durable(
    z.object({
      channel_id: Id,
      sender_id: Id,
      recipient_id: Id.describe('who has read'),
      message_id: Id,
      all: z.boolean().describe('whether every earlier message of this sender is read too'),
      read_at: Time.describe('of those that were not read before'),
      unread_count,
    }),
    (d) => `dm_read:${d.sender_id}:${d.recipient_id}:${d.message_id}:${d.all}`,
    'both users; the sender only while the reader does not block it',
  ),
  'dm.hidden': durable(
    z.object({
      channel_id: Id,
      user_id: Id,
      message_id: Id.describe('hidden until there is a newer message than this'),
    }),
    (d) => `dm_hidden:${d.user_id}`,
    'your own sockets',
  ),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof dmEvents> {}
}
