import { customEmojiId } from '../../core/emoji.ts'
import { topic } from '../../core/events.ts'
import { found, Problem } from '../../core/errors.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { demandPartner } from '../access/contact.ts'
import {
  demandFree,
  demandWritten,
  lockedPlace,
  lockPosts,
  type MessageLocation,
  type MessagePlace,
  seersOf,
} from '../access/place.ts'
import { demand } from '../access/guard.ts'
import { type Reaction, type ReactionChange, REACTIONS_PER_MESSAGE_MAX } from './model.ts'

/** The locked message's reactions, oldest first. */
const reactionsOf = (sql: Sql, message_id: number) => sql<Pick<Reaction, 'id' | 'emoji' | 'count'>[]>`
  select id, emoji, count from reaction_counts where message_id = ${message_id} order by id`

/**
 * Locks a message, so that its reactions change, and their events get their ids, in the same order.
 * @throws Problem `not_found`
 */
async function lockMessage(sql: Transaction, message_id: number): Promise<void> {
  await lockPosts(sql, [message_id])
  found((await sql`select 1 from messages where id = ${message_id} for no key update`)[0])
}

/** Publishes the reactions of a locked message as they are now, and counts them in a post that begins with it. */
export async function emitReactions(
  sql: Transaction,
  emit: Emit,
  id: number,
  place: MessageLocation,
  change?: ReactionChange,
): Promise<void> {
  if (place.is_thread)
    await sql`select count_votes(c.id) from channels c where c.first_message_id = ${id} and c.id = ${place.channel_id}`
  const reactions = await reactionsOf(sql, id)
  const { channel_id } = place
  emit(seersOf(place), 'message.reactions', { id, channel_id, reactions, ...(change ? { change } : {}) })
}

/** The reaction with this emoji. A custom emoji is compared by id, because it may have been renamed. */
function sameAs(emoji: string, reactions: Pick<Reaction, 'id' | 'emoji' | 'count'>[]) {
  const custom = customEmojiId(emoji)
  return reactions.find((one) => one.emoji === emoji || (custom !== undefined && customEmojiId(one.emoji) === custom))
}

/** Notifies the account's own sockets of its own reaction. */
function emitMine(
  emit: Emit,
  user_id: number,
  place: MessageLocation,
  event: { message_id: number; emoji: string; on: boolean; reaction_id: number | null },
): void {
  const [within] = seersOf(place)
  emit(topic.user(user_id, { server_id: within?.server_id, channel_id: within?.channel_id }), 'reaction.mine', event)
}

/**
 * Adds the account's reaction to a message, unless it exists.
 * @throws Problem `not_found`, `missing_permission`, `forbidden` for a notice, `cannot_contact` in a dm,
 * `too_many_reactions`
 */
export async function react(sql: Transaction, emit: Emit, message_id: number, user_id: number, requestedEmoji: string) {
  const place = await lockedPlace(sql, message_id, user_id)
  demand(place.permissions, 'read_history')
  demandWritten(place)
  if (place.locked) demand(place.permissions, 'manage_threads')
  await demandPartner(sql, user_id, place)
  await lockMessage(sql, message_id)
  const reactions = await reactionsOf(sql, message_id)
  const existing = sameAs(requestedEmoji, reactions)
  if (!existing) demandNew(place, reactions.length)
  else await demandFree(sql, place, user_id)
  const emoji = existing?.emoji ?? (await usable(sql, requestedEmoji, place, user_id, message_id))
  const [reaction] = existing
    ? [existing]
    : await sql<{ id: number }[]>`
        insert into reaction_counts (message_id, emoji, count) values (${message_id}, ${emoji}, 1) returning id`
  const [row] = await sql`insert into message_reactions ${sql({ message_id, emoji, user_id })}
    on conflict do nothing returning 1`
  if (!row) return
  if (existing)
    await sql`update reaction_counts set count = count + 1 where message_id = ${message_id} and emoji = ${emoji}`
  await emitReactions(sql, emit, message_id, place, { user_id, emoji, on: true })
  emitMine(emit, user_id, place, { message_id, emoji, on: true, reaction_id: found(reaction).id })
}

