import { z } from 'zod'

// DiscordChatExporter's JSON, as every version since the first one (2.18, February 2020) writes it. Unused fields are
// omitted. Versions differ in this:
//
// - 2.18 has no category, 2.20 only the name, 2.27 the id too: 0 and a name of the exporter's for none, until 2.40.
// - Before 2.26 direct messages have the guild "@me", later 0.
// - Kinds of channels and messages that a version did not know yet are numbers, such as 19 for a reply.
// - Before 2.38 notices have the text that Discord sent, such as only a channel's new name; later a sentence.
// - Mentions, replies, stickers, roles and people who reacted came later, so each may be missing.
// - Emoji that were deleted had the name null.

/** Discord's own limit is 4,000, and 6,000 for all embeds; the exporter may write names instead of ids. */
const CONTENT_UNITS_MAX = 65_536
const NAME_UNITS_MAX = 4_096
const ADDRESS_UNITS_MAX = 8_192
const PARTS_MAX = 1_000
const REACTING_MAX = 100_000
/** The epoch of Discord's ids. */
const BEGINNING_MS = Date.UTC(2015, 0, 1)
const DAY_MS = 86_400_000

/** A Discord id: 42 bits of time, 22 others. Stored as text, because a JavaScript number holds 53 bits. */
export const Snowflake = z
  .string()
  .refine((id) => /^[1-9]\d{0,18}$/.test(id) && BigInt(id) < 2n ** 63n, 'Must be an id')

/** An id that may be absent: older versions wrote 0 or an empty string instead. */
const OptionalSnowflake = z.preprocess((id) => (id === '0' || id === '' ? null : id), Snowflake.nullish())

const address = z.string().max(ADDRESS_UNITS_MAX).nullish()
const name = z.string().max(NAME_UNITS_MAX)
const words = z.string().max(CONTENT_UNITS_MAX).nullish()
const list = <T extends z.ZodType>(element: T, max = PARTS_MAX) =>
  z
    .array(element)
    .max(max)
    .nullish()
    .transform((elements) => elements ?? [])

/** A kind by name; older versions wrote its number. */
const kind = (names: Record<string, string>) =>
  z
    .string()
    .max(64)
    .transform((type) => names[type] ?? type)

const ChannelKind = kind({
  '0': 'GuildTextChat',
  '1': 'DirectTextChat',
  '2': 'GuildVoiceChat',
  '3': 'DirectGroupTextChat',
  '5': 'GuildNews',
  '10': 'GuildNewsThread',
  '11': 'GuildPublicThread',
  '12': 'GuildPrivateThread',
  '13': 'GuildStageVoice',
  '15': 'GuildForum',
})
const MessageKind = kind({ '18': 'ThreadCreated', '19': 'Reply' })

const Moment = z
  .string()
  .max(40)
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/, 'Must be a time')
  .transform((text) => Date.parse(text))
  .refine((ms) => ms >= BEGINNING_MS && ms < Date.now() + DAY_MS, 'Must be a time since 2015')

const Role = z.object({
  id: Snowflake,
  name,
  color: z.string().max(16).nullish(),
  position: z.number().default(0),
})

export const ExportedUser = z.object({
  id: Snowflake,
  name,
  nickname: name.nullish(),
  isBot: z.boolean().default(false),
  roles: list(Role),
  avatarUrl: address,
})
export type ExportedUser = z.infer<typeof ExportedUser>

/** The id is empty for Unicode emoji. */
const Emoji = z.object({
  id: z.string().max(20).nullish(),
  name: name.nullish().transform((text) => text ?? ''),
  imageUrl: address,
})
export type ExportedEmoji = z.infer<typeof Emoji>

const Attachment = z.object({ url: z.string().max(ADDRESS_UNITS_MAX), fileName: name })

const Picture = z.object({ url: address }).nullish()

const Embed = z.object({
  title: words,
  url: address,
  timestamp: z.string().max(40).nullish(),
  description: words,
  color: z.string().max(16).nullish(),
  author: z.object({ name: words, url: address }).nullish(),
  thumbnail: Picture,
  image: Picture,
  images: list(Picture),
  video: z.object({}).nullish(),
  footer: z.object({ text: words }).nullish(),
  fields: list(z.object({ name: words, value: words, isInline: z.boolean().default(false) })),
  inlineEmojis: list(Emoji),
})
export type ExportedEmbed = z.infer<typeof Embed>

const Sticker = z.object({ id: OptionalSnowflake, name, format: name.default(''), sourceUrl: address })

export type ExportedSticker = z.infer<typeof Sticker>

/** True for a sticker whose picture is in the export. A Lottie is no picture. */
export const isPictured = ({ format, sourceUrl }: ExportedSticker): boolean =>
  format !== 'Lottie' && !!sourceUrl && !/^https?:/i.test(sourceUrl)

const contentFields = {
  content: words,
  attachments: list(Attachment),
  embeds: list(Embed),
  stickers: list(Sticker),
}

export const ExportedMessage = z.object({
  id: Snowflake,
  type: MessageKind,
  timestamp: Moment,
  timestampEdited: Moment.nullish(),
  callEndedTimestamp: Moment.nullish(),
  isPinned: z.boolean().default(false),
  ...contentFields,
  author: ExportedUser,
  reactions: list(z.object({ emoji: Emoji, count: z.number().default(0), users: list(ExportedUser, REACTING_MAX) })),
  mentions: list(ExportedUser),
  reference: z
    .object({ type: z.string().max(64).nullish(), messageId: OptionalSnowflake, channelId: OptionalSnowflake })
    .nullish(),
  forwardedMessage: z.object(contentFields).nullish(),
  interaction: z.object({ name, user: ExportedUser }).nullish(),
  inlineEmojis: list(Emoji),
})
export type ExportedMessage = z.infer<typeof ExportedMessage>

/** The guild id of direct messages. */
export const DIRECT_MESSAGES = '0'

export const ExportedGuild = z.object({
  id: z.preprocess((id) => (id === '@me' ? DIRECT_MESSAGES : id), z.string().regex(/^\d{1,19}$/)),
  name,
  iconUrl: address,
})
export type ExportedGuild = z.infer<typeof ExportedGuild>

export const ExportedChannel = z.object({
  id: Snowflake,
  type: ChannelKind,
  // For a thread, its parent. Undefined if the version did not write this field, null if there is no category.
  categoryId: OptionalSnowflake,
  category: name.nullish(),
  name,
  topic: words,
})
export type ExportedChannel = z.infer<typeof ExportedChannel>

/** Names that versions without `categoryId` wrote for channels without a category. */
export const NO_CATEGORY = new Set(['Text', 'Private', 'Group', 'News', 'Store', 'Default'])

/** Creation time of an object on Discord, in ms since 1970. */
export const creationTime = (id: string): number => Number(BigInt(id) >> 22n) + 1_420_070_400_000
