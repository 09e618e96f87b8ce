import { z } from 'zod'
import { durable, ephemeral, type Payloads } from '../../core/events.ts'
import { Id, PublicUser, shownText, text, Time } from '../../core/schema.ts'
import { Answering, Components } from './components.ts'
import { File, FILES_PER_MESSAGE_MAX } from '../files/model.ts'
import { EmbedDrafts } from '../previews/embed-drafts.ts'
import { Embeds } from '../previews/model.ts'
import { Poll, PollDraft } from '../polls/model.ts'
import { ShownSticker } from '../stickers/model.ts'
import { Reaction } from '../reactions/model.ts'

export type { Component, Components, Modal } from './components.ts'

export const CONTENT_MAX = 4000

/** Details of notices, and of messages from bots and webhooks. */
const NoticeData = z
  .object({
    message_id: Id.describe('pinned, poll_ended: the message'),
    thread_id: Id.describe('thread_created'),
    user_id: Id.describe('recipient_added, recipient_removed: the account that the author added or removed'),
    name: z.string().describe('renamed: the new name; thread_created: the name of the thread'),
    started_at: Time.describe('call'),
    ended_at: Time.describe('call'),
    participant_ids: z.array(Id).describe('call: who took part'),
    missed: z.boolean().describe('call: nobody answered'),
    components: Components.describe('default, of a bot'),
    answering: Answering.describe('default, of a bot: what it answers'),
    avatar_url: z
      .string()
      .describe('default, of a webhook: the path of the picture that this message comes with')
      .meta({ example: '/media/previews/8c1f0d0c2b7a4e5f9a6b3c2d1e0f4a5b.webp' }),
    rule_id: Id.describe('automod_alert; `name` is the name of the rule'),
    hit_id: Id.describe('automod_alert: what moderators read of it'),
    place_id: Id.describe('automod_alert: the channel; absent for a name'),
    count: z.int().describe('automod_alert: how often within a minute; raid_alert: quarantined members'),
    since: Time.describe('raid_alert: the first join'),
    silent: z.boolean().describe('default, of a webhook: no device tells of it'),
  })
  .partial()
  .meta({ title: 'NoticeData' })
export type NoticeData = z.infer<typeof NoticeData>

export const Message = z
  .object({
    id: Id,
    channel_id: Id,
    kind: z
      .enum([
        'default',
        'member_joined',
        'pinned',
        'thread_created',
        'call',
        'recipient_added',
        'recipient_removed',
        'renamed',
        'automod_alert',
        'raid_alert',
        'poll_ended',
      ])
      .describe('the others tell what `author` did; `data` says more of it'),
    author: PublicUser,
    member: z
      .object({ nickname: z.string().nullable(), role_ids: z.array(Id) })
      .nullable()
      .describe('the author as a member of the server; newer `member.updated` events supersede it; null for others'),
    content: z.string(),
    mention_ids: z.array(Id).describe('the people named in the text, and the author of what is replied to'),
    mention_role_ids: z.array(Id),
    mention_everyone: z.boolean(),
    mention_here: z.boolean(),
    reply_to_id: Id.nullable().describe('may point to a message that has been deleted'),
    files: z.array(File),
    embeds: Embeds,
    embeds_suppressed: z.boolean().optional().describe('true where the embeds are hidden; otherwise absent'),
    reactions: z.array(Reaction).describe('in the order in which they began'),
    poll: Poll.optional().describe('absent without one'),
    sticker: ShownSticker.nullable().optional().describe('absent without one; null where it is gone'),
    forwarded: z
      .object({
        message_id: Id.nullable(),
        channel_id: Id.nullable(),
        author: PublicUser.nullable(),
        content: z.string().nullable().describe('as it was then; null when the original has been deleted'),
        sticker: ShownSticker.nullable().optional().describe('absent without one; null where it is gone'),
      })
      .nullable()
      .describe('a copy; only within one server, to people who may read the original: its place and its author'),
    thread: z
      .object({
        id: Id,
        name: z.string(),
        message_count: z.int(),
        last_message_id: Id.nullable(),
        last_message_at: Time.nullable(),
        archived_at: Time.nullable(),
      })
      .nullable()
      .describe('the thread that began at this message'),
    data: NoticeData.nullable().describe('by `kind`; null for `default`, unless a bot or webhook gave it more'),
    pinned_at: Time.nullable(),
    nonce: z.string().nullable(),
    created_at: Time,
    edited_at: Time.nullable(),
    sender_id: Id.optional().describe('only in a dm: the author'),
    recipient_id: Id.optional().describe('only in a dm: the other one'),
    read_at: Time.nullable().optional().describe('only in a dm: when its recipient marked it read; once set it stays'),
  })
  .meta({ title: 'Message' })
export type Message = z.infer<typeof Message>

