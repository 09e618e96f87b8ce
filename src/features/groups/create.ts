import { createHash } from 'node:crypto'
import type { Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { found, Problem } from '../../core/errors.ts'
import { type Channel, channelOf } from '../access/model.ts'
import { channelColumns, type ChannelRow } from '../access/channel-rows.ts'
import { demandFriends, demandPeace, emitGroup } from './participants.ts'

/** A channel, and whether this call created it. */
interface OpenChannel {
  channel: Channel
  isNew: boolean
}

async function readChannel(sql: Transaction, id: number): Promise<Channel> {
  const [row] = await sql<ChannelRow[]>`select ${channelColumns(sql)} from channels c where id = ${id}`
  return channelOf(found(row))
}

/**
 * Finds or creates the dm with another account. The other account does not see it before its first message.
 * @throws Problem `not_found`, `cannot_contact`
 */
export async function openDm(sql: Transaction, me: number, other: number): Promise<OpenChannel> {
  const [row] = await sql<{ outcome: 'found' | 'made' | 'cannot_contact' | 'not_found'; channel_id: number }[]>`
    select outcome, channel_id from open_dm(${me}, ${other})`
  const { outcome, channel_id } = found(row, 'internal')
  if (outcome === 'cannot_contact' || outcome === 'not_found') throw new Problem(outcome)
  return { channel: await readChannel(sql, channel_id), isNew: outcome === 'made' }
}

/**
 * Creates a group of the caller and friends, and publishes it to all of them.
 * @returns the group; the earlier one if the nonce was used before
 * @throws Problem `not_found`, `cannot_contact`, `too_many_groups`, `nonce_conflict`
 */
export async function createGroup(
  sql: Transaction,
  emit: Emit,
  me: number,
  recipientIds: number[],
  nonce: string | undefined,
): Promise<OpenChannel> {
  const request_hash = createHash('sha256').update(JSON.stringify(recipientIds)).digest()
  const before = nonce === undefined ? undefined : await earlierGroup(sql, me, nonce, request_hash)
  if (before) return { channel: before, isNew: false }
  await demandPeace(sql, [me, ...recipientIds])
  await demandFriends(sql, me, recipientIds)
  const [group] = await sql<{ id: number }[]>`
    insert into channels (name, type, position, owner_id) values ('', 'group', 0, ${me}) returning id`
  const { id } = found(group)
  await sql`insert into participants (channel_id, user_id)
    select ${id}, user_id from unnest(${[me, ...recipientIds]}::bigint[]) user_id`
  if (nonce !== undefined)
    await sql`insert into group_nonces ${sql({ owner_id: me, nonce, request_hash, channel_id: id })}
      on conflict (owner_id, nonce) do update set request_hash = excluded.request_hash,
        channel_id = excluded.channel_id, created_at = now()`
  return { channel: await emitGroup(sql, emit, 'channel.created', id), isNew: true }
}

/**
 * The group that was created under this nonce within 24 hours.
 * @throws Problem `nonce_conflict` if the request differs, or if the caller has left the group
 */
async function earlierGroup(sql: Transaction, me: number, nonce: string, hash: Buffer): Promise<Channel | undefined> {
  // Serialize one account's uses of one nonce.
  await sql`select pg_advisory_xact_lock(hashtextextended(${nonce}, ${me}))`
  const [earlier] = await sql<{ channel_id: number; is_same: boolean }[]>`
    select channel_id, request_hash = ${hash} and exists (
      select from participants p where p.channel_id = n.channel_id and p.user_id = ${me}) as is_same
    from group_nonces n where owner_id = ${me} and nonce = ${nonce} and created_at > now() - interval '24 hours'`
  if (!earlier) return undefined
  if (!earlier.is_same) throw new Problem('nonce_conflict')
  return readChannel(sql, earlier.channel_id)
}
