import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import { holds } from '../../core/permissions.ts'
import { columns } from '../../database/database.ts'
import { demand, visibleChannel } from '../../features/access/guard.ts'
import { Channel } from '../../features/access/model.ts'
import type { Message } from '../../features/messages/model.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import { withStoredFiles } from '../../features/webhooks/stored-files.ts'
import type { Lookup } from '../lookup.ts'
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
/** Followers in an answer. */
const MEMBERS_MAX = 100
const DAY_MINUTES = 1440
/** Low, because all archived threads of the channel are sorted. */
const ARCHIVES: BucketPolicy = { name: 'discord-archives', burst: 30, refillPerS: 2 }

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

/** The latest time that the database is asked for: the year 2286. */
const LATEST_MS = 10_000_000_000_000

/** A time in a query. @throws Problem `bad_request` */
function timeIn(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const ms = Date.parse(text)
  if (!(ms >= 0 && ms <= LATEST_MS)) throw new Problem('bad_request', `${name} must be a time`)
  return new Date(ms).toISOString()
}

/** A page of archived threads, those first that were archived last. */
async function archived(call: Call): Promise<Reply> {
  const { sql, limits } = call.tools.parts
  await limits.take(call.caller, ARCHIVES, `user:${call.me.id}`)
  const { id, type, permissions } = await visibleChannel(sql, await call.id('channel'), call.me.id)
  if (type === 'forum') demand(permissions, 'read_history')
  const limit = Math.max(1, numberIn(call.query, 'limit', THREADS_MAX) ?? 50)
  const before = timeIn(call.query, 'before')
  const rows = await sql<(Channel & { follows: boolean })[]>`
    select ${columns(sql, Channel, 'c')},
      exists (select from thread_followers f where f.channel_id = c.id and f.user_id = ${call.me.id}) as follows
    from channels c
    where c.parent_id = ${id} and c.type = 'thread' and c.archived_at is not null and c.hidden is not true
      ${before === undefined ? sql`` : sql`and c.archived_at < ${before}::timestamptz`}
    order by c.archived_at desc, c.id desc limit ${limit + 1}`
  const page = rows.slice(0, limit)
  return call.resolve((of) => ({
    threads: page.map((thread) => channelOf(of, thread)),
    members: page.flatMap((thread) => (thread.follows ? threadMember(of, thread, call.me.id) : [])),
    has_more: rows.length > limit,
  }))
}

/** Private threads, of which Parley has none. */
async function none(call: Call): Promise<Reply> {
  await call.own('GET', `/api/channels/${await call.id('channel')}`)
  return { threads: [], members: [], has_more: false }
}

/** A follower of a thread as a member of it. */
const threadMember = (of: Lookup, thread: Pick<Channel, 'id' | 'created_at'>, userId: number) => ({
  id: of.id('channel', thread.id, thread.created_at),
  user_id: of.id('user', userId),
  // Parley does not keep since when somebody follows a thread.
  join_timestamp: discordTime(thread.created_at),
  flags: 0,
})

/** The followers of a thread; for a bot without manage_threads only itself, if it is one. */
async function followers(call: Call, condition: { user_id?: number; after?: number; limit?: number }) {
  const { sql } = call.tools.parts
  const thread = await visibleChannel(sql, await call.id('channel'), call.me.id)
  const { user_id, after = 0, limit = MEMBERS_MAX } = condition
  const isSeen = sql`(${holds(thread.permissions, 'manage_threads')} or f.user_id = ${call.me.id})`
  const rows = await sql<{ user_id: number }[]>`
    select f.user_id from thread_followers f cross join lateral channel_access(f.channel_id, f.user_id) ca
    where f.channel_id = ${thread.id} and f.user_id > ${after} and ${isSeen} and can_view(ca.permissions)
      ${user_id === undefined ? sql`` : sql`and f.user_id = ${user_id}`}
    order by f.user_id limit ${limit}`
  const isWhole = call.query.get('with_member') === 'true'
  return call.resolve((of) =>
    rows.map((row) => {
      const member = isWhole && thread.server_id !== null ? memberById(of, thread.server_id, row.user_id) : undefined
      const own = threadMember(of, thread, row.user_id)
      return member ? { ...own, member: { ...member, user: userById(of, row.user_id) } } : own
    }),
  )
}

async function listFollowers(call: Call): Promise<Reply> {
  const after = call.query.get('after')
  return followers(call, {
    limit: Math.max(1, numberIn(call.query, 'limit', MEMBERS_MAX) ?? MEMBERS_MAX),
    ...(after ? { after: await call.edge('user', 'after', after) } : {}),
  })
}

/** The account in the path. */
const followerIn = async (call: Call): Promise<number> =>
  call.param('user') === '@me' ? call.me.id : call.id('user', 'user', 'member')

async function follower(call: Call): Promise<Reply> {
  const [one] = await followers(call, { user_id: await followerIn(call) })
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
  route('GET', MEMBERS, 'thread', listFollowers),
  route('GET', `${MEMBERS}/:user`, 'member', follower),
  ...['PUT', 'DELETE'].flatMap((method) => [
    route(method, `${MEMBERS}/@me`, 'thread', async (call) => {
      await call.own(method, `/api/channels/${await call.id('channel')}/followers/@me`)
      return undefined
    }),
    route(method, `${MEMBERS}/:user`, 'member', async (call) => {
      await call.own(method, `/api/channels/${await call.id('channel')}/followers/${await followerIn(call)}`)
      return undefined
    }),
  ]),
]
