import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import { type Channel, isPost } from '../../features/access/model.ts'
import { typeIn } from '../../features/messages/typing.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import { parleyBits } from '../permissions.ts'
import { channelOf } from '../shapes/guilds.ts'
import { parseBody } from './bodies.ts'
import type { Call, Reply } from './call.ts'
import { route } from './router.ts'
import { tagsIn } from './threads.ts'

/** Signs of typing, which a bot repeats every few seconds. */
const TYPING: BucketPolicy = { name: 'discord-typing', burst: 20, refillPerS: 2 }
/** Discord's numbers of channel types that can be created. */
const TYPES: Record<number, 'text' | 'voice' | 'category' | 'forum'> = {
  0: 'text',
  2: 'voice',
  4: 'category',
  15: 'forum',
}

const show = (call: Call, channel: Channel): Promise<object> => call.resolve((of) => channelOf(of, channel))

const Overwrite = z.object({
  id: z.string(),
  type: z.union([z.int(), z.string()]).nullish(),
  allow: z.union([z.string(), z.number()]).nullish(),
  deny: z.union([z.string(), z.number()]).nullish(),
})
const isOfMember = ({ type }: z.infer<typeof Overwrite>): boolean => type === 1 || type === '1' || type === 'member'

const ChannelBody = z.object({
  name: z.string().nullish(),
  type: z.int().nullish(),
  topic: z.string().nullish(),
  parent_id: z.string().nullish(),
  position: z.int().nullish(),
  rate_limit_per_user: z.int().nullish(),
  permission_overwrites: z.array(Overwrite).max(250).nullish(),
  archived: z.boolean().nullish(),
  locked: z.boolean().nullish(),
  auto_archive_duration: z.int().nullish(),
  flags: z.int().nullish(),
  applied_tags: z.array(z.string()).max(20).nullish(),
  available_tags: z
    .array(
      z.object({
        id: z.string().nullish(),
        name: z.string(),
        moderated: z.boolean().nullish(),
        emoji_id: z.string().nullish(),
        emoji_name: z.string().nullish(),
      }),
    )
    .max(20)
    .nullish(),
  default_reaction_emoji: z.object({ emoji_id: z.string().nullish(), emoji_name: z.string().nullish() }).nullish(),
  default_sort_order: z.int().nullish(),
  default_forum_layout: z.int().nullish(),
  default_thread_rate_limit_per_user: z.int().nullish(),
})
type ChannelBody = z.infer<typeof ChannelBody>

const parentOf = async (call: Call, { parent_id }: ChannelBody) =>
  parent_id === undefined ? {} : { parent_id: parent_id && (await call.find('channel', parent_id)) }

/** Flags of a post that is pinned, and of a forum whose posts need a tag. */
const [IS_PINNED, NEEDS_TAG] = [2, 16]

/** An emoji as Parley's API takes it; one of Unicode, or of the server. */
async function emojiOf(call: Call, { emoji_id, emoji_name }: { emoji_id?: string | null; emoji_name?: string | null }) {
  if (!emoji_id) return emoji_name ?? null
  const { sql } = call.tools.parts
  const [row] = await sql<{ name: string }[]>`
    select name from emojis where id = ${await call.find('emoji', emoji_id)} and deleted_at is null`
  return row ? `${row.name}:${await call.find('emoji', emoji_id)}` : null
}

/** The fields of a forum as Parley's API takes them. @param forum as it is; undefined for a new one */
async function forumChange(call: Call, body: ChannelBody, forum?: Channel) {
  const { available_tags: tags, default_reaction_emoji: reaction, flags } = body
  const fieldOf = (name: string, value: unknown) => (value === null || value === undefined ? {} : { [name]: value })
  const tagDrafts =
    tags &&
    (await Promise.all(
      tags.map(async (tag) => ({
        ...fieldOf('id', forum && tag.id ? tagsIn(forum, [tag.id])[0] : undefined),
        name: tag.name,
        moderated: tag.moderated ?? false,
        emoji: await emojiOf(call, tag),
      })),
    ))
  return {
    ...fieldOf('tags', tagDrafts),
    ...fieldOf('guidelines', body.topic),
    ...(reaction === undefined ? {} : { default_reaction: reaction && (await emojiOf(call, reaction)) }),
    ...fieldOf(
      'default_sort',
      body.default_sort_order === 1 ? 'created' : body.default_sort_order === 0 ? 'latest' : null,
    ),
    ...fieldOf('layout', body.default_forum_layout === 2 ? 'gallery' : body.default_forum_layout === 1 ? 'list' : null),
    ...fieldOf('post_slowmode_seconds', body.default_thread_rate_limit_per_user),
    ...(flags === null || flags === undefined ? {} : { tag_required: (flags & NEEDS_TAG) !== 0 }),
  }
}

