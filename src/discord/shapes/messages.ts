import { customEmojiId } from '../../core/emoji.ts'
import type { Message } from '../../features/messages/model.ts'
import { discordText } from '../content.ts'
import type { FileLinks } from '../file-links.ts'
import type { Lookup } from '../lookup.ts'
import { discordComponents } from './components.ts'
import { discordEmbed } from './embeds.ts'
import { stickerItemOf } from './guilds.ts'
import { discordPoll } from './polls.ts'
import { discordTime, discordTimeOrNull, memberById, memberFields, userById, userOf } from './users.ts'

/** Discord's numbers of message types. */
const [DEFAULT, REPLY, COMMAND_ANSWER] = [0, 19, 20]
const NOTICES: Record<Message['kind'], number> = {
  default: DEFAULT,
  recipient_added: 1,
  recipient_removed: 2,
  call: 3,
  renamed: 4,
  pinned: 6,
  member_joined: 7,
  thread_created: 18,
  automod_alert: 24,
  poll_ended: 46,
  raid_alert: 37,
}
/** Discord's flags of a message. */
const [HIDES_EMBEDS, HAS_THREAD, IS_SILENT] = [4, 32, 4096]
export const IS_EPHEMERAL = 64

/** The place in which a message is seen. */
export interface Seen {
  /** The server; null in a dm. */
  server_id: number | null
  /** Addresses of files and pictures. */
  links: FileLinks
}

/** An emoji of a reaction or a button. @param emoji of Unicode, or name:id of a custom one */
export function partialEmoji(of: Lookup, emoji: string) {
  const id = customEmojiId(emoji)
  return id === undefined
    ? { id: null, name: emoji }
    : { id: of.id('emoji', id), name: emoji.split(':')[0] ?? '', animated: false }
}

const attachmentOf = (of: Lookup, links: FileLinks, file: Message['files'][number]) => ({
  id: of.id('file', file.id, file.created_at),
  filename: file.filename,
  size: file.size,
  content_type: file.content_type,
  ...(file.alt === null ? {} : { description: file.alt }),
  url: links.file(file.id, file.filename),
  proxy_url: links.file(file.id, file.filename),
  ...(file.width === null ? {} : { width: file.width, height: file.height }),
  ...(file.duration_ms === null ? {} : { duration_secs: file.duration_ms / 1000, waveform: file.waveform ?? '' }),
})

function authorOf(of: Lookup, { author, data }: Message) {
  const user = userOf(of, author)
  return author.kind === 'webhook' || data?.avatar_url ? { ...user, discriminator: '0000' } : user
}

/** The author as a member, with what only the member's row says. */
function authorMember(of: Lookup, server_id: number | null, { author, member }: Message) {
  if (server_id === null || !member) return {}
  const row = of.fact('member', `${server_id}:${author.id}`)
  const { nickname, role_ids } = member
  const joined_at = row?.joined_at ?? '1970-01-01T00:00:00.000Z'
  return {
    member: memberFields(of, { nickname, role_ids, joined_at, timed_out_until: row?.timed_out_until ?? null }),
  }
}

const mentionOf = (of: Lookup, server_id: number | null, id: number) => {
  const member = server_id === null ? undefined : memberById(of, server_id, id)
  return { ...userById(of, id), ...(member ? { member } : {}) }
}

function typeOf({ kind, reply_to_id, data }: Message): number {
  if (kind !== 'default') return NOTICES[kind]
  if (reply_to_id !== null) return REPLY
  return data?.answering?.name ? COMMAND_ANSWER : DEFAULT
}

function referenceOf(of: Lookup, { server_id }: Seen, { reply_to_id, channel_id, data, kind }: Message) {
  const messageId = kind === 'pinned' ? (data?.message_id ?? null) : reply_to_id
  if (messageId === null) return {}
  return {
    message_reference: {
      type: 0,
      message_id: of.id('message', messageId),
      channel_id: of.id('channel', channel_id),
      ...(server_id === null ? {} : { guild_id: of.id('server', server_id) }),
      fail_if_not_exists: false,
    },
  }
}

/** The person whose command, button or modal a message answers. The id is not kept, so the message's stands in. */
function askedBy(of: Lookup, id: string, { data }: Message) {
  const { answering } = data ?? {}
  if (!answering) return {}
  const user = userById(of, answering.user_id)
  const type = answering.name ? 2 : 3
  return {
    interaction_metadata: { id, type, user, authorizing_integration_owners: {} },
    ...(answering.name ? { interaction: { id, type, name: answering.name, user } } : {}),
  }
}

/** The parts of a message that a bot without the intent for content does not get. */
export const contentOf = (of: Lookup, { links }: Seen, message: Message) => ({
  content: discordText(message.content, of),
  embeds: message.embeds_suppressed ? [] : message.embeds.map((embed) => discordEmbed(embed, links.base)),
  attachments: message.files.map((file) => attachmentOf(of, links, file)),
  components: discordComponents(message.data?.components ?? []),
  ...(message.poll ? { poll: discordPoll(message.poll) } : {}),
})
export const NO_CONTENT = { content: '', embeds: [], attachments: [], components: [] }

/** A message without those parts. */
function messageFrame(of: Lookup, seen: Seen, message: Message) {
  const { server_id } = seen
  const id = of.id('message', message.id, message.created_at)
  const { author, data } = message
  return {
    id,
    type: typeOf(message),
    channel_id: of.id('channel', message.channel_id),
    author: authorOf(of, message),
    timestamp: discordTime(message.created_at),
    edited_timestamp: discordTimeOrNull(message.edited_at),
    tts: false,
    mention_everyone: message.mention_everyone || message.mention_here,
    mentions: message.mention_ids.map((user) => mentionOf(of, server_id, user)),
    mention_roles: message.mention_role_ids.map((role) => of.id('role', role)),
    mention_channels: [],
    pinned: message.pinned_at !== null,
    flags:
      (message.embeds_suppressed ? HIDES_EMBEDS : 0) |
      (message.thread ? HAS_THREAD : 0) |
      (data?.silent ? IS_SILENT : 0),
    ...(message.nonce === null ? {} : { nonce: message.nonce }),
    ...(author.kind === 'webhook' ? { webhook_id: of.id('user', author.id) } : {}),
    ...(data?.answering ? { application_id: of.id('user', author.id) } : {}),
    ...askedBy(of, id, message),
    ...referenceOf(of, seen, message),
    ...(message.sticker ? { sticker_items: [stickerItemOf(of, message.sticker)] } : {}),
    ...(message.reactions.length === 0
      ? {}
      : {
          reactions: message.reactions.map(({ emoji, count, me }) => ({
            emoji: partialEmoji(of, emoji),
            count,
            count_details: { burst: 0, normal: count },
            me: me ?? false,
            me_burst: false,
            burst_colors: [],
          })),
        }),
  }
}

/** A message as REST answers it. */
export const messageOf = (of: Lookup, seen: Seen, message: Message) => ({
  ...messageFrame(of, seen, message),
  ...contentOf(of, seen, message),
})

/** A message as an event tells of it: with its server and its author's membership. */
export const messageEvent = (of: Lookup, seen: Seen, message: Message) => ({
  ...messageFrame(of, seen, message),
  ...(seen.server_id === null ? {} : { guild_id: of.id('server', seen.server_id) }),
  ...authorMember(of, seen.server_id, message),
})
