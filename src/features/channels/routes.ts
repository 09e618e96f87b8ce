import { z } from 'zod'
import { columns, type Sql, type Transaction } from '../../database/database.ts'
import { offsetList } from '../../http/lists.ts'
import type { Parts } from '../../parts.ts'
import type { Emit } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import { BODY_CODES, found, ROOM_CODES } from '../../core/errors.ts'
import { OffsetQuery } from '../../core/paging.ts'
import { answers, DecimalId, Nothing } from '../../core/schema.ts'
import { audit } from '../audit/record.ts'
import { clearPictures, lockServersShowing } from '../files/access.ts'
import { demand, guarded, membership, visibleChannel } from '../servers/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { Channel, ChannelDraft, ChannelPatch, type ChannelRow } from './model.ts'
import { lockChannels, moved, renumber, SHIFTS } from './positions.ts'

const tags = ['Channels']
const ServerPath = z.object({ server_id: DecimalId })
const ChannelPath = z.object({ channel_id: DecimalId })

const emitUpdated = (emit: Emit, channels: ChannelRow[]) => {
  for (const channel of channels) emit(topic.channel(channel), 'channel.updated', Channel.parse(channel))
}

/** The channel, read inside the lock. @throws Problem when the caller has lost the permission meanwhile */
async function managedChannel(sql: Transaction, id: number, user_id: number) {
  const channel = await visibleChannel(sql, id, user_id)
  demand(channel.permissions, 'manage_channels')
  return channel
}

/** Channels of a server. */
export const channelRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .post(
      '/api/servers/:server_id/channels',
      async ({ member, body, status }) => {
        await parts.space.demand()
        return parts.write(async (sql, emit, notify) => {
          const { server_id, user_id } = member
          const order = await lockChannels(sql, server_id)
          demand((await membership(sql, server_id, user_id)).permissions, 'manage_channels')
          const [channel] = await sql<ChannelRow[]>`
            insert into channels as c (server_id, name, type, topic, position, restricted)
            values (${server_id}, ${body.name}, ${body.type}, ${body.topic}, ${order.length}, is_hidden(${server_id}))
            returning ${columns(sql, Channel, 'c')}, c.restricted`
          const shown = Channel.parse(channel)
          const entry = { server_id, actor_id: user_id, action: 'channel.created' as const }
          await audit(sql, entry, ['channel', shown.id], null, shown)
          if (found(channel).restricted) notify({ kind: 'server_access_changed', server_id, hidden: [], revealed: [] })
          emit(topic.channel(found(channel)), 'channel.created', shown)
          return status(201, shown)
        })
      },
      {
        params: ServerPath,
        body: ChannelDraft,
        member: 'manage_channels',
        detail: { summary: 'Create a channel at the end of the list', tags },
        response: answers(
          { 201: Channel },
          'channel_name_taken',
          'too_many_channels',
          'storage_full',
          ...ROOM_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .get(
      '/api/servers/:server_id/channels',
      async ({ params, me, query, request }) =>
        offsetList<Channel>(
          request,
          query,
          (limit, offset) => parts.sql`
            select ${columns(parts.sql, Channel, 'c')} from channels c
            join channel_permissions cp on cp.channel_id = c.id and cp.user_id = ${me.id}
            where c.server_id = ${params.server_id} and can_view(cp.permissions)
            order by c.position limit ${limit} offset ${offset}`,
        ),
      {
        params: ServerPath,
        query: OffsetQuery,
        member: 'none',
        detail: { summary: 'List the channels that the caller sees, by position', tags },
        response: answers({ 200: z.array(Channel) }, ...ROOM_CODES),
      },
    )
    .get('/api/channels/:channel_id', async ({ channel }) => channel, {
      params: ChannelPath,
      channel: 'none',
      detail: { summary: 'Get a channel', tags },
      response: answers({ 200: Channel }, ...ROOM_CODES),
    })
    .put(
      '/api/channels/:channel_id',
      async ({ channel: { id, server_id }, me, caller, body: { position, ...changes } }) => {
        if (position !== undefined) await parts.limits.take(caller, SHIFTS, `user:${me.id}`)
        return parts.write(async (sql, emit) => {
          const order = await lockChannels(sql, server_id)
          const before = await managedChannel(sql, id, me.id)
          const shifted = position === undefined ? [] : await renumber(sql, moved(order, id, position))
          const [channel] = await sql<ChannelRow[]>`
            update channels c set ${sql({ ...changes, updated_at: new Date() })}
            where id = ${id} returning ${columns(sql, Channel, 'c')}, c.restricted`
          emitUpdated(emit, [found(channel), ...shifted.filter((other) => other.id !== id)])
          const entry = { server_id, actor_id: me.id, action: 'channel.updated' as const }
          await audit(sql, entry, ['channel', id], Channel.parse(before), Channel.parse(channel))
          return found(channel)
        })
      },
      {
        params: ChannelPath,
        body: ChannelPatch,
        channel: 'manage_channels',
        detail: { summary: 'Update a channel; a position out of range is clamped', tags },
        response: answers({ 200: Channel }, 'channel_name_taken', ...ROOM_CODES, ...BODY_CODES),
      },
    )
    .delete(
      '/api/channels/:channel_id',
      async ({ channel: { id, server_id }, me, caller, status }) => {
        await parts.limits.take(caller, SHIFTS, `user:${me.id}`)
        return parts.write(async (sql, emit, notify) => {
          const files: ReturnType<Sql> = sql`f.message_id in (select id from messages where channel_id = ${id})`
          await lockServersShowing(sql, files, [server_id])
          const order = await lockChannels(sql, server_id)
          const before = await managedChannel(sql, id, me.id)
          // Sends, edits and deletions in the channel that are under way end first; later ones find no channel.
          await sql`select change_access(${server_id})`
          await clearPictures(sql, emit, files)
          const [gone] = await sql<{ id: number; server_id: number; restricted: boolean }[]>`
            delete from channels where id = ${id} returning id, server_id, restricted`
          await sql`update events set body = null where server_id = ${server_id} and channel_id = ${id}`
          emit(topic.channel(found(gone)), 'channel.deleted', { id, server_id })
          notify({ kind: 'channel_deleted', channel_id: id })
          const entry = { server_id, actor_id: me.id, action: 'channel.deleted' as const }
          await audit(sql, entry, ['channel', id], Channel.parse(before), null)
          emitUpdated(
            emit,
            await renumber(
              sql,
              order.filter((other) => other !== id),
            ),
          )
          return status(204, undefined)
        })
      },
      {
        params: ChannelPath,
        channel: 'manage_channels',
        detail: { summary: 'Delete a channel with its messages', tags },
        response: answers({ 204: Nothing }, ...ROOM_CODES),
      },
    )
