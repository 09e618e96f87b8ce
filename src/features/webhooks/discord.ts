import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import { unicodeEmoji } from '../../core/emoji.ts'
import { isReserved } from '../../core/look-alikes.ts'
import { showsNothing } from '../../core/markup/references.ts'
import { text } from '../../core/schema.ts'
import { validationProblem } from '../../core/validation.ts'
import { withoutHidden } from '../../core/visible.ts'
import { CONTENT_MAX, type Message } from '../messages/model.ts'
import { ANSWERS_MAX, PollDraft } from '../polls/model.ts'
import { type Embed, Embeds } from '../previews/model.ts'
import type { Hook } from './door.ts'
import { avatarOf, withoutPictures } from '../previews/embed-pictures.ts'
import { WebhookName } from './model.ts'
import { colorOf, linkOf, listAt, textAt, timeOf, valueAt } from './payload.ts'
import type { AllowedMentions } from '../../core/markup/references.ts'
import type { Post, PostEdit, PostFlags } from './post.ts'

/** An invisible character for embed fields without name or value, which some senders omit. */
const BLANK = '\u200b'
/** The supported flags of a Discord message: SUPPRESS_EMBEDS and SUPPRESS_NOTIFICATIONS. */
const [HIDES_EMBEDS, IS_SILENT] = [4, 4096]
/** Ids per list in `allowed_mentions`. */
const NAMED_MAX = 100

/** An optional text or number; a blank one counts as missing. */
const optionalText = (max: number) =>
  z.preprocess((value) => {
    const plain = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
    return plain === undefined || (typeof plain === 'string' && plain.trim() === '') ? null : plain
  }, text(1, max).nullable())

/** A lenient field of any type, parsed from its text. */
const parsedText = (parse: (text: string) => string | null) =>
  z.preprocess((value) => parse(textAt({ value }, 'value')), z.string().nullable())

const url = parsedText(linkOf)

const Field = z.object({
  name: optionalText(256).transform((name) => name ?? BLANK),
  value: optionalText(1024).transform((value) => value ?? BLANK),
  inline: z.preprocess((inline) => inline === true || inline === 'true', z.boolean()),
})

const EmbedBody = z.object({
  title: optionalText(256),
  description: optionalText(4096),
  url,
  color: parsedText(colorOf),
  timestamp: parsedText(timeOf),
  footer: z.object({ text: optionalText(2048) }).nullish(),
  author: z.object({ name: optionalText(256), url }).nullish(),
  provider: z.object({ name: optionalText(256) }).nullish(),
  fields: z.array(Field).max(25).nullish(),
  image: z.object({ url }).nullish().catch(null),
  thumbnail: z.object({ url }).nullish().catch(null),
})

const embedOf = (embed: z.infer<typeof EmbedBody>): Embed => ({
  type: 'rich',
  url: embed.url,
  title: embed.title,
  description: embed.description,
  color: embed.color,
  site_name: embed.provider?.name ?? null,
  author: embed.author?.name ? { name: embed.author.name, url: embed.author.url } : null,
  fields: embed.fields ?? [],
  image: null,
  thumbnail: null,
  footer: embed.footer?.text ?? null,
  timestamp: embed.timestamp,
})

const EmbedBodies = z
  .preprocess((value) => value ?? [], z.array(EmbedBody).max(10))
  .transform((embeds) =>
    embeds.map((embed) => ({
      embed: embedOf(embed),
      image: embed.image?.url ?? null,
      thumbnail: embed.thumbnail?.url ?? null,
    })),
  )
const EmbedList = z.object({ embeds: Embeds })

const Content = optionalText(CONTENT_MAX).transform((content) =>
  content === null || showsNothing(content) ? '' : content,
)

const AnswerBody = z.object({
  poll_media: z.object({ text: z.string(), emoji: z.object({ name: z.string().nullish() }).nullish() }),
})

/** Discord's poll; emoji that are not of Unicode are left out. */
export const PollBody = z
  .object({
    question: z.object({ text: z.string() }),
    answers: z.array(AnswerBody).max(ANSWERS_MAX),
    duration: z.int().optional(),
    allow_multiselect: z.boolean().default(false),
  })
  .transform(({ question, answers, duration, allow_multiselect }): z.input<typeof PollDraft> => ({
    question: question.text,
    answers: answers.map(({ poll_media: { text: answer, emoji } }) => ({
      text: answer,
      emoji: unicodeEmoji(emoji?.name ?? '') ?? null,
    })),
    multiple: allow_multiselect,
    ...(duration === undefined ? {} : { hours: duration }),
  }))
  .pipe(PollDraft)

const PostBody = z.object({
  content: Content,
  username: z.preprocess((name) => lineOf(name), WebhookName.nullable()),
  avatar_url: url,
  embeds: EmbedBodies,
  poll: PollBody.nullish(),
})

/** A name as one line with control characters replaced by spaces; undefined if it is blank or not allowed. */
function lineOf(value: unknown): unknown {
  const name = typeof value === 'number' ? String(value) : (value ?? null)
  if (typeof name !== 'string') return name
  const line = withoutHidden(name.slice(0, 1000))
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .trim()
  return line === '' || isReserved(line) ? null : line
}

