import { z } from 'zod'
import { durable, ephemeral, type Payloads } from '../../core/events.ts'
import { Id, PublicUser, text, Time } from '../../core/schema.ts'
import { File, FILES_PER_MESSAGE_MAX } from '../files/model.ts'

const CONTENT_MAX = 4000

export const Message = z
  .object({
    id: Id,
    channel_id: Id,
    kind: z.literal('default'),
    author: PublicUser,
    member: z
      .object({ nickname: z.string().nullable(), role_ids: z.array(Id) })
      .nullable()
      .describe('the author as a member of the server; newer `member.updated` events supersede it; null for others'),
    content: z.string(),
    mention_ids: z.array(Id),
    reply_to_id: Id.nullable().describe('may point to a message that has been deleted'),
    files: z.array(File),
    nonce: z.string().nullable(),
    created_at: Time,
    edited_at: Time.nullable(),
    sender_id: Id.optional().describe('in a dm alone: the author'),
    recipient_id: Id.optional().describe('in a dm alone: the other one'),
    read_at: Time.nullable().optional().describe('in a dm alone: when its recipient marked it read; once set it stays'),
  })
  .meta({ title: 'Message' })
export type Message = z.infer<typeof Message>

const Content = text(0, CONTENT_MAX).meta({ example: 'A kingfisher, <@42>!' })

/** The fields of a draft, wherever the message goes. */
export const draftFields = {
  content: Content.default('').describe('may be empty if the message carries files'),
  file_ids: z
    .array(Id)
    .max(FILES_PER_MESSAGE_MAX)
    .refine((ids) => new Set(ids).size === ids.length, 'Must not repeat an id')
    .default([]),
  nonce: text(1, 64).optional().describe('the same nonce and request within 24 hours answers the original message'),
  reply_to_id: Id.nullable().default(null),
}
/** Demands text or files in a draft. */
export const demandContent = <S extends z.ZodType<{ content: string; file_ids: number[] }>>(draft: S) =>
  draft.refine(({ content, file_ids }) => content !== '' || file_ids.length > 0, {
    path: ['content'],
    message: `Must be 1 to ${CONTENT_MAX} characters long, unless the message carries files`,
  })

export const MessageDraft = demandContent(z.strictObject(draftFields))
export const MessageEdit = z.strictObject({ content: Content.describe('may be empty if the message carries files') })

const seers = 'members who see the channel; participants of a dm or group'
const unread_count = z.int().optional().describe('in a dm alone: unread messages of the own side')
const key = (d: { id: number }) => `message:${d.id}`

export const messageEvents = {
  'message.created': durable(Message.extend({ unread_count }), key, seers),
  'message.updated': durable(Message, key, seers),
  'message.deleted': durable(
    z.object({
      id: Id,
      channel_id: Id,
      last_message_id: Id.nullable()
        .optional()
        .describe('in a dm alone: null when the conversation shows no message any more'),
      unread_count,
    }),
    key,
    seers,
  ),
  'typing.started': ephemeral(
    z.object({
      channel_id: Id,
      user_id: Id.optional().describe('in a dm alone: the conversation, with the one who types'),
      user: PublicUser,
    }),
    `${seers}, but not the one who types in a dm`,
  ),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof messageEvents> {}
}

/** Further mentions of a message are ignored. */
const MENTIONS_MAX = 100

/** The ids of the accounts that a text mentions as `<@42>`. */
export function mentionsIn(content: string): number[] {
  const ids = [...content.matchAll(/<@(\d{1,15})>/g)].map((match) => Number(match[1]))
  return [...new Set(ids)].filter((id) => id > 0).slice(0, MENTIONS_MAX)
}
