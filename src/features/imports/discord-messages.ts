import { unicodeEmoji } from '../../core/emoji.ts'
import { FILES_PER_MESSAGE_MAX } from '../files/model.ts'
import { CONTENT_MAX, type Message, type NoticeData } from '../messages/model.ts'
import { REACTIONS_PER_MESSAGE_MAX } from '../reactions/model.ts'
import { type EmbedDraft, embedsOf } from './discord-embeds.ts'
import { type ExportedMessage, type ExportedSticker, isPictured } from './discord-format.ts'
import { nameOf, type Places, translate } from './discord-text.ts'
import { cleanName, inParts } from './names.ts'
import type { Report } from './report.ts'

/** Reactions per message, counting each person with each emoji. report.ts repeats the number. */
const REACTIONS_MAX = 50_000

/** A file that the export refers to. */
export interface FileDraft {
  filename: string
  address: string
}

/** A message to write. */
export interface MessageDraft {
  kind: Message['kind']
  author_id: number
  content: string
  mention_ids: number[]
  created_ms: number
  edited_ms: number | undefined
  is_pinned: boolean
  data: NoticeData | undefined
  /** Discord's ids of the messages that this one replies to, forwards, or announces as pinned. */
  reply_to: string | undefined
  forward_of: string | undefined
  pinned: string | undefined
  /** Text of the forwarded message. */
  forwarded: string | undefined
  files: FileDraft[]
  embeds: EmbedDraft[]
  /** The id of a sticker of this server. */
  sticker_id: number | undefined
  reactions: { emoji: string; user_ids: number[] }[]
}

/** Kinds whose text comes from the exporter, not from the author. DiscordChatExporter names only these. */
const NOTICES: Record<string, Message['kind']> = {
  RecipientAdd: 'recipient_added',
  RecipientRemove: 'recipient_removed',
  Call: 'call',
  ChannelNameChange: 'renamed',
  ChannelPinnedMessage: 'pinned',
  GuildMemberJoin: 'member_joined',
  ThreadCreated: 'thread_created',
}
/** Kind 21 repeats the message at which a thread began. */
const SKIPPED_KINDS = ['ChannelIconChange', '21']

const blank = {
  content: '',
  mention_ids: [],
  edited_ms: undefined,
  is_pinned: false,
  data: undefined,
  sticker_id: undefined,
  reply_to: undefined,
  forward_of: undefined,
  pinned: undefined,
  forwarded: undefined,
  files: [],
  embeds: [],
  reactions: [],
} satisfies Partial<MessageDraft>

/** Converts Discord's messages into this server's, and reports what has no equivalent. */
export class MessageConverter {
  constructor(
    private readonly places: Places,
    private readonly report: Report,
  ) {}

