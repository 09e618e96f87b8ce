import { createHash } from 'node:crypto'
import { found, Problem } from '../../core/errors.ts'
import { type Events, topic } from '../../core/events.ts'
import { type Settle, textsIn } from '../../core/judge.ts'
import { bitOf, holds, union } from '../../core/permissions.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { field } from '../../http/answers.ts'
import type { Caller } from '../../http/caller.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { channelColumns, type ChannelRow } from '../access/channel-rows.ts'
import { demand, serverOf, type VisibleChannel } from '../access/guard.ts'
import { type Channel, channelOf } from '../access/model.ts'
import { demandLiving } from '../access/place.ts'
import { lockedChannel } from '../messages/acknowledge.ts'
import { demandSmall } from '../messages/components.ts'
import { demandOfBot } from '../messages/forward.ts'
import { refusals } from '../messages/send.ts'
import { draftOf, type SendResult } from '../messages/send-statements.ts'
import { embedsOf } from '../previews/embed-drafts.ts'
import { wantPictures } from '../previews/embed-pictures.ts'
import { demandTags } from '../threads/post-rules.ts'
import { waitForSlowmode } from '../threads/begin.ts'
import type { ThreadDraft } from '../threads/model.ts'

/** Five posts of an account an hour, in all forums together. */
const POSTS: BucketPolicy = { name: 'posts', burst: 5, refillPerS: 5 / 3600 }

interface Author {
  id: number
  is_bot: boolean
  caller: Caller
}

/** A post that its author wants to begin, with a message. */
type PostDraft = Pick<ThreadDraft, 'name'> & { tag_ids: number[]; message: NonNullable<ThreadDraft['message']> }

/** @throws Problem `validation_failed` */
function postDraft({ name, message_id, tag_ids = [], message }: ThreadDraft): PostDraft {
  if (message_id !== undefined) throw field('message_id', 'A post begins with a message of its own')
  if (!message) throw field('message', 'A post needs its first message')
  if (message.reply_to_id !== null) throw field('message.reply_to_id', 'The first message of a post replies to nothing')
  if (message.forward_message_id !== null) throw field('message.forward_message_id', 'A post cannot forward a message')
  return { name, tag_ids, message }
}

/** @throws Problem `missing_permission`, `validation_failed` */
function demandPost(forum: VisibleChannel, { tag_ids }: Pick<PostDraft, 'tag_ids'>): void {
  demand(forum.permissions, 'create_threads')
  demandTags(forum, [], tag_ids, holds(forum.permissions, 'manage_threads'))
}

/**
 * Begins a post in a forum, with its first message, in one transaction.
 * @returns the post; `isRepeated` if the nonce of the message was used for the same request before
 * @throws Problem `not_found`, `missing_permission`, `validation_failed`, `nonce_conflict`, `slowmode`, `rate_limited`,
 * `automod_blocked`, `already_attached`
 */
export async function beginPost(
  parts: Parts,
  author: Author,
  forum: VisibleChannel,
  body: ThreadDraft,
): Promise<{ post: Channel; isRepeated: boolean }> {
  demand(forum.permissions, 'create_threads')
  const draft = postDraft(body)
  const { message } = draft
  demandOfBot(author, message)
  const cards = embedsOf(message.embeds, parts.environment.LINK_PREVIEWS === 'on')
  demandSmall(message.components, cards.embeds)
  const hash = hashOf(draft)
  const earlier = await earlierPost(parts.sql, author.id, forum.id, message.nonce, hash)
  if (earlier) return { post: earlier, isRepeated: true }
  demandPost(forum, draft)
  // Bots open tickets and announce; their own limit on requests is enough.
  if (!author.is_bot) await parts.limits.take(author.caller, POSTS, `user:${author.id}`)
  const settle = await judgePost(parts, author.id, forum.id, draft)
  const result = await parts.write(async (sql, emit) => {
    const begun = await insertPost(sql, emit, author.id, forum.id, draft, { embeds: cards.embeds, hash })
    if (!begun.isRepeated && cards.pictures.length > 0)
      await wantPictures(sql, found(begun.post.first_message_id), cards.pictures)
    return begun
  })
  if (!result.isRepeated) await settle?.()
  return result
}

const hashOf = ({ name, tag_ids, message }: PostDraft): string =>
  createHash('sha256')
    .update(JSON.stringify([name, tag_ids, { ...message, nonce: undefined }]))
    .digest('hex')

/** Judges the name and the first message of a post. @throws Problem `automod_blocked` */
async function judgePost(
  { judge }: Pick<Parts, 'judge'>,
  author_id: number,
  channel_id: number,
  { name, message: { content, components, embeds, file_ids, nonce, poll, sticker_id } }: PostDraft,
): Promise<Settle | undefined> {
  if (judge.isIdle()) return undefined
  const texts = [name, content, ...textsIn(components), ...textsIn(embeds), ...textsIn(poll)]
  const bit = 'create_threads'
  return judge.demand({ author_id, place: { channel_id }, texts, file_ids, sticker_id, nonce, bit, isNew: true })
}

/**
 * The post that the account began with this nonce in the last 24 hours.
 * @throws Problem `nonce_conflict` if that was another request, or its first message is gone
 */
