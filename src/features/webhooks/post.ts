import { found } from '../../core/errors.ts'
import { type Judge, type Settle, textsIn } from '../../core/judge.ts'
import { type AllowedMentions, allowedMentionsIn, type Mentions } from '../../core/markup/references.ts'
import { bitOf } from '../../core/permissions.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import type { Parts } from '../../parts.ts'
import { lockServersShowing } from '../files/access.ts'
import type { Message } from '../messages/model.ts'
import { type MessageLocation, lockedLocation, reworkMessage, selectLocations, seersOf } from '../access/place.ts'
import { removeMessage } from '../messages/remove.ts'
import type { PollDraft } from '../polls/model.ts'
import type { Embed } from '../previews/model.ts'
import type { WantedPicture } from '../previews/wanted-pictures.ts'
import type { HookFile } from './body.ts'
import { withStoredFiles } from './stored-files.ts'
import { type Hook, holdHook } from './door.ts'
import { wantPictures } from '../previews/embed-pictures.ts'

/** Discord's flags of a message. */
export interface PostFlags {
  hidesEmbeds: boolean
  /** True if devices get no notices. */
  isSilent: boolean
}

/** A message from a webhook. */
export interface Post {
  content: string
  embeds: Embed[]
  /** Pictures to fetch for the embeds and the author. */
  pictures: WantedPicture[]
  /** Undefined if the sender does not restrict mentions. */
  mentions: AllowedMentions | undefined
  flags?: PostFlags | undefined
  poll?: PollDraft | undefined
  /** The author's name in this message; null for the webhook's own. */
  author_name: string | null
}

/** The thread is locked, or does not belong to the channel. */
export class NoThread extends Error {}
/** The webhook has sent no such message in its present channel. */
export class NoMessage extends Error {}
/** The message would be empty. */
export class EmptyPost extends Error {}

const ALL_MENTIONS: AllowedMentions = { people: 'all', roles: 'all', everyone: true }
const NO_MENTIONS: AllowedMentions = { people: [], roles: [], everyone: false }

/**
 * The mentions of a text that the sender allows. If the sender does not restrict them, a webhook with the permission to
 * mention everyone mentions all, as on Discord, and any other mentions nobody.
 */
const allowedMentions = (content: string, allowance: AllowedMentions | undefined, hook: Hook): Mentions =>
  allowedMentionsIn(content, allowance ?? (hook.mentions_everyone ? ALL_MENTIONS : NO_MENTIONS))

/** The webhook's permissions for mentions, besides people and mentionable roles. */
const heldBy = ({ mentions_everyone }: Hook): number => (mentions_everyone ? bitOf('mention_everyone') : 0)

/** Locks the thread of the webhook's channel that it posts in. @throws NoThread */
async function lockThread(sql: Sql, { channel_id }: Hook, threadId: number): Promise<number> {
  const [thread] = await sql<{ locked: boolean }[]>`select locked from channels
    where id = ${threadId} and type = 'thread' and parent_id = ${channel_id} for no key update`
  if (!thread || thread.locked) throw new NoThread()
  return threadId
}

/**
 * Judges a message or an edit of a webhook by the rules of its server; a thread follows its channel.
 * @returns to call once it is written
 * @throws Problem `automod_blocked`
 */
export async function judgePost(
  judge: Judge,
  { id, channel_id }: Hook,
  {
    content = '',
    embeds,
    author_name = null,
    poll,
  }: Partial<Pick<Post, 'content' | 'embeds' | 'author_name' | 'poll'>>,
  files?: HookFile[],
): Promise<Settle | undefined> {
  if (judge.isIdle()) return undefined
  return judge.demand({
    author_id: id,
    place: { channel_id },
    texts: [content, author_name ?? '', ...textsIn(embeds), ...textsIn(poll)],
    files: (files ?? []).map(({ filename, type }) => ({ filename, content_type: type })),
    isNew: files !== undefined,
  })
}

/**
 * Sends a message of a webhook, with its files.
 * @param threadId a thread of its channel; null for the channel
 * @throws NoThread, EmptyPost, Problem `automod_blocked`, `not_found`, and those of storeBytes
 */
export async function sendPost(
  parts: Parts,
  admittedHook: Hook,
  post: Post,
  attachments: HookFile[],
  threadId: number | null,
): Promise<Message> {
  // Skip empty files: senders attach logs without checking them.
  const files = attachments.filter(({ bytes }) => bytes.length > 0)
  const shownEmbeds = post.flags?.hidesEmbeds ? 0 : post.embeds.length
  if (post.content === '' && shownEmbeds === 0 && files.length === 0 && !post.poll) throw new EmptyPost()
  await parts.space.demand()
  const settle = await judgePost(parts.judge, admittedHook, post, files)
  const message = await withStoredFiles(parts, admittedHook.creator_id, files, (fileIds) =>
    parts.write((sql, emit) => insertPost(sql, emit, admittedHook, post, fileIds, threadId)),
  )
  await settle?.()
  return message
}