  /** Converts a message: into none, one, or several if it exceeds this server's limits. */
  convert(message: ExportedMessage): MessageDraft[] {
    const { id, type, author, timestamp } = message
    const author_id = this.places.account(author.id, nameOf(author))
    if (author_id === undefined) throw new Error(`Nobody stands for the author of message ${id}`)
    const head = { ...blank, author_id, created_ms: timestamp }
    const kind = NOTICES[type]
    if (kind) return [{ ...head, kind, ...this.#notice(message, kind) }]
    if (SKIPPED_KINDS.includes(type)) {
      this.report.note('kind', `${type} (message ${id})`)
      return []
    }
    const drafts = this.#defaultMessages(message)
    if (drafts.length > 0) return drafts.map((draft) => ({ ...head, kind: 'default', ...draft }))
    if (/^\d+$/.test(type)) this.report.note('kind', `number ${type} (message ${id})`)
    else this.report.note('empty', `message ${id}`)
    return []
  }

  #notice(message: ExportedMessage, kind: Message['kind']): Partial<MessageDraft> {
    const { content, mentions, reference, timestamp, callEndedTimestamp } = message
    if (kind === 'pinned') return { data: {}, pinned: reference?.messageId ?? undefined }
    if (kind === 'recipient_added' || kind === 'recipient_removed') {
      const user_id = mentions[0] && this.places.account(mentions[0].id)
      return { data: user_id === undefined ? {} : { user_id }, mention_ids: user_id === undefined ? [] : [user_id] }
    }
    if (kind === 'renamed') {
      const sentence = /^Changed the channel name(?:: (.*)|\.)$/s.exec(content ?? '')
      const name = sentence ? (sentence[1] ?? '') : (content ?? '')
      return { data: { name: cleanName(name, 100, '') } }
    }
    if (kind === 'thread_created') {
      const thread_id = this.places.channel(reference?.channelId ?? '')
      const name = cleanName(content === 'Started a thread.' ? '' : (content ?? ''), 100, '')
      return { data: thread_id === undefined ? { name } : { thread_id, name } }
    }
    if (kind !== 'call') return { data: {} }
    const [started_at, ended_at] = [timestamp, callEndedTimestamp ?? timestamp].map((ms) => new Date(ms).toISOString())
    return { data: { started_at, ended_at, participant_ids: [], missed: callEndedTimestamp === null } }
  }

  /** The author's text, in one or more parts. */
  #defaultMessages(message: ExportedMessage): Partial<MessageDraft>[] {
    const { id, forwardedMessage: forwarded, reference, stickers, timestampEdited } = message
    const where = `message ${id}`
    const { text, people } = translate(message.content ?? '', message, this.places)
    const allStickers = [...stickers, ...(forwarded?.stickers ?? [])]
    // A message here has one sticker; others become pictures.
    const stickerId = stickers.flatMap(({ id }) => (id ? (this.places.sticker(id) ?? []) : []))[0]
    const isSticker = ({ id }: ExportedSticker) =>
      !!id && stickerId !== undefined && this.places.sticker(id) === stickerId
    const pictures = allStickers.filter((sticker) => isPictured(sticker) && !isSticker(sticker))
    const names = allStickers
      .filter((sticker) => !isPictured(sticker))
      .map(({ name }) => cleanName(name, 64, 'sticker'))
    if (names.length > 0) this.report.note('sticker', names[0], names.length)
    const content = [text, ...names.map((name) => `[${name}]`)].filter((part) => part !== '').join('\n')
    const files = [
      ...[...message.attachments, ...(forwarded?.attachments ?? [])].map(({ fileName, url }) => ({
        filename: cleanName(fileName, 255, 'file'),
        address: url,
      })),
      ...pictures.map((sticker) => ({
        filename: `${cleanName(sticker.name, 200, 'sticker')}${/\.\w{1,5}$/.exec(sticker.sourceUrl ?? '')?.[0] ?? ''}`,
        address: sticker.sourceUrl ?? '',
      })),
    ]
    const embeds = embedsOf([...message.embeds, ...(forwarded?.embeds ?? [])], this.places, this.report, where)
    if (content === '' && files.length === 0 && embeds.length === 0 && !forwarded && stickerId === undefined) return []
    const contents = inParts(content, CONTENT_MAX)
    const count = Math.max(
      stickerId === undefined ? 0 : 1,
      contents.length,
      Math.ceil(files.length / FILES_PER_MESSAGE_MAX),
    )
    return Array.from({ length: count }, (_, at): Partial<MessageDraft> => {
      const partFiles = files.slice(at * FILES_PER_MESSAGE_MAX, (at + 1) * FILES_PER_MESSAGE_MAX)
      const part = { content: contents[at] ?? '', files: partFiles, edited_ms: timestampEdited ?? undefined }
      if (at > 0) return part
      return {
        ...part,
        embeds,
        sticker_id: stickerId,
        mention_ids: [...people].slice(0, 100),
        is_pinned: message.isPinned,
        reply_to: (message.type === 'Reply' ? reference?.messageId : undefined) ?? undefined,
        forward_of: (forwarded ? reference?.messageId : undefined) ?? undefined,
        // Mentions in the forwarded text become plain names: they do not notify.
        forwarded: forwarded ? translate(forwarded.content ?? '', message, NOBODY).text : undefined,
        reactions: this.#reactions(message, where),
      }
    })
  }

  #reactions({ reactions }: ExportedMessage, where: string): MessageDraft['reactions'] {
    const peopleByEmoji = new Map<string, Set<number>>()
    let total = 0
    for (const { emoji, count, users } of reactions) {
      const reactionEmoji = emoji.id ? this.places.emoji(emoji.id) : unicodeEmoji(emoji.name)
      if (
        reactionEmoji === undefined ||
        (!peopleByEmoji.has(reactionEmoji) && peopleByEmoji.size >= REACTIONS_PER_MESSAGE_MAX)
      ) {
        this.report.note('reaction', where)
        continue
      }
      const people = peopleByEmoji.get(reactionEmoji) ?? new Set()
      const leftOut = new Set<number>()
      for (const user of users) {
        const account = this.places.account(user.id, nameOf(user))
        if (account === undefined || people.has(account)) continue
        if (total >= REACTIONS_MAX) leftOut.add(account)
        else {
          people.add(account)
          total++
        }
      }
      if (people.size > 0) peopleByEmoji.set(reactionEmoji, people)
      if (leftOut.size > 0) this.report.note('reaction_many', where, leftOut.size)
      const unknownPeople = count - people.size - leftOut.size
      if (unknownPeople > 0) this.report.note('reaction_people', where, unknownPeople)
    }
    return [...peopleByEmoji].map(([emoji, people]) => ({ emoji, user_ids: [...people] }))
  }
}

const NOBODY: Places = {
  account: () => undefined,
  role: () => undefined,
  channel: () => undefined,
  emoji: () => undefined,
  sticker: () => undefined,
}
