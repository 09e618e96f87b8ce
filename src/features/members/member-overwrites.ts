import { z } from 'zod'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit, Notify } from '../../events/write.ts'
import type { Parts } from '../../parts.ts'
import { topic } from '../../core/events.ts'
import { BODY_CODES, found, PLACE_CODES, Problem } from '../../core/errors.ts'
import { difference, holds, union } from '../../core/permissions.ts'
import { answers, DecimalId, Nothing } from '../../core/schema.ts'
import { audit } from '../audit/record.ts'
import { demand, guarded, type Membership, serverOf, visibleChannel } from '../access/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { beginAccessChange, demandHeld, overwritesOf } from '../roles/hierarchy.ts'
import { MemberOverwrite, MemberOverwriteDraft } from '../roles/model.ts'
import { endAccessChange } from '../roles/order.ts'
import { demandRank } from './membership.ts'

const tags = ['Roles']
const ChannelPath = z.object({ channel_id: DecimalId })
const OverwritePath = ChannelPath.extend({ user_id: DecimalId })
/** Overwrites for members per channel. */
export const MEMBER_OVERWRITES_MAX = 100
const CHANGES: BucketPolicy = { name: 'member overwrites', burst: 60, refillPerS: 1 }

interface Bits {
  allow: number
  deny: number
}

interface Change {
  channel_id: number
  user_id: number
  meId: number
  /** The new bits; undefined deletes the overwrite. */
  next: Bits | undefined
}

const rowsOf = (sql: Sql, where: ReturnType<Sql>) => sql<MemberOverwrite[]>`
  select o.channel_id, public_user(u) as user, o.allow, o.deny
  from member_overwrites o join users u on u.id = o.user_id where ${where} order by o.user_id`

/**
 * Demands that a change of bits, which a category passes on, stays within what the caller has in each channel that
 * inherits them.
 * @throws Problem `missing_permission`
 */
async function demandHeldWithin(sql: Sql, actor: Membership, { channel_id, user_id }: Change, bits: number) {
  if (actor.is_owner) return
  const rows = await sql<{ bits: number; permissions: number }[]>`
    select ${bits}::bigint & ~coalesce(own.allow | own.deny, 0) as bits, cp.permissions from channels c
    join channel_permissions cp on cp.channel_id = c.id and cp.user_id = ${actor.user_id}
    left join member_overwrites own on own.channel_id = c.id and own.user_id = ${user_id}
    where c.parent_id = ${channel_id}`
  for (const { bits: changedBits, permissions } of rows) {
    if (changedBits === 0) continue
    demand(permissions, 'manage_roles')
    demandHeld({ is_owner: false, permissions }, changedBits)
  }
}