/** `flags`; undefined if missing. */
function flagsOf(body: unknown): PostFlags | undefined {
  const digits = textAt(body, 'flags')
  if (!/^\d{1,10}$/.test(digits)) return undefined
  const flags = Number(digits)
  return { hidesEmbeds: (flags & HIDES_EMBEDS) !== 0, isSilent: (flags & IS_SILENT) !== 0 }
}

/** `allowed_mentions`; undefined if missing. */
function mentionsOf(body: unknown): AllowedMentions | undefined {
  if ((valueAt(body, 'allowed_mentions') ?? null) === null) return undefined
  const parse = new Set(listAt(body, 'allowed_mentions', 'parse'))
  const ids = (name: string) => listAt(body, 'allowed_mentions', name).slice(0, NAMED_MAX).map(Number)
  return {
    people: parse.has('users') ? 'all' : ids('users'),
    roles: parse.has('roles') ? 'all' : ids('roles'),
    everyone: parse.has('everyone'),
  }
}

function parseBody<S extends z.ZodType>(schema: S, body: unknown): z.infer<S> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Problem('bad_request', 'The body is not an object')
  const { data, error } = schema.safeParse(body)
  if (error) throw validationProblem(error, 'body')
  return data
}

/**
 * Parses the body of Discord's "execute webhook".
 * @param hasPictures true if pictures are fetched
 * @throws Problem `validation_failed`, `bad_request`
 */
export function discordPost(body: unknown, hasPictures: boolean): Post {
  const { content, username, avatar_url, poll, ...fields } = parseBody(PostBody, body)
  const { embeds, pictures } = withoutPictures(fields.embeds, hasPictures)
  return {
    content,
    ...parseBody(EmbedList, { embeds }),
    pictures: [...avatarOf(avatar_url, hasPictures), ...pictures],
    author_name: username,
    poll: poll ?? undefined,
    mentions: mentionsOf(body),
    flags: flagsOf(body),
  }
}

/** Parses the body of Discord's "edit webhook message"; absent fields stay unchanged. @throws Problem as discordPost */
export function discordEdit(body: unknown, hasPictures: boolean): PostEdit {
  const { content, ...fields } = parseBody(PostBody, body)
  const { embeds, pictures } = withoutPictures(fields.embeds, hasPictures)
  return {
    ...(valueAt(body, 'content') === undefined ? {} : { content }),
    ...(valueAt(body, 'embeds') === undefined ? {} : { ...parseBody(EmbedList, { embeds }), pictures }),
    mentions: mentionsOf(body),
    hidesEmbeds: flagsOf(body)?.hidesEmbeds,
  }
}

/** A picture as a data URI: its type, then base64. */
const DATA_URI = /^data:(image\/[a-z0-9.+-]{1,40});base64,/i

const ChangeBody = z.object({
  name: z.preprocess((name) => (typeof name === 'string' ? name.trim() : name), WebhookName.optional()),
  avatar: z
    .string()
    .refine((uri) => DATA_URI.test(uri.slice(0, 80)), 'Must be a picture as data:image/…;base64,…')
    .transform((uri) => {
      const [head = '', type = ''] = DATA_URI.exec(uri.slice(0, 80)) ?? []
      return { type, bytes: new Uint8Array(Buffer.from(uri.slice(head.length), 'base64')) }
    })
    .nullish(),
})

/** Parses the body of Discord's "modify webhook"; absent fields stay unchanged. @throws Problem as discordPost */
export const discordChange = (body: unknown): z.infer<typeof ChangeBody> => parseBody(ChangeBody, body)

/** A webhook in Discord's format. */
export const discordWebhook = ({ id, name, channel_id, server_id }: Hook) => ({
  id: String(id),
  type: 1,
  name,
  // Some clients upload their own avatar if this is null, so pretend that there is one.
  avatar: 'parley',
  channel_id: String(channel_id),
  guild_id: String(server_id),
  application_id: null,
})

/** The stand-in for Discord's picture hash: the file name without extension. */
const hashOfPath = (path: string): string | null => /([0-9a-f]{32})\.webp$/.exec(path)?.[1] ?? null

/** A message in Discord's format: ids are strings. */
export const discordMessage = ({ author, data, ...message }: Message) => ({
  id: String(message.id),
  type: 0,
  channel_id: String(message.channel_id),
  webhook_id: String(author.id),
  author: {
    id: String(author.id),
    username: author.display_name,
    discriminator: '0000',
    avatar: hashOfPath(data?.avatar_url ?? ''),
    bot: true,
  },
  content: message.content,
  timestamp: message.created_at,
  edited_timestamp: message.edited_at,
  tts: false,
  pinned: message.pinned_at !== null,
  mention_everyone: message.mention_everyone || message.mention_here,
  mentions: message.mention_ids.map((id) => ({ id: String(id) })),
  mention_roles: message.mention_role_ids.map(String),
  attachments: message.files.map(({ id, filename, size, content_type, width, height }) => ({
    id: String(id),
    filename,
    size,
    content_type,
    width,
    height,
  })),
  embeds: message.embeds.map(({ color, footer, site_name, ...embed }) => ({
    ...embed,
    color: color === null ? null : Number.parseInt(color.slice(1), 16),
    footer: footer === null ? null : { text: footer },
    provider: site_name === null ? null : { name: site_name },
  })),
  components: [],
  flags: (message.embeds_suppressed ? HIDES_EMBEDS : 0) | (data?.silent ? IS_SILENT : 0),
})
