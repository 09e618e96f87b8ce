import { z } from 'zod'
import type { Channel } from '../../features/access/model.ts'
import type { Message } from '../../features/messages/model.ts'
import { withStoredFiles } from '../../features/webhooks/stored-files.ts'
import { Unknown } from '../refusals.ts'
import { tagId } from '../shapes/forums.ts'
import { channelOf } from '../shapes/guilds.ts'
import { memberById, userById } from '../shapes/users.ts'
import { discordTime } from '../shapes/users.ts'
import { contentFields, filesOf, MessageBody, numberIn, parseBody, sendFields } from './bodies.ts'
import type { Call, Reply } from './call.ts'
import { showMessages } from './messages.ts'
import { route } from './router.ts'
import { stickerField } from './stickers.ts'

const THREADS_MAX = 100
const DAY_MINUTES = 1440

const ThreadBody = z.object({
  name: z.string(),
  auto_archive_duration: z.int().nullish(),
  rate_limit_per_user: z.int().nullish(),
  applied_tags: z.array(z.string()).max(20).nullish(),
  message: MessageBody.nullish(),
})
type ThreadBody = z.infer<typeof ThreadBody>

/** The tags of a forum that a program names. Unknown ones are left out. */
export const tagsIn = (forum: Channel, snowflakes: string[]): number[] =>
  (forum.tags ?? []).flatMap(({ id }) => (snowflakes.includes(tagId(id)) ? id : []))

/** Sets what Discord sets when a thread begins, if the bot may: beginning a thread does not include that right. */
async function withSettings(call: Call, thread: Channel, body: ThreadBody): Promise<Channel> {
  const { auto_archive_duration: minutes, rate_limit_per_user: seconds } = body
  const change = {
    ...(minutes && minutes !== DAY_MINUTES ? { archive_after_seconds: minutes * 60 } : {}),
    ...(seconds ? { slowmode_seconds: seconds } : {}),
  }
  if (Object.keys(change).length === 0) return thread
  return call.own<Channel>('PUT', `/api/channels/${thread.id}`, change).catch(() => thread)
}

/** Begins a thread, at a message or without one; in a forum a post. */
async function begin(call: Call): Promise<Reply> {
  const body = parseBody(ThreadBody, call.body)
  const channelId = await call.id('channel')
  if (body.message) return post(call, channelId, body, body.message)
  const message = call.param('message') === '' ? {} : { message_id: await call.id('message') }
  const draft = { name: body.name, ...message }
  const thread = await call.own<Channel>('POST', `/api/channels/${channelId}/threads`, draft)
  const settled = await withSettings(call, thread, body)
  return call.resolve((of) => channelOf(of, settled))
}

/** Begins a post in a forum with its first message. */
async function post(call: Call, forumId: number, body: ThreadBody, first: MessageBody): Promise<Reply> {
  const forum = await call.own<Channel>('GET', `/api/channels/${forumId}`)
  const message = {
    content: '',
    ...(await contentFields(call, first)),
    ...(await stickerField(call, first)),
    ...sendFields(first),
  }
  const draft = { name: body.name, tag_ids: tagsIn(forum, body.applied_tags ?? []) }
  const files = filesOf(call, first)
  const thread = await withStoredFiles(call.tools.parts, call.me.id, files, (file_ids) =>
    call.own<Channel>('POST', `/api/channels/${forumId}/threads`, { ...draft, message: { ...message, file_ids } }),
  )
  const settled = await withSettings(call, thread, body)
  const messages = await call.own<Message[]>('GET', `/api/channels/${thread.id}/messages?limit=1`)
  const [shownMessage] = await showMessages(call, messages)
  return { ...(await call.resolve((of) => channelOf(of, settled))), message: shownMessage }
}

async function archived(call: Call): Promise<Reply> {
  const limit = Math.max(1, numberIn(call.query, 'limit', THREADS_MAX) ?? 50)
  const path = `/api/channels/${await call.id('channel')}/threads?archived=true&limit=${limit}`
  const threads = await call.own<Channel[]>('GET', path)
  return call.resolve((of) => ({
    threads: threads.map((thread) => channelOf(of, thread)),
    members: [],
    has_more: threads.length === limit,
  }))
}

/** Private threads, of which Parley has none. */
async function none(call: Call): Promise<Reply> {
  await call.own('GET', `/api/channels/${await call.id('channel')}`)
  return { threads: [], members: [], has_more: false }
}

/** The bot itself if it follows a thread. Parley tells nobody who else follows one. */
async function followers(call: Call) {
  const thread = await call.own<Channel>('GET', `/api/channels/${await call.id('channel')}`)
  const rows = await call.tools.parts.sql<{ user_id: number }[]>`
    select user_id from thread_followers where channel_id = ${thread.id} and user_id = ${call.me.id}`
  const isWhole = call.query.get('with_member') === 'true'
  return call.resolve((of) =>
    rows.map(({ user_id }) => {
      const member = isWhole && thread.server_id !== null ? memberById(of, thread.server_id, user_id) : undefined
      return {
        id: of.id('channel', thread.id, thread.created_at),
        user_id: of.id('user', user_id),
        // Parley does not keep since when somebody follows a thread.
        join_timestamp: discordTime(thread.created_at),
        flags: 0,
        ...(member ? { member: { ...member, user: userById(of, user_id) } } : {}),
      }
    }),
  )
}

async function follower(call: Call): Promise<Reply> {
  const id = call.param('user') === '@me' ? call.me.id : await call.id('user', 'user', 'member')
  const [one] = id === call.me.id ? await followers(call) : []
  if (!one) throw new Unknown('member')
  return one
}

const THREADS = '/channels/:channel/threads'
const MEMBERS = '/channels/:channel/thread-members'

export const threadRoutes = [
  route('POST', THREADS, 'channel', begin),
  route('POST', '/channels/:channel/messages/:message/threads', 'message', begin),
  route('GET', `${THREADS}/archived/public`, 'channel', archived),
  route('GET', `${THREADS}/archived/private`, 'channel', none),
  route('GET', '/channels/:channel/users/@me/threads/archived/private', 'channel', none),
  route('GET', MEMBERS, 'thread', async (call) => followers(call)),
  route('GET', `${MEMBERS}/:user`, 'member', follower),
  ...['PUT', 'DELETE'].map((method) =>
    route(method, `${MEMBERS}/@me`, 'thread', async (call) => {
      await call.own(method, `/api/channels/${await call.id('channel')}/followers/@me`)
      return undefined
    }),
  ),
]