async function demandSpace(sql: Sql, channel_id: number): Promise<void> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) from member_overwrites where channel_id = ${channel_id}`
  if (found(row).count >= MEMBER_OVERWRITES_MAX) throw new Problem('too_many_overwrites')
}

const seesChannel = async (sql: Sql, channel_id: number, userId: number): Promise<boolean> => {
  const [row] = await sql<{ permissions: number }[]>`select permissions from channel_access(${channel_id}, ${userId})`
  return row !== undefined && holds(row.permissions, 'view_channel')
}

/**
 * Sets or deletes the overwrite for a member, who must rank below the caller. The caller must have the changed bits in
 * the channel. What is left for somebody who has left the server can only be deleted.
 * @throws Problem `not_found`, `missing_permission`, `forbidden`, `cannot_target_self`, `too_many_overwrites`
 */
async function change(sql: Transaction, emit: Emit, notify: Notify, request: Change) {
  const { channel_id, user_id, meId, next } = request
  const channel = await visibleChannel(sql, channel_id, meId)
  const server_id = serverOf(channel, 'manage_roles')
  if (channel.type === 'thread') throw new Problem('forbidden', 'A thread has the permissions of its channel')
  const actor = await beginAccessChange(sql, server_id, meId)
  const { permissions } = await visibleChannel(sql, channel_id, meId)
  demand(permissions, 'manage_roles')
  const target = await demandRank(sql, actor, user_id)
  const ofTarget: ReturnType<Sql> = sql`o.channel_id = ${channel_id} and o.user_id = ${user_id}`
  const [before] = await rowsOf(sql, ofTarget)
  if (next) found(target)
  else found(before)
  const changedBits = union(
    difference(before?.allow ?? 0, next?.allow ?? 0),
    difference(before?.deny ?? 0, next?.deny ?? 0),
  )
  demandHeld({ is_owner: actor.is_owner, permissions }, changedBits)
  await demandHeldWithin(sql, actor, request, changedBits)
  if (next && !before) await demandSpace(sql, channel_id)
  const sawChannel = await seesChannel(sql, channel_id, user_id)
  if (next)
    await sql`insert into member_overwrites ${sql({ server_id, channel_id, user_id, ...next })}
      on conflict (channel_id, user_id) do update set allow = excluded.allow, deny = excluded.deny`
  else await sql`delete from member_overwrites o where ${ofTarget}`
  const [after] = await rowsOf(sql, ofTarget)
  await endAccessChange(sql, notify, server_id)
  await announce(sql, emit, channel_id, server_id)
  if (target && (sawChannel || (await seesChannel(sql, channel_id, user_id)))) {
    const own = { channel_id, server_id, allow: next?.allow ?? 0, deny: next?.deny ?? 0 }
    emit(topic.user(user_id, { server_id }), 'channel.own_overwrite_updated', own)
  }
  const action = next ? 'overwrite.updated' : 'overwrite.deleted'
  const entry = { server_id, actor_id: meId, action } as const
  await audit(sql, entry, ['channel', channel_id], named(before), named(after))
  return after
}

const named = (row: MemberOverwrite | undefined) =>
  row ? { user_id: row.user.id, allow: row.allow, deny: row.deny } : null

/** Publishes that permissions in a channel changed: caches of the server are read again, open settings as well. */
async function announce(sql: Transaction, emit: Emit, channel_id: number, server_id: number): Promise<void> {
  const [row] = await sql<{ restricted: boolean }[]>`select restricted from channels where id = ${channel_id}`
  const event = { id: channel_id, server_id, overwrites: [...(await overwritesOf(sql, channel_id))] }
  emit(topic.channel({ id: channel_id, server_id, ...found(row) }), 'channel.permissions_updated', event)
}

/** Overwrites for single members of a channel or category. */
export const memberOverwriteRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .get(
      '/api/channels/:channel_id/permissions/members',
      async ({ channel }) => {
        serverOf(channel, 'manage_roles')
        return rowsOf(parts.sql, parts.sql`o.channel_id = ${channel.id}`)
      },
      {
        params: ChannelPath,
        channel: 'manage_roles',
        detail: {
          summary: `List the overwrites for members of a channel, at most ${MEMBER_OVERWRITES_MAX}, ordered by user id`,
          tags,
        },
        response: answers({ 200: z.array(MemberOverwrite) }, ...PLACE_CODES),
      },
    )
    .put(
      '/api/channels/:channel_id/permissions/members/:user_id',
      async ({ params, me, caller, body }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        return parts.write(async (sql, emit, notify) =>
          found(await change(sql, emit, notify, { ...params, meId: me.id, next: body }), 'internal'),
        )
      },
      {
        params: OverwritePath,
        body: MemberOverwriteDraft,
        detail: {
          summary: 'Replace the overwrite for a member; the caller must have the changed bits in the channel',
          description:
            'It counts more than the overwrites of roles. The channels of a category inherit its bits where their ' +
            'own overwrite for the member does not mention them. When the member leaves, denials stay.',
          tags,
        },
        response: answers(
          { 200: MemberOverwrite },
          'forbidden',
          'cannot_target_self',
          'too_many_overwrites',
          ...PLACE_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .delete(
      '/api/channels/:channel_id/permissions/members/:user_id',
      async ({ params, me, caller, status }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        return parts.write(async (sql, emit, notify) => {
          await change(sql, emit, notify, { ...params, meId: me.id, next: undefined })
          return status(204, undefined)
        })
      },
      {
        params: OverwritePath,
        detail: { summary: 'Delete the overwrite for a member; the caller must have its bits in the channel', tags },
        response: answers({ 204: Nothing }, 'forbidden', 'cannot_target_self', ...PLACE_CODES),
      },
    )
