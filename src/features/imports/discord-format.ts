import { z } from 'zod'

// What DiscordChatExporter writes: DiscordChatExporter.Core/Exporting/JsonMessageWriter.cs of its version 2.46. Fields
// that the import needs not are left out; those that older versions lack may be missing.

/** Discord's own limit is 4,000, and 6,000 for all embeds; the exporter may write names in place of ids. */
const CONTENT_UNITS_MAX = 65_536
const NAME_UNITS_MAX = 4_096
const ADDRESS_UNITS_MAX = 8_192
const PARTS_MAX = 1_000
const REACTING_MAX = 100_000
/** When Discord began: the beginning of its ids' time. */
const BEGINNING_MS = Date.UTC(2015, 0, 1)
const DAY_MS = 86_400_000

/** An id of Discord: 42 bits of time, 22 of others. It is kept as text, for numbers of JavaScript hold 53. */
export const Snowflake = z
  .string()
  .regex(/^[1-9]\d{0,18}$/, 'Must be an id')
  .refine((id) => BigInt(id) < 2n ** 63n, 'Must be an id')

const address = z.string().max(ADDRESS_UNITS_MAX).nullish()
const name = z.string().max(NAME_UNITS_MAX)
const words = z.string().max(CONTENT_UNITS_MAX).nullish()
const list = <T extends z.ZodType>(of: T, max = PARTS_MAX) => z.array(of).max(max).default([])

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

/** Of Unicode's emoji the id is empty. */
const Emoji = z.object({ id: z.string().max(20).nullish(), name, imageUrl: address })
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

const Sticker = z.object({ name, format: name.default(''), sourceUrl: address })

const carried = {
  content: words,
  attachments: list(Attachment),
  embeds: list(Embed),
  stickers: list(Sticker),
}

export const ExportedMessage = z.object({
  id: Snowflake,
  type: z.string().max(64),
  timestamp: Moment,
  timestampEdited: Moment.nullish(),
  callEndedTimestamp: Moment.nullish(),
  isPinned: z.boolean().default(false),
  ...carried,
  author: ExportedUser,
  reactions: list(z.object({ emoji: Emoji, count: z.number().default(0), users: list(ExportedUser, REACTING_MAX) })),
  mentions: list(ExportedUser),
  reference: z
    .object({ type: z.string().max(64).nullish(), messageId: Snowflake.nullish(), channelId: Snowflake.nullish() })
    .nullish(),
  forwardedMessage: z.object(carried).nullish(),
  interaction: z.object({ name, user: ExportedUser }).nullish(),
  inlineEmojis: list(Emoji),
})
export type ExportedMessage = z.infer<typeof ExportedMessage>

export const ExportedGuild = z.object({ id: z.string().regex(/^\d{1,19}$/), name, iconUrl: address })
export type ExportedGuild = z.infer<typeof ExportedGuild>

export const ExportedChannel = z.object({
  id: Snowflake,
  type: z.string().max(64),
  // Of a thread, its parent.
  categoryId: Snowflake.nullish(),
  category: name.nullish(),
  name,
  topic: words,
})
export type ExportedChannel = z.infer<typeof ExportedChannel>

/** When a thing of Discord's was made, in ms since 1970. */
export const madeAt = (id: string): number => Number(BigInt(id) >> 22n) + 1_420_070_400_000
