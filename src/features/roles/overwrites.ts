import { z } from 'zod'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import { columns } from '../../database/database.ts'
import { cursorList, slice } from '../../http/lists.ts'
import type { Parts } from '../../parts.ts'
import { topic } from '../../core/events.ts'
import { BODY_CODES, found, Problem, PLACE_CODES } from '../../core/errors.ts'
import { CursorQuery } from '../../core/paging.ts'
import { difference, union } from '../../core/permissions.ts'
import { answers, DecimalId, Nothing } from '../../core/schema.ts'
import { audit } from '../audit/record.ts'
import { demand, guarded, membership, serverOf, visibleChannel } from '../access/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import type { Transaction } from '../../database/database.ts'
import type { Emit, Notify } from '../../events/write.ts'
import { explain } from './explain.ts'
import { demandBelow, demandHeld, demandHeldWithin, overwritesOf, visibleRole, beginAccessChange } from './hierarchy.ts'
import { Explanation, Overwrite, OverwriteDeletion, OverwriteDraft } from './model.ts'
import { whileOpening } from './openings.ts'
import { endAccessChange } from './order.ts'

const tags = ['Roles']
const ChannelPath = z.object({ channel_id: DecimalId })
const OverwritePath = z.object({ channel_id: DecimalId, role_id: DecimalId })

/** Stricter than the general limit, because a category's overwrite changes permissions in all its channels. */
const OVERWRITES: BucketPolicy = { name: 'overwrites', burst: 60, refillPerS: 1 }

interface Change {
  channel_id: number
  role_id: number
  meId: number
  /** The new overwrite; undefined deletes it. */
  next: { allow: number; deny: number } | undefined
  /** Channels that may become visible to self-assignable roles. */
  confirmedIds: number[]
}

/**
 * Sets or deletes an overwrite. The role must rank below the caller, who must have the changed bits in the channel.
 * @throws Problem `not_found`, `missing_permission`, `forbidden`, `opens_channels`
 */
async function change(sql: Transaction, emit: Emit, notify: Notify, wish: Change) {
  const { channel_id, role_id, meId, next, confirmedIds } = wish
  const channel = await visibleChannel(sql, channel_id, meId)
  const server_id = serverOf(channel, 'manage_roles')
  if (channel.type === 'thread') throw new Problem('forbidden', 'A thread has the permissions of its channel')
  const actor = await beginAccessChange(sql, server_id, meId)
  const { permissions } = await visibleChannel(sql, channel_id, meId)
  const role = await visibleRole(sql, role_id, meId)
  if (role.server_id !== server_id) throw new Problem('not_found')
  const [before] = await sql<Overwrite[]>`select ${columns(sql, Overwrite)} from overwrites
    where channel_id = ${channel_id} and role_id = ${role_id}`
  if (!next) found(before)
  demand(permissions, 'manage_roles')
  demandBelow(actor, role.position)
  const changedBits = union(
    difference(before?.allow ?? 0, next?.allow ?? 0),
    difference(before?.deny ?? 0, next?.deny ?? 0),
  )
  demandHeld({ is_owner: actor.is_owner, permissions }, changedBits)
  await demandHeldWithin(sql, actor, { channel_id, role_id, bits: changedBits })
  const [after] = await whileOpening(sql, server_id, confirmedIds, async () =>
    next
      ? sql<Overwrite[]>`insert into overwrites ${sql({ channel_id, role_id, ...next })}
        on conflict (channel_id, role_id) do update set allow = excluded.allow, deny = excluded.deny
        returning ${columns(sql, Overwrite)}`
      : sql<Overwrite[]>`delete from overwrites where channel_id = ${channel_id} and role_id = ${role_id}`,
  )
  await endAccessChange(sql, notify, server_id)
  const [row] = await sql<{ restricted: boolean }[]>`select restricted from channels where id = ${channel_id}`
  const overwrites = await overwritesOf(sql, channel_id)
  const event = { id: channel_id, server_id, overwrites: [...overwrites] }
  emit(topic.channel({ id: channel_id, server_id, ...found(row) }), 'channel.permissions_updated', event)
  const action = next ? 'overwrite.updated' : 'overwrite.deleted'
  await audit(sql, { server_id, actor_id: meId, action }, ['channel', channel_id], before ?? null, after ?? null)
  return after
}