async function insertPost(
  sql: Transaction,
  emit: Emit,
  admittedHook: Hook,
  { content, embeds, pictures, mentions, flags, author_name, poll }: Post,
  fileIds: number[],
  threadId: number | null,
): Promise<Message> {
  await sql`select share_channel(c) from channels c where c.id = ${admittedHook.channel_id}`
  const hook = await holdHook(sql, admittedHook)
  const channel_id = threadId === null ? hook.channel_id : await lockThread(sql, hook, threadId)
  const { people, roles, everyone, here } = allowedMentions(content, mentions, hook)
  const embedJson = embeds.length > 0 ? JSON.stringify(embeds) : null
  const [newMessage] = await sql<{ id: number }[]>`
    select m.id
    from channels c, resolved_mentions(c, ${heldBy(hook)}, ${people}, ${roles}, ${everyone}, ${here}) named,
      insert_messages(array[new_message(channel_id => c.id, author_id => ${hook.id}, content => ${content},
        mention_ids => named.people, mention_role_ids => named.roles, mention_everyone => named.everyone,
        mention_here => named.here, embeds => ${embedJson}::text::json,
        embeds_suppressed => ${flags?.hidesEmbeds ?? false},
        data => ${flags?.isSilent ? JSON.stringify({ silent: true }) : null}::text::json,
        author_name => ${author_name}, polled => ${poll !== undefined})]) m
    where c.id = ${channel_id}`
  const { id } = found(newMessage)
  if (poll) await sql`select add_poll(${id}, ${JSON.stringify(poll)}::text::json)`
  if (pictures.length > 0) await wantPictures(sql, id, pictures)
  if (fileIds.length > 0)
    await sql`update files f set message_id = ${id}, ordinal = array_position(${fileIds}::bigint[], f.id)
      where f.id = any(${fileIds}) and f.message_id is null`
  if (threadId !== null) await sql`select note_in_thread(${channel_id}, m) from messages m where m.id = ${id}`
  const [row] = await sql<{ message: Message }[]>`select message_json(m) as message from messages m where m.id = ${id}`
  const [place] = await selectLocations(sql, sql`m.id = ${id}`)
  const { message } = found(row)
  emit(seersOf(found(place)), 'message.created', message)
  return message
}

/**
 * A message of the webhook in its present channel, with access to it locked.
 * @throws NoMessage for other authors' messages, and those in an earlier channel; Problem `not_found`
 */
async function ownMessage(
  sql: Transaction,
  admittedHook: Hook,
  id: number,
): Promise<{ hook: Hook; place: MessageLocation }> {
  // Do not lock other authors' messages.
  if ((await sql`select 1 from messages where id = ${id} and author_id = ${admittedHook.id}`).length === 0)
    throw new NoMessage()
  await lockServersShowing(sql, sql`f.message_id = ${id}`)
  const place = await lockedLocation(sql, id)
  const hook = await holdHook(sql, admittedHook)
  const isThere = place.author_id === hook.id && place.audience_id === hook.channel_id
  if (!isThere || place.locked) throw new NoMessage()
  return { hook, place }
}

/** A message of the webhook in its present channel. @throws NoMessage */
export async function readPost(sql: Sql, hook: Hook, id: number): Promise<Message> {
  const [row] = await sql<{ message: Message }[]>`
    select message_json(m) as message from messages m join channels c on c.id = m.channel_id
    where m.id = ${id} and m.author_id = ${hook.id} and c.audience_id = ${hook.channel_id}`
  if (!row) throw new NoMessage()
  return row.message
}

/** Changes of a message; absent fields stay unchanged. */
export interface PostEdit {
  content?: string | undefined
  embeds?: Embed[] | undefined
  /** The pictures of the new embeds. */
  pictures?: WantedPicture[] | undefined
  hidesEmbeds?: boolean | undefined
  mentions: AllowedMentions | undefined
}

/**
 * Changes a message of a webhook, and publishes it.
 * @throws EmptyPost, NoMessage, Problem `not_found`
 */
export async function editPost(
  sql: Transaction,
  emit: Emit,
  admittedHook: Hook,
  id: number,
  edit: PostEdit,
): Promise<Message> {
  const { hook, place } = await ownMessage(sql, admittedHook, id)
  const message = await reworkMessage(sql, emit, id, place, async () => {
    const [before] = await sql<{ content: string }[]>`select content from messages where id = ${id}`
    const content = edit.content ?? found(before).content
    const { people, roles, everyone, here } = allowedMentions(content, edit.mentions, hook)
    const embedJson = edit.embeds && edit.embeds.length > 0 ? JSON.stringify(edit.embeds) : null
    const isMentioning = edit.content !== undefined
    const [row] = await sql<{ is_empty: boolean }[]>`
      update messages m set content = ${content}, edited_at = clock_timestamp(),
        mention_ids = case when ${isMentioning} then named.people else m.mention_ids end,
        mention_role_ids = case when ${isMentioning} then named.roles else m.mention_role_ids end,
        mention_everyone = case when ${isMentioning} then named.everyone else m.mention_everyone end,
        mention_here = case when ${isMentioning} then named.here else m.mention_here end,
        embeds_suppressed = coalesce(${edit.hidesEmbeds ?? null}, m.embeds_suppressed),
        embeds = case when ${edit.embeds !== undefined} then ${embedJson}::text::json
          else kept_embeds(m, ${content}) end
      from channels c, resolved_mentions(c, ${heldBy(hook)}, ${people}, ${roles}, ${everyone}, ${here}) named
      where m.id = ${id} and c.id = m.channel_id
      returning m.content = '' and (m.embeds is null or m.embeds_suppressed or json_array_length(m.embeds) = 0)
        and not m.polled and m.sticker_id is null
        and not exists (select from files where message_id = m.id) as is_empty`
    if (found(row).is_empty) throw new EmptyPost()
    if (edit.pictures) await wantPictures(sql, id, edit.pictures)
  })
  return message
}

/** Deletes a message of a webhook. @throws NoMessage, Problem `not_found` */
export async function deletePost(sql: Transaction, emit: Emit, admittedHook: Hook, id: number): Promise<void> {
  const { place } = await ownMessage(sql, admittedHook, id)
  await removeMessage(sql, emit, id, place)
}
