import type { Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import { found, Problem } from '../../core/errors.ts'
import { type AllowedMentions, allowedMentionsIn, mentionsIn } from '../../core/markup/references.ts'
import { type Settle, textsIn } from '../../core/judge.ts'
import { field } from '../../http/answers.ts'
import type { Parts } from '../../parts.ts'
import { demand } from '../access/guard.ts'
import { demandContact } from '../access/contact.ts'
import type { embedsOf } from '../previews/embed-drafts.ts'
import { lockServersShowing } from '../files/access.ts'
import { wantPictures } from '../previews/embed-pictures.ts'
import { type Embed, Embeds } from '../previews/model.ts'
import { demandSmall } from './components.ts'
import { setFiles } from './edit-files.ts'
import type { Components, Message } from './model.ts'
import { withMine } from '../reactions/mine.ts'
import { changeMessage, demandWritten, type MessagePlace } from '../access/place.ts'

/**
 * Demands that the caller may edit the text of the message, which is theirs.
 * @throws Problem `forbidden`, `missing_permission`, `cannot_contact` in a dm
 */
async function demandOwn(sql: Transaction, me: number, place: MessagePlace): Promise<void> {
  const { author_id, recipient_id, server_id, permissions } = place
  if (author_id !== me) throw new Problem('forbidden', 'Only the author can edit a message')
  demandWritten(place)
  // An edit counts as writing, so it needs the same permissions: a member who is timed out cannot edit.
  if (server_id !== null) demand(permissions, place.is_thread ? 'send_in_threads' : 'send_messages')
  if (place.locked) demand(permissions, 'manage_threads')
  if (recipient_id !== null) await demandContact(sql, me, recipient_id)
}

/** Accounts that an edit newly mentions, by name or role. */
interface NewMentions {
  user_ids: number[]
  role_ids: number[]
}

/** Accounts that an edit newly mentions in a thread now follow it. */
async function followMentioned(
  sql: Transaction,
  emit: Emit,
  place: MessagePlace,
  mentions: NewMentions,
): Promise<void> {
  const { channel_id, server_id, audience_id } = place
  const { user_ids, role_ids } = mentions
  if (user_ids.length + role_ids.length === 0 || server_id === null) return
  const followers = await sql<{ user_id: number }[]>`
    select user_id from (
      select follow_thread(${channel_id}, ${user_ids}) union select follow_called(${channel_id}, ${role_ids})
    ) follower (user_id) order by user_id`
  for (const { user_id } of followers) {
    const ownTopic = topic.user(user_id, { server_id, channel_id: audience_id })
    emit(ownTopic, 'thread.followed', { channel_id, following: true })
  }
}

/** Changes of the caller's message; absent fields stay. Only bots may use all but the first. */
export interface MessageChange {
  content?: string | undefined
  components?: Components | undefined
  embeds?: ReturnType<typeof embedsOf> | undefined
  allowed_mentions?: AllowedMentions | undefined
  /** All files of the message from now on: some that it has, and new ones of the caller. */
  file_ids?: number[] | undefined
}

/** Replaces a message's embeds, except link previews. */
function embedsWith(cards: Embed[], content: string, before: Embed[] | null): string | null {
  const previews = (before ?? []).filter(({ type, url }) => type !== 'rich' && content.includes(url ?? ''))
  const embeds = previews.reduce((all, preview) => Embeds.safeParse([...all, preview]).data ?? all, cards)
  return embeds.length > 0 ? JSON.stringify(embeds) : null
}

/** @returns the newly mentioned accounts */
async function update(sql: Transaction, id: number, place: MessagePlace, change: MessageChange): Promise<NewMentions> {
  const [before] = await sql<{ content: string; embeds: Embed[] | null }[]>`
    select content, embeds from messages where id = ${id}`
  const { content = found(before).content, components, embeds, allowed_mentions, file_ids } = change
  demandSmall(components ?? [], embeds?.embeds ?? [])
  const isWritten = change.content !== undefined
  const isEdited = isWritten || embeds !== undefined || file_ids !== undefined
  const cards = embeds && embedsWith(embeds.embeds, content, found(before).embeds)
  const data = components && JSON.stringify({ components })
  const { people, roles, everyone, here } = allowed_mentions
    ? allowedMentionsIn(content, allowed_mentions)
    : mentionsIn(content)
  const [row] = await sql<(NewMentions & { is_empty: boolean })[]>`
    update messages m set content = ${content},
      edited_at = case when ${isEdited} then clock_timestamp() else m.edited_at end,
      mention_ids = case when ${isWritten} then named.people else m.mention_ids end,
      mention_role_ids = case when ${isWritten} then named.roles else m.mention_role_ids end,
      mention_everyone = case when ${isWritten} then named.everyone else m.mention_everyone end,
      mention_here = case when ${isWritten} then named.here else m.mention_here end,
      embeds = case when ${embeds !== undefined} then ${cards ?? null}::text::json else kept_embeds(m, ${content}) end,
      data = case when ${data ?? null}::text is null then m.data
        else (coalesce(m.data::jsonb, '{}') || ${data ?? null}::text::jsonb)::json end
    from messages before, channels c, resolved_mentions(c, ${place.permissions}, ${people}::bigint[] || array(
      select r.author_id from messages r join messages own on own.reply_to_id = r.id
      where own.id = ${id} and own.reply_mention and r.author_id <> own.author_id),
      ${roles}, ${everyone}, ${here}) named
    where m.id = ${id} and before.id = m.id and c.id = m.channel_id
    returning array(select unnest(m.mention_ids) except select unnest(before.mention_ids)) as user_ids,
      array(select unnest(m.mention_role_ids) except select unnest(before.mention_role_ids)) as role_ids,
      m.content = '' and m.forwarded_id is null and m.forwarded is null and not m.polled
      and m.sticker_id is null
      and coalesce(json_array_length(m.data -> 'components'), 0) = 0
      and not exists (select from json_array_elements(m.embeds) embed where embed ->> 'type' = 'rich')
      and not exists (select from files where message_id = m.id) as is_empty`
  const { is_empty, user_ids, role_ids } = found(row)
  if (is_empty) throw field('content', 'Must not be empty without files')
  if (embeds) await wantPictures(sql, id, embeds.pictures)
  return { user_ids, role_ids }
}

/**
 * Judges an edit by the rules of the message's server, before anything is locked.
 * @returns to call once the message is edited
 * @throws Problem `automod_blocked`
 */
export async function judgeEdit(
  { sql, judge }: Pick<Parts, 'sql' | 'judge'>,
  id: number,
  author_id: number,
  { content = '', components, embeds, file_ids = [] }: MessageChange,
): Promise<Settle | undefined> {
  if (judge.isIdle()) return undefined
  const [place] = await sql<{ channel_id: number }[]>`
    select channel_id from messages where id = ${id} and author_id = ${author_id}`
  const texts = [content, ...textsIn(components), ...textsIn(embeds?.embeds)]
  return place && judge.demand({ author_id, place, texts, file_ids })
}

/**
 * Changes a message of the caller's, and publishes it; forwards of it stay as they are.
 * @returns the message as it is now
 * @throws Problem `not_found`, `forbidden`, `missing_permission`, `cannot_contact` in a dm, `validation_failed`,
 * `already_attached`
 */
export async function editMessage(
  sql: Transaction,
  emit: Emit,
  id: number,
  me: number,
  change: MessageChange,
): Promise<Message> {
  const { file_ids } = change
  // Servers are locked before messages.
  if (file_ids) await lockServersShowing(sql, sql`f.message_id = ${id}`)
  const { message } = await changeMessage(sql, emit, id, me, undefined, async (place) => {
    await demandOwn(sql, me, place)
    if (file_ids) await setFiles(sql, emit, id, me, place, file_ids)
    const mentions = await update(sql, id, place, change)
    if (place.is_thread) await followMentioned(sql, emit, place, mentions)
  })
  return found((await withMine(sql, me, [message]))[0])
}