async function earlierPost(
  sql: Sql,
  author_id: number,
  forumId: number,
  nonce: string | undefined,
  hash: string,
): Promise<Channel | undefined> {
  if (nonce === undefined) return undefined
  const [used] = await sql<{ is_same: boolean; message_id: number }[]>`
    select used.request_hash = decode(${hash}, 'hex') as is_same, used.message_id
    from used_nonce(${author_id}, ${forumId}, ${nonce}) used where used.created_at > now() - interval '24 hours'`
  if (!used) return undefined
  const [post] = await sql<ChannelRow[]>`
    select ${channelColumns(sql)} from channels c where c.first_message_id = ${used.message_id} and ${used.is_same}`
  return channelOf(found(post, 'nonce_conflict'))
}

async function insertPost(
  sql: Transaction,
  emit: Emit,
  author_id: number,
  forumId: number,
  draft: PostDraft,
  { embeds, hash }: { embeds: object[]; hash: string },
): Promise<{ post: Channel; isRepeated: boolean }> {
  const forum = await lockedChannel(sql, forumId, author_id)
  const server_id = serverOf(forum, 'create_threads')
  const { nonce } = draft.message
  if (nonce !== undefined) {
    // The lock of write_message: of two requests with the nonce, the second one sees what the first committed.
    await sql`select pg_advisory_xact_lock(
      hashtextextended(${nonce}, ${author_id}::bigint * 1000003 + ${forumId}::bigint))`
    const earlier = await earlierPost(sql, author_id, forumId, nonce, hash)
    if (earlier) return { post: earlier, isRepeated: true }
  }
  if (forum.type !== 'forum') throw new Problem('not_found')
  demandPost(forum, draft)
  await demandLiving(sql, author_id)
  if (forum.slowmode_seconds > 0 && !holds(forum.permissions, 'manage_messages'))
    await waitForSlowmode(sql, forum, author_id)
  const [row] = await sql<{ id: number }[]>`
    insert into channels (server_id, parent_id, name, type, position, owner_id, active_at, archive_after_seconds,
      slowmode_seconds, tag_ids, pinned, votes, hidden)
    select server_id, id, ${draft.name}, 'thread', 0, ${author_id}, now(), archive_after_seconds,
      post_slowmode_seconds, ${draft.tag_ids}::bigint[], false, 0, false
    from channels where id = ${forumId} returning id`
  const { id } = found(row)
  const messageId = await writeFirst(sql, author_id, { forum, id }, draft, embeds)
  await sql`update channels set first_message_id = ${messageId} where id = ${id}`
  if (nonce !== undefined)
    await sql`insert into message_nonces
      values (${author_id}, ${forumId}, ${nonce}, decode(${hash}, 'hex'), ${messageId}, now())
      on conflict (author_id, channel_id, nonce) do update
      set request_hash = excluded.request_hash, message_id = excluded.message_id, created_at = excluded.created_at`
  await sql`select archive_quietest_posts(${forumId})`
  // thread.created has the full state.
  await sql`delete from thread_changes where channel_id = ${id}`
  const [created] = await sql<(ChannelRow & { message: Events['message.created'] })[]>`
    select ${channelColumns(sql)}, message_json(m) as message
    from channels c join messages m on m.id = c.first_message_id
    where c.id = ${id}`
  const { message, ...post } = found(created)
  const seers = topic.seers(forum)
  emit(seers, 'thread.created', channelOf(post))
  emit(seers, 'message.created', message)
  const followed = { channel_id: id, following: true }
  emit(topic.user(author_id, { server_id, channel_id: forumId }), 'thread.followed', followed)
  return { post: channelOf(post), isRepeated: false }
}

/** Writes the first message of a post. Who may begin one needs no permission to answer. @returns its id */
async function writeFirst(
  sql: Transaction,
  author_id: number,
  { forum, id }: { forum: VisibleChannel; id: number },
  { message }: PostDraft,
  embeds: object[],
): Promise<number> {
  const { components, embeds: _, nonce: __, ...fields } = message
  const more = { ...(components.length > 0 ? { components } : {}), ...(embeds.length > 0 ? { embeds } : {}) }
  const data = Object.keys(more).length > 0 ? more : null
  const outgoing = { ...fields, author_id, to: { channel_id: id }, copies: [], nonce: null, data }
  const permissions = union(forum.permissions, bitOf('send_in_threads'))
  const [written] = await sql<(Pick<SendResult, 'outcome' | 'missing' | 'retry_after'> & { message_id: number })[]>`
    select w.outcome, w.missing, w.retry_after, (w.sent).id as message_id
    from channels c, write_message(json_populate_record(null::message_draft,
      ${JSON.stringify(draftOf(outgoing))}::text::json), c, null, ${permissions}, false) w
    where c.id = ${id}`
  const { outcome, missing, message_id } = found(written, 'internal')
  if (outcome === 'created') return message_id
  if (outcome === 'missing_permission') demand(0, missing)
  if (outcome === 'repeated' || outcome === 'slowmode') throw new Problem('internal')
  throw refusals[outcome]()
}