/** @throws Problem `missing_permission`, `too_many_reactions` */
function demandNew({ permissions }: MessagePlace, different: number): void {
  demand(permissions, 'add_reactions')
  if (different >= REACTIONS_PER_MESSAGE_MAX) throw new Problem('too_many_reactions')
}

/**
 * The emoji with its present name; records the use of a custom one.
 * @throws Problem `not_found` for a custom emoji that the account may not use there
 */
async function usable(
  sql: Sql,
  requestedEmoji: string,
  { channel_id }: MessagePlace,
  user_id: number,
  message_id: number,
): Promise<string> {
  const id = customEmojiId(requestedEmoji)
  if (id === undefined) return requestedEmoji
  const [emoji] = await sql<{ name: string }[]>`
    select name from usable_emojis(array[${id}::bigint], ${channel_id}, ${user_id})`
  const { name } = found(emoji)
  await sql`insert into message_emojis ${sql({ message_id, emoji_id: id })} on conflict do nothing`
  return `${name}:${id}`
}

/**
 * Removes an account's reaction, if it exists. One's own goes even after a block, in a locked thread and during a
 * timeout: since no reaction can be added again, each can be signalled only once. Others' need manage_messages.
 * @returns the message's place if the reaction existed
 * @throws Problem `not_found`, `missing_permission`
 */
export async function takeBack(
  sql: Transaction,
  emit: Emit,
  message_id: number,
  callerId: number,
  requestedEmoji: string,
  user_id = callerId,
): Promise<MessagePlace | undefined> {
  const place = await lockedPlace(sql, message_id, callerId)
  if (user_id !== callerId) demand(place.permissions, 'manage_messages')
  await lockMessage(sql, message_id)
  const existing = sameAs(requestedEmoji, await reactionsOf(sql, message_id))
  if (!existing) return undefined
  const { emoji } = existing
  const rows = await sql`
    delete from message_reactions where message_id = ${message_id} and emoji = ${emoji} and user_id = ${user_id}
    returning message_id, emoji`
  if (rows.length === 0) return undefined
  await countDown(sql, [{ message_id, emoji }])
  await emitReactions(sql, emit, message_id, place, { user_id, emoji, on: false })
  emitMine(emit, user_id, place, { message_id, emoji, on: false, reaction_id: null })
  return place
}

/** Decrements the counts of locked messages' reactions. */
export async function countDown(sql: Transaction, reactions: { message_id: number; emoji: string }[]): Promise<void> {
  const [ids, emoji] = [reactions.map((row) => row.message_id), reactions.map((row) => row.emoji)]
  await sql`
    with gone as (select * from unnest(${ids}::bigint[], ${emoji}::text[]) as gone (message_id, emoji)),
    ended as (delete from reaction_counts r using gone
      where r.message_id = gone.message_id and r.emoji = gone.emoji and r.count = 1)
    update reaction_counts r set count = r.count - 1 from gone
    where r.message_id = gone.message_id and r.emoji = gone.emoji and r.count > 1`
}

/**
 * Removes everyone's reactions to a message.
 * @param requestedEmoji only reactions with this emoji
 * @returns the message's place, and the removed reactions
 * @throws Problem `not_found`, `missing_permission`
 */
export async function clearReactions(
  sql: Transaction,
  emit: Emit,
  message_id: number,
  user_id: number,
  requestedEmoji?: string,
) {
  const place = await lockedPlace(sql, message_id, user_id)
  demand(place.permissions, 'manage_messages')
  await lockMessage(sql, message_id)
  const reactions = await reactionsOf(sql, message_id)
  const clearedReactions =
    requestedEmoji === undefined ? reactions : [sameAs(requestedEmoji, reactions)].flatMap((one) => one ?? [])
  if (clearedReactions.length === 0) return { place, clearedReactions }
  const ids = clearedReactions.map(({ id }) => id)
  await sql`delete from reaction_counts where id = any(${ids}) and message_id = ${message_id}`
  const emoji = requestedEmoji === undefined ? null : (clearedReactions[0]?.emoji ?? null)
  await emitReactions(sql, emit, message_id, place, { user_id: null, emoji, on: false })
  return { place, clearedReactions }
}