/** The fields of a thread that only a post of a forum has. */
async function postChange(call: Call, { applied_tags, flags }: ChannelBody, { parent_id }: Channel) {
  const tags =
    applied_tags && parent_id !== null ? await call.own<Channel>('GET', `/api/channels/${parent_id}`) : undefined
  return {
    ...(tags && applied_tags ? { tag_ids: tagsIn(tags, applied_tags) } : {}),
    ...(flags === null || flags === undefined ? {} : { pinned: (flags & IS_PINNED) !== 0 }),
  }
}

/** Replaces the overwrites of roles. Parley has none of members: those are refused rather than lost. */
async function setOverwrites(call: Call, channelId: number, overwrites: z.infer<typeof Overwrite>[]): Promise<void> {
  if (overwrites.some(isOfMember)) throw new Problem('bad_request', 'Overwrites of members are not supported')
  for (const { id, allow, deny } of overwrites)
    await call.own('PUT', `/api/channels/${channelId}/permissions/${await call.find('role', id)}`, {
      allow: parleyBits(allow),
      deny: parleyBits(deny),
    })
}

async function create(call: Call): Promise<Reply> {
  const body = parseBody(ChannelBody, call.body)
  const type = TYPES[body.type ?? 0] ?? String(body.type)
  const draft = {
    name: body.name ?? '',
    type,
    ...(await parentOf(call, body)),
    ...(type === 'forum' ? await forumChange(call, body) : { topic: body.topic ?? '' }),
  }
  const serverId = await call.id('server', 'guild')
  const channel = await call.own<Channel>('POST', `/api/servers/${serverId}/channels`, draft)
  await setOverwrites(call, channel.id, body.permission_overwrites ?? [])
  const seconds = body.rate_limit_per_user
  return show(
    call,
    seconds ? await call.own<Channel>('PUT', `/api/channels/${channel.id}`, { slowmode_seconds: seconds }) : channel,
  )
}

async function edit(call: Call): Promise<Reply> {
  const id = await call.id('channel')
  const body = parseBody(ChannelBody, call.body)
  const before = await call.own<Channel>('GET', `/api/channels/${id}`)
  const isForum = before.type === 'forum'
  const fieldOf = (name: string, value: unknown) => (value === null || value === undefined ? {} : { [name]: value })
  const change = {
    ...fieldOf('name', body.name),
    ...(body.topic === undefined || isForum ? {} : { topic: body.topic ?? '' }),
    ...(isForum ? await forumChange(call, body, before) : {}),
    ...(isPost(before) ? await postChange(call, body, before) : {}),
    ...(await parentOf(call, body)),
    ...fieldOf('position', body.position),
    ...fieldOf('slowmode_seconds', body.rate_limit_per_user),
    ...fieldOf('archived', body.archived),
    ...fieldOf('locked', body.locked),
    ...(body.auto_archive_duration ? { archive_after_seconds: body.auto_archive_duration * 60 } : {}),
  }
  if (body.permission_overwrites) await setOverwrites(call, id, body.permission_overwrites)
  const isChanged = Object.keys(change).length > 0
  return show(call, isChanged ? await call.own<Channel>('PUT', `/api/channels/${id}`, change) : before)
}

async function remove(call: Call): Promise<Reply> {
  const path = `/api/channels/${await call.id('channel')}`
  const channel = await call.own<Channel>('GET', path)
  // Translated before it is gone.
  const translation = await show(call, channel)
  await call.own('DELETE', path)
  return translation
}

export const channelRoutes = [
  route('GET', '/channels/:channel', 'channel', async (call) =>
    show(call, await call.own<Channel>('GET', `/api/channels/${await call.id('channel')}`)),
  ),
  route('PATCH', '/channels/:channel', 'channel', edit),
  route('DELETE', '/channels/:channel', 'channel', remove),
  route('POST', '/guilds/:guild/channels', 'server', create),
  route('PUT', '/channels/:channel/permissions/:role', 'role', async (call) => {
    const overwrite = parseBody(Overwrite.omit({ id: true }), call.body)
    await setOverwrites(call, await call.id('channel'), [{ ...overwrite, id: call.param('role') }])
    return undefined
  }),
  route('DELETE', '/channels/:channel/permissions/:role', 'role', async (call) => {
    await call.own('DELETE', `/api/channels/${await call.id('channel')}/permissions/${await call.id('role')}`)
    return undefined
  }),
  route('POST', '/channels/:channel/typing', 'channel', async (call) => {
    const { parts, presence } = call.tools
    await parts.limits.take(call.caller, TYPING, `user:${call.me.id}`)
    await typeIn(parts, call.me.id, await call.id('channel'), presence.isInvisible(call.me.id))
    return undefined
  }),
]
