import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import type { Channel } from '../../features/access/model.ts'
import { typeIn } from '../../features/messages/typing.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import { parleyBits } from '../permissions.ts'
import { channelOf } from '../shapes/guilds.ts'
import { numberIn, parseBody } from './bodies.ts'
import type { Call, Reply } from './call.ts'
import { route } from './router.ts'

/** Signs of typing, which a bot repeats every few seconds. */
const TYPING: BucketPolicy = { name: 'discord-typing', burst: 20, refillPerS: 2 }
/** Discord's numbers of channel types that can be created. */
const TYPES: Record<number, 'text' | 'voice' | 'category'> = { 0: 'text', 2: 'voice', 4: 'category' }
const THREADS_MAX = 100

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
})
type ChannelBody = z.infer<typeof ChannelBody>

const parentOf = async (call: Call, { parent_id }: ChannelBody) =>
  parent_id === undefined ? {} : { parent_id: parent_id && (await call.find('channel', parent_id)) }

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
  const draft = {
    name: body.name ?? '',
    type: TYPES[body.type ?? 0] ?? String(body.type),
    topic: body.topic ?? '',
    ...(await parentOf(call, body)),
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
  const fieldOf = (name: string, value: unknown) => (value === null || value === undefined ? {} : { [name]: value })
  const change = {
    ...fieldOf('name', body.name),
    ...(body.topic === undefined ? {} : { topic: body.topic ?? '' }),
    ...(await parentOf(call, body)),
    ...fieldOf('position', body.position),
    ...fieldOf('slowmode_seconds', body.rate_limit_per_user),
    ...fieldOf('archived', body.archived),
    ...fieldOf('locked', body.locked),
    ...(body.auto_archive_duration ? { archive_after_seconds: body.auto_archive_duration * 60 } : {}),
  }
  if (body.permission_overwrites) await setOverwrites(call, id, body.permission_overwrites)
  const path = `/api/channels/${id}`
  const isChanged = Object.keys(change).length > 0
  return show(call, isChanged ? await call.own<Channel>('PUT', path, change) : await call.own<Channel>('GET', path))
}

async function remove(call: Call): Promise<Reply> {
  const path = `/api/channels/${await call.id('channel')}`
  const channel = await call.own<Channel>('GET', path)
  // Translated before it is gone.
  const translation = await show(call, channel)
  await call.own('DELETE', path)
  return translation
}

const ThreadBody = z.object({ name: z.string(), auto_archive_duration: z.int().nullish() })

/** Begins a thread, at a message or without one. */
async function beginThread(call: Call): Promise<Reply> {
  const { name, auto_archive_duration: minutes } = parseBody(ThreadBody, call.body)
  const message = call.param('message') === '' ? {} : { message_id: await call.id('message') }
  const path = `/api/channels/${await call.id('channel')}/threads`
  const thread = await call.own<Channel>('POST', path, { name, ...message })
  return show(
    call,
    minutes
      ? await call.own<Channel>('PUT', `/api/channels/${thread.id}`, { archive_after_seconds: minutes * 60 }).catch(
          // The right to begin a thread does not include that to set when it is archived.
          () => thread,
        )
      : thread,
  )
}

async function archivedThreads(call: Call): Promise<Reply> {
  const limit = numberIn(call.query, 'limit', THREADS_MAX) ?? 50
  const path = `/api/channels/${await call.id('channel')}/threads?archived=true&limit=${limit}`
  const threads = await call.own<Channel[]>('GET', path)
  return call.resolve((of) => ({
    threads: threads.map((thread) => channelOf(of, thread)),
    members: [],
    has_more: threads.length === limit,
  }))
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
  route('POST', '/channels/:channel/threads', 'channel', beginThread),
  route('POST', '/channels/:channel/messages/:message/threads', 'message', beginThread),
  route('GET', '/channels/:channel/threads/archived/public', 'channel', archivedThreads),
  ...['PUT', 'DELETE'].map((method) =>
    route(method, '/channels/:channel/thread-members/@me', 'thread', async (call) => {
      await call.own(method, `/api/channels/${await call.id('channel')}/followers/@me`)
      return undefined
    }),
  ),
  route('POST', '/channels/:channel/typing', 'channel', async (call) => {
    const { parts, presence } = call.tools
    await parts.limits.take(call.caller, TYPING, `user:${call.me.id}`)
    await typeIn(parts, call.me.id, await call.id('channel'), presence.isInvisible(call.me.id))
    return undefined
  }),
]