const Content = shownText(CONTENT_MAX).meta({ example: 'A kingfisher, <@42>!' })

const Named = z.union([z.literal('all'), z.array(Id).max(100)]).default([])
const allowed_mentions = z
  .strictObject({ people: Named, roles: Named, everyone: z.boolean().default(false) })
  .optional()
  .describe('only of bots: which mentions in the text count; absent: all')
  .meta({ example: { people: [42], roles: [], everyone: false } })

const FileIds = z
  .array(Id)
  .max(FILES_PER_MESSAGE_MAX)
  .refine((ids) => new Set(ids).size === ids.length, 'Must not repeat an id')

/** Fields common to drafts for channels and dms. */
export const draftFields = {
  content: Content.default('').describe('may be empty if the message carries files'),
  file_ids: FileIds.default([]),
  nonce: text(1, 64).optional().describe('the same nonce and request within 24 hours answers the original message'),
  reply_to_id: Id.nullable().default(null),
  forward_message_id: Id.nullable()
    .default(null)
    .describe('a message that the caller may read: it goes along, with copies of its files'),
  components: Components.default([]).describe('only of bots'),
  embeds: EmbedDrafts.default([]),
  allowed_mentions,
  poll: PollDraft.nullable().default(null).describe('needs send_polls; a message with a poll cannot forward another'),
  sticker_id: Id.nullable()
    .default(null)
    .describe('of this server, or with use_external_emoji of another one; the message cannot forward another'),
  reply_mention: z.boolean().default(true).describe('whether a reply mentions the author of what it replies to'),
}
interface DraftContent {
  content: string
  file_ids: number[]
  forward_message_id: number | null
  components: unknown[]
  embeds: unknown[]
  poll: unknown
  sticker_id: unknown
}
/** Demands that a draft is not empty: it has text, files, a poll, a forward, or a bot's components or cards. */
export const demandContent = <S extends z.ZodType<DraftContent>>(draft: S) =>
  draft.refine(
    ({ content, file_ids, forward_message_id, components, embeds, poll, sticker_id }) =>
      content !== '' ||
      file_ids.length + components.length + embeds.length > 0 ||
      forward_message_id !== null ||
      poll !== null ||
      sticker_id !== null,
    {
      path: ['content'],
      message:
        `Must be 1 to ${CONTENT_MAX} characters long, unless the message has files, a poll or sticker, ` +
        'or forwards one',
    },
  )

export const MessageDraft = demandContent(z.strictObject(draftFields))
/** Messages to delete at once. */
export const BulkDeletion = z.strictObject({
  ids: z.array(Id).min(1).max(100).describe('what is not in the channel is left out'),
})
const Edited = Content.describe('may be empty if the message carries files')
export const TextEdit = z.strictObject({ content: Edited })
export const MessageEdit = z
  .strictObject({
    content: Edited.optional(),
    components: Components.optional().describe('only of bots: replace those before'),
    embeds: EmbedDrafts.optional(),
    allowed_mentions,
    file_ids: FileIds.optional().describe(
      'only of bots: all files of the message from now on, those it has and new uploads; others are deleted',
    ),
  })
  .refine((edit) => Object.values(edit).some((part) => part !== undefined), {
    path: ['content'],
    message: 'Change at least one field',
  })
  .meta({ example: { content: 'A kingfisher, <@42>!' } })

const seers = 'members who see the channel; participants of a dm or group'
const unread_count = z.int().optional().describe('only in a dm: your unread messages')
const request = z
  .enum(['waiting', 'ignored'])
  .optional()
  .describe('only in a dm that is a message request to you: notify of nothing')
const key = (d: { id: number }) => `message:${d.id}`

/** Messages that one `bulk` names. */
export const BULK_MAX = 100

export const messageEvents = {
  'message.created': durable(Message.extend({ unread_count, request }), key, seers),
  'message.updated': durable(Message, key, seers),
  'message.deleted': durable(
    z.object({
      id: Id,
      channel_id: Id,
      created_at: Time.describe('when the message was sent'),
      bulk: z
        .array(z.object({ id: Id, created_at: Time }))
        .max(BULK_MAX)
        .optional()
        .describe('only of messages that were deleted together: all of them with the first one, none with the others'),
      last_message_id: Id.nullable()
        .optional()
        .describe('only in a dm: null when the conversation shows no message any more'),
      unread_count,
    }),
    key,
    seers,
  ),
  'typing.started': ephemeral(
    z.object({
      channel_id: Id,
      user_id: Id.optional().describe('only in a dm: the conversation, with the one who types'),
      user: PublicUser,
    }),
    `${seers}, but not the one who types in a dm`,
  ),
}

declare module '../../core/events.ts' {
  interface Events extends Payloads<typeof messageEvents> {}
}
