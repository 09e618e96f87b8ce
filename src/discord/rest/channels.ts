import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import { holds } from '../../core/permissions.ts'
import { type Channel, isPost } from '../../features/access/model.ts'
import { typeIn } from '../../features/messages/typing.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import { parleyBits } from '../permissions.ts'
import { channelFor } from '../shapes/guilds.ts'
import { parseBody } from './bodies.ts'
import type { Call, Reply } from './call.ts'
import { route } from './router.ts'
import { tagsIn } from './threads.ts'

/** Signs of typing, which a bot repeats every few seconds. */
const TYPING: BucketPolicy = { name: 'discord-typing', burst: 20, refillPerS: 2 }
/** Discord's numbers of channel types that can be created. */
const TYPES: Record<number, 'text' | 'voice' | 'category' | 'forum' | 'stage'> = {
  0: 'text',
  2: 'voice',
  4: 'category',
  13: 'stage',
  15: 'forum',
}

const show = (call: Call, channel: Channel): Promise<object> =>
  call.resolve((of) => channelFor(of, channel, call.me.id))

const Overwrite = z.object({
  id: z.string(),
  type: z.union([z.int(), z.string()]).nullish(),
  allow: z.union([z.string(), z.number()]).nullish(),
  deny: z.union([z.string(), z.number()]).nullish(),
})
type Overwrite = z.infer<typeof Overwrite>
const isOfMember = ({ type }: Pick<Overwrite, 'type'>): boolean => type === 1 || type === '1' || type === 'member'

const ChannelBody = z.object({
  name: z.string().nullish(),
  type: z.int().nullish(),
  topic: z.string().nullish(),
  parent_id: z.string().nullish(),
  position: z.int().nullish(),
  rate_limit_per_user: z.int().nullish(),
  user_limit: z.int().nullish(),
  bitrate: z.int().nullish(),
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

/** The fields that only voice channels have. Discord's 0 is no limit. */
const voiceFields = ({ user_limit, bitrate }: ChannelBody) => ({
  ...(user_limit === undefined ? {} : { user_limit: user_limit || null }),
  ...(bitrate === undefined ? {} : { bitrate }),
})

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

/** An overwrite with Parley's ids and bits. */
interface OwnOverwrite {
  isOfMember: boolean
  /** Of the role or the account. */
  id: number
  allow: number
  deny: number
}

const overwritePath = (channelId: number, { isOfMember: ofMember, id }: Pick<OwnOverwrite, 'isOfMember' | 'id'>) =>
  `/api/channels/${channelId}/permissions/${ofMember ? `members/${id}` : id}`

async function ownOverwrite(call: Call, overwrite: Overwrite): Promise<OwnOverwrite> {
  const ofMember = isOfMember(overwrite)
  return {
    isOfMember: ofMember,
    id: await call.find(ofMember ? 'user' : 'role', overwrite.id),
    allow: parleyBits(overwrite.allow),
    deny: parleyBits(overwrite.deny),
  }
}

/** @throws Problem `not_found` if the overwrite does not exist */
const deleteOverwrite = (call: Call, channelId: number, overwrite: Pick<OwnOverwrite, 'isOfMember' | 'id'>) =>
  call.own('DELETE', overwritePath(channelId, overwrite), overwrite.isOfMember ? undefined : {})

/** Sets one overwrite. One without bits for a member is none, so it is deleted. */
async function setOverwrite(call: Call, channelId: number, overwrite: OwnOverwrite): Promise<void> {
  const { isOfMember: ofMember, id, allow, deny } = overwrite
  // Overwrites change nothing for an administrator, and many programs name their own bot in those of a new channel.
  if (ofMember && id === call.me.id && (await isAdministrator(call, channelId))) return
  if (!ofMember || allow + deny > 0) return call.own('PUT', overwritePath(channelId, overwrite), { allow, deny })
  await deleteOverwrite(call, channelId, overwrite).catch((error: unknown) => {
    if (!(error instanceof Problem && error.code === 'not_found')) throw error
  })
}

async function isAdministrator(call: Call, channelId: number): Promise<boolean> {
  const { sql } = call.tools.parts
  const [access] = await sql<{ permissions: number }[]>`
    select permissions from channel_access(${channelId}, ${call.me.id})`
  return access !== undefined && holds(access.permissions, 'administrator')
}

/**
 * Sets overwrites, those that hide the channel last: the bot itself may see it only as everyone does. Overwrites that
 * are not named stay.
 */
async function setOverwrites(call: Call, channelId: number, overwrites: Overwrite[]): Promise<void> {
  const { sql } = call.tools.parts
  const [everyone] = await sql<{ id: number }[]>`
    select r.id from roles r join channels c on c.server_id = r.server_id
    where c.id = ${channelId} and r.is_everyone`
  const rank = ({ isOfMember: ofMember, id, deny }: OwnOverwrite): number =>
    !holds(deny, 'view_channel') ? 0 : ofMember || id !== everyone?.id ? 1 : 2
  const own = await Promise.all(overwrites.map((overwrite) => ownOverwrite(call, overwrite)))
  for (const overwrite of own.toSorted((one, other) => rank(one) - rank(other)))
    await setOverwrite(call, channelId, overwrite)
}

/** The overwrite that a path names without its kind. @throws Unknown */
async function overwriteIn(call: Call): Promise<Pick<OwnOverwrite, 'isOfMember' | 'id'>> {
  const snowflake = call.param('overwrite')
  const roleId = await call.tools.ids.find('role', snowflake)
  if (roleId !== undefined) return { isOfMember: false, id: roleId }
  return { isOfMember: true, id: await call.find('user', snowflake, 'overwrite') }
}

async function create(call: Call): Promise<Reply> {
  const body = parseBody(ChannelBody, call.body)
  const type = TYPES[body.type ?? 0] ?? String(body.type)
  const draft = {
    name: body.name ?? '',
    type,
    ...(await parentOf(call, body)),
    ...(type === 'forum' ? await forumChange(call, body) : { topic: body.topic ?? '' }),
    ...(type === 'voice' ? voiceFields(body) : {}),
  }
  const serverId = await call.id('server', 'guild')
  const channel = await call.own<Channel>('POST', `/api/servers/${serverId}/channels`, draft)
  try {
    const seconds = body.rate_limit_per_user
    const settled = seconds
      ? await call.own<Channel>('PUT', `/api/channels/${channel.id}`, { slowmode_seconds: seconds })
      : channel
    await setOverwrites(call, channel.id, body.permission_overwrites ?? [])
    return await show(call, settled)
  } catch (error) {
    // Without its overwrites, the channel would be open to everyone.
    await call.own('DELETE', `/api/channels/${channel.id}`).catch(() => {})
    throw error
  }
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
    ...(before.type === 'voice' ? voiceFields(body) : {}),
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
  route('PUT', '/channels/:channel/permissions/:overwrite', 'overwrite', async (call) => {
    const overwrite = parseBody(Overwrite.omit({ id: true }), call.body)
    await setOverwrites(call, await call.id('channel'), [{ ...overwrite, id: call.param('overwrite') }])
    return undefined
  }),
  route('DELETE', '/channels/:channel/permissions/:overwrite', 'overwrite', async (call) => {
    await deleteOverwrite(call, await call.id('channel'), await overwriteIn(call))
    return undefined
  }),
  route('POST', '/channels/:channel/typing', 'channel', async (call) => {
    const { parts, presence } = call.tools
    await parts.limits.take(call.caller, TYPING, `user:${call.me.id}`)
    await typeIn(parts, call.me.id, await call.id('channel'), presence.isInvisible(call.me.id))
    return undefined
  }),
]
