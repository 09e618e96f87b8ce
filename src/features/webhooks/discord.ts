import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import { isReserved } from '../../core/look-alikes.ts'
import { showsNothing } from '../../core/markup/references.ts'
import { text } from '../../core/schema.ts'
import { validationProblem } from '../../core/validation.ts'
import { withoutHidden } from '../../core/visible.ts'
import { CONTENT_MAX, type Message } from '../messages/model.ts'
import { type Embed, Embeds } from '../previews/model.ts'
import type { Hook } from './door.ts'
import { colorOf, linkOf, listAt, textAt, timeOf, valueAt } from './given.ts'
import { avatarOf, withoutPictures } from '../previews/embed-pictures.ts'
import { WebhookName } from './model.ts'
import type { AllowedMentions, Post, PostEdit, PostFlags } from './post.ts'

/** An invisible character for embed fields without name or value, which some senders omit. */
const BLANK = '\u200b'
/** The supported flags of a Discord message: SUPPRESS_EMBEDS and SUPPRESS_NOTIFICATIONS. */
const [HIDES_EMBEDS, IS_SILENT] = [4, 4096]
/** Ids per list in `allowed_mentions`. */
const NAMED_MAX = 100

/** An optional text or number; a blank one counts as missing. */
const written = (max: number) =>
  z.preprocess((given) => {
    const plain = typeof given === 'number' || typeof given === 'boolean' ? String(given) : given
    return plain === undefined || (typeof plain === 'string' && plain.trim() === '') ? null : plain
  }, text(1, max).nullable())

/** A lenient field of any type, parsed from its text. */
const read = (from: (text: string) => string | null) =>
  z.preprocess((given) => from(textAt({ given }, 'given')), z.string().nullable())

const url = read(linkOf)

const Field = z.object({
  name: written(256).transform((name) => name ?? BLANK),
  value: written(1024).transform((value) => value ?? BLANK),
  inline: z.preprocess((inline) => inline === true || inline === 'true', z.boolean()),
})

const GivenEmbed = z.object({
  title: written(256),
  description: written(4096),
  url,
  color: read(colorOf),
  timestamp: read(timeOf),
  footer: z.object({ text: written(2048) }).nullish(),
  author: z.object({ name: written(256), url }).nullish(),
  provider: z.object({ name: written(256) }).nullish(),
  fields: z.array(Field).max(25).nullish(),
  image: z.object({ url }).nullish().catch(null),
  thumbnail: z.object({ url }).nullish().catch(null),
})

const embedOf = (given: z.infer<typeof GivenEmbed>): Embed => ({
  type: 'rich',
  url: given.url,
  title: given.title,
  description: given.description,
  color: given.color,
  site_name: given.provider?.name ?? null,
  author: given.author?.name ? { name: given.author.name, url: given.author.url } : null,
  fields: given.fields ?? [],
  image: null,
  thumbnail: null,
  footer: given.footer?.text ?? null,
  timestamp: given.timestamp,
})

const GivenEmbeds = z
  .preprocess((given) => given ?? [], z.array(GivenEmbed).max(10))
  .transform((given) =>
    given.map((one) => ({
      embed: embedOf(one),
      image: one.image?.url ?? null,
      thumbnail: one.thumbnail?.url ?? null,
    })),
  )
const Shown = z.object({ embeds: Embeds })

const Content = written(CONTENT_MAX).transform((content) => (content === null || showsNothing(content) ? '' : content))

const Given = z.object({
  content: Content,
  username: z.preprocess((name) => blankless(name), WebhookName.nullable()),
  avatar_url: url,
  embeds: GivenEmbeds,
})

/** A name as one line with control characters replaced by spaces; undefined if it is blank or not allowed. */
function blankless(given: unknown): unknown {
  const name = typeof given === 'number' ? String(given) : (given ?? null)
  if (typeof name !== 'string') return name
  const line = withoutHidden(name.slice(0, 1000))
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .trim()
  return line === '' || isReserved(line) ? null : line
}

/** `flags`; undefined if missing. */
function flagsOf(given: unknown): PostFlags | undefined {
  const digits = textAt(given, 'flags')
  if (!/^\d{1,10}$/.test(digits)) return undefined
  const flags = Number(digits)
  return { hidesEmbeds: (flags & HIDES_EMBEDS) !== 0, isSilent: (flags & IS_SILENT) !== 0 }
}

/** `allowed_mentions`; undefined if missing. */
function mentionsOf(given: unknown): AllowedMentions | undefined {
  if ((valueAt(given, 'allowed_mentions') ?? null) === null) return undefined
  const parse = new Set(listAt(given, 'allowed_mentions', 'parse'))
  const ids = (name: string) => listAt(given, 'allowed_mentions', name).slice(0, NAMED_MAX).map(Number)
  return {
    people: parse.has('users') ? 'all' : ids('users'),
    roles: parse.has('roles') ? 'all' : ids('roles'),
    everyone: parse.has('everyone'),
  }
}

function judged<S extends z.ZodType>(schema: S, given: unknown): z.infer<S> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new Problem('bad_request', 'The body is not an object')
  const { data, error } = schema.safeParse(given)
  if (error) throw validationProblem(error, 'body')
  return data
}

/**
 * Parses the body of Discord's "execute webhook".
 * @param hasPictures true if pictures are fetched
 * @throws Problem `validation_failed`, `bad_request`
 */
export function discordPost(given: unknown, hasPictures: boolean): Post {
  const { content, username, avatar_url, ...said } = judged(Given, given)
  const { embeds, pictures } = withoutPictures(said.embeds, hasPictures)
  return {
    content,
    ...judged(Shown, { embeds }),
    pictures: [...avatarOf(avatar_url, hasPictures), ...pictures],
    author_name: username,
    mentions: mentionsOf(given),
    flags: flagsOf(given),
  }
}

/** Parses the body of Discord's "edit webhook message"; absent fields stay unchanged. @throws Problem as discordPost */
export function discordEdit(given: unknown, hasPictures: boolean): PostEdit {
  const { content, ...said } = judged(Given, given)
  const { embeds, pictures } = withoutPictures(said.embeds, hasPictures)
  return {
    ...(valueAt(given, 'content') === undefined ? {} : { content }),
    ...(valueAt(given, 'embeds') === undefined ? {} : { ...judged(Shown, { embeds }), pictures }),
    mentions: mentionsOf(given),
    hidesEmbeds: flagsOf(given)?.hidesEmbeds,
  }
}

/** A picture as a data URI: its type, then base64. */
const DATA_URI = /^data:(image\/[a-z0-9.+-]{1,40});base64,/i

const GivenChange = z.object({
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
export const discordChange = (given: unknown): z.infer<typeof GivenChange> => judged(GivenChange, given)

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