/** Overwrites of a channel, and the explanation of a member's permissions there. */
export const overwriteRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .get(
      '/api/channels/:channel_id/permissions',
      async ({ channel, query, request }) =>
        cursorList<Overwrite>(
          request,
          query,
          'oldest',
          (row) => row.role_id,
          (scan) => parts.sql`select ${columns(parts.sql, Overwrite)} from overwrites
            where channel_id = ${channel.id} and ${slice(parts.sql, 'role_id', scan)}`,
        ),
      {
        params: ChannelPath,
        query: CursorQuery,
        channel: 'none',
        detail: { summary: 'List the overwrites of a channel, ordered by role id; the cursors are role ids', tags },
        response: answers({ 200: z.array(Overwrite) }, ...PLACE_CODES),
      },
    )
    .get(
      '/api/roles/:role_id/overwrites',
      async ({ params, me, query, request }) => {
        const role = await visibleRole(parts.sql, params.role_id, me.id)
        return cursorList<Overwrite>(
          request,
          query,
          'oldest',
          (row) => row.channel_id,
          (scan) => parts.sql`select ${columns(parts.sql, Overwrite)} from overwrites
            where role_id = ${role.id} and channel_id in (
              select cp.channel_id from channel_permissions cp
              where cp.server_id = ${role.server_id} and cp.user_id = ${me.id} and can_view(cp.permissions))
            and ${slice(parts.sql, 'channel_id', scan)}`,
        )
      },
      {
        params: z.object({ role_id: DecimalId }),
        query: CursorQuery,
        detail: {
          summary: 'List the overwrites of a role in the channels that the caller sees; the cursors are channel ids',
          tags,
        },
        response: answers({ 200: z.array(Overwrite) }, ...PLACE_CODES),
      },
    )
    .put(
      '/api/channels/:channel_id/permissions/:role_id',
      async ({ params, me, caller, body: { confirm_opens, ...next } }) => {
        await parts.limits.take(caller, OVERWRITES, `user:${me.id}`)
        return parts.write(async (sql, emit, notify) =>
          found(
            await change(sql, emit, notify, { ...params, meId: me.id, next, confirmedIds: confirm_opens }),
            'internal',
          ),
        )
      },
      {
        params: OverwritePath,
        body: OverwriteDraft,
        detail: {
          summary: 'Replace an overwrite; absent fields are 0. The caller must have the changed bits in the channel',
          tags,
        },
        response: answers(
          { 200: Overwrite },
          'forbidden',
          'opens_channels',
          'role_too_strong',
          ...PLACE_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .delete(
      '/api/channels/:channel_id/permissions/:role_id',
      async ({ params, me, caller, body, status }) => {
        await parts.limits.take(caller, OVERWRITES, `user:${me.id}`)
        return parts.write(async (sql, emit, notify) => {
          await change(sql, emit, notify, { ...params, meId: me.id, next: undefined, confirmedIds: body.confirm_opens })
          return status(204, undefined)
        })
      },
      {
        params: OverwritePath,
        body: OverwriteDeletion,
        detail: { summary: 'Delete an overwrite; the caller must have its bits in the channel', tags },
        response: answers({ 204: Nothing }, 'forbidden', 'opens_channels', ...PLACE_CODES, ...BODY_CODES),
      },
    )
    .get(
      '/api/channels/:channel_id/permissions/explain',
      async ({ channel, me, query: { user_id = me.id } }) => {
        await membership(parts.sql, found(channel.server_id, 'forbidden'), user_id)
        if (user_id !== me.id) demand(channel.permissions, 'manage_roles')
        return explain(parts.sql, channel.audience_id, user_id)
      },
      {
        params: ChannelPath,
        query: z.object({ user_id: DecimalId.optional().describe('whose permissions; one’s own unless given') }),
        channel: 'none',
        detail: {
          summary: 'Explain which role or overwrite decides each permission; for other members, needs manage_roles',
          tags,
        },
        response: answers({ 200: Explanation }, 'forbidden', ...PLACE_CODES),
      },
    )
