import { z } from 'zod'
import { durable, type Payloads } from '../../core/events.ts'
import { Id, PublicUser, Time } from '../../core/schema.ts'
import { File } from '../files/model.ts'
import { contentFields, demandContent } from '../messages/model.ts'

export const DirectMessage = z
  .object({
    id: Id,
    sender_id: Id,
    recipient_id: Id,
    content: z.string(),
    files: z.array(File),
    nonce: z.string().nullable(),
    created_at: Time,
    edited_at: Time.nullable(),
    read_at: Time.nullable().describe('when its recipient marked it read; once set it stays'),
  })
  .meta({ title: 'DirectMessage' })
export type DirectMessage = z.infer<typeof DirectMessage>

const unread_count = z.int().describe('unread messages of the own side')

export const Conversation = z
  .object({ user: PublicUser, last_message: DirectMessage.nullable(), unread_count })
  .meta({ title: 'Conversation' })
export type Conversation = z.infer<typeof Conversation>

/** A conversation in the gateway's `ready`. */
export const ConversationMark = z
  .object({ user_id: Id, last_message_id: Id, unread_count })
  .meta({ title: 'ConversationMark' })

export const DirectDraft = demandContent(z.strictObject({ recipient_id: Id, ...contentFields }))

const both = 'both users'
const key = (d: { id: number }) => `dm:${d.id}`

export const dmEvents = {
  'dm.created': durable(DirectMessage.extend({ unread_count }), key, both),
  'dm.updated': durable(DirectMessage, key, both),
  'dm.deleted': durable(
    z.object({
      id: Id,
      sender_id: Id,
      recipient_id: Id,
      last_message_id: Id.nullable().describe('null when the conversation shows no message any more'),
      unread_count,
    }),
    key,
    both,
  ),
  'dm.read': durable(
    z.object({
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
  'dm.pruned': durable(
    z.object({
      user_id: Id.describe('the conversation: with this account'),
      before_id: Id.describe('every message of the conversation with a smaller id has been deleted by its age'),
      last_message_id: Id.nullable().describe('null when the conversation shows no message any more'),
      unread_count,
    }),
    (d) => `dm_pruned:${d.user_id}`,
    both,
  ),
  'dm.hidden': durable(
    z.object({ user_id: Id, message_id: Id.describe('hidden until there is a newer message than this') }),
    (d) => `dm_hidden:${d.user_id}`,
    'the own sockets',
  ),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof dmEvents> {}
}
