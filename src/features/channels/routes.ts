import { z } from 'zod'
import { columns, type Sql, type Transaction } from '../../database/database.ts'
import { offsetList } from '../../http/lists.ts'
import type { Parts } from '../../parts.ts'
import type { Emit } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import { BODY_CODES, found, PLACE_CODES } from '../../core/errors.ts'
import { OffsetQuery } from '../../core/paging.ts'
import { field } from '../../http/answers.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import { answers, DecimalId, Nothing } from '../../core/schema.ts'
import { audit } from '../audit/record.ts'
import { endAccessChange, SHIFTS } from '../roles/order.ts'
import { clearPictures, lockServersShowing } from '../files/access.ts'
import { changeGroup } from '../groups/change.ts'
import { demand, guarded, membership, serverOf, visibleChannel } from '../access/guard.ts'
import { emitServer } from '../servers/system-channel.ts'
import type { Sessions } from '../sessions/store.ts'
import { releaseChannels } from './categories.ts'
import { Channel, channelOf, ChannelPatch, isChoosable } from '../access/model.ts'
import { ChannelDraft, ChannelOrder, Writers } from './model.ts'
import { demandFields, forumChange, forumColumns, newForum } from './forums.ts'
import { moveChannels } from './moves.ts'
import { countWriters, publish } from './publish.ts'
import { applyMoves, channelRows, groupOf, lockChannels, savePlaces } from './positions.ts'
import { type ChannelRow } from '../access/channel-rows.ts'
import { changeThread, judgeName, releaseThreads, removeThread } from '../threads/change.ts'

const tags = ['Channels']
/** Low, because each reads all messages of a channel. */
const COUNTS: BucketPolicy = { name: 'writers', burst: 5, refillPerS: 0.05 }
const ServerPath = z.object({ server_id: DecimalId })
const ChannelPath = z.object({ channel_id: DecimalId })

const emitUpdated = (emit: Emit, channels: ChannelRow[]) => {
  for (const channel of channels) emit(topic.seers(channel), 'channel.updated', channelOf(channel))
}

/** The channel, read inside the lock. @throws Problem when the caller has lost the permission meanwhile */
async function managedChannel(sql: Transaction, id: number, user_id: number) {
  const channel = await visibleChannel(sql, id, user_id)
  demand(channel.permissions, 'manage_channels')
  return channel
}

/**
 * The channel that a member wants to change.
 * @throws Problem `not_found`; `missing_permission`: `manage_server` for message_retention_days and public pages,
 * `manage_channels` for the rest
 */
async function demandChange(sql: Sql, id: number, user_id: number, change: z.infer<typeof ChannelPatch>) {
  const { message_retention_days, public: isPublic, public_older, ...rest } = change
  const channel = await visibleChannel(sql, id, user_id)
  if (Object.keys(rest).length > 0) demand(channel.permissions, 'manage_channels')
  if ([message_retention_days, isPublic, public_older].some((value) => value !== undefined))
    demand((await membership(sql, serverOf(channel, 'manage_server'), user_id)).permissions, 'manage_server')
  return channel
}

export const channelRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .post(
      '/api/servers/:server_id/channels',
      async ({ member, body, status }) => {
        await parts.space.demand()
        return parts.write(async (sql, emit, notify) => {
          const { server_id, user_id } = member
          const { name, type, topic: about, parent_id, user_limit, bitrate } = body
          const change = forumChange(body)
          demandFields(type, { ...change, user_limit, bitrate })
          const places = await lockChannels(sql, server_id)
          const home = parent_id === null ? undefined : await visibleChannel(sql, parent_id, user_id)
          if (home && (home.server_id !== server_id || home.type !== 'category'))
            throw field('parent_id', 'Must be a category of this server')
          if (home && type === 'category') throw field('parent_id', 'A category stands in no other')
          demand((home ?? (await membership(sql, server_id, user_id))).permissions, 'manage_channels')
          const position = places.filter((place) => groupOf(place) === groupOf(body)).length
          const [hiding] = await sql<{ restricted: boolean }[]>`
            select ${home?.restricted ?? false} or is_hidden(${server_id}) as restricted`
          const fields: object = { server_id, parent_id, name, type, topic: about, position, ...hiding }
          const voice = type === 'voice' ? { user_limit: user_limit ?? null, bitrate: bitrate ?? null } : {}
          const columns: object = { ...fields, ...voice, ...(await newForum(sql, type, change)) }
          const [created] = await sql<{ id: number }[]>`insert into channels ${sql(columns)} returning id`
          const row = found((await channelRows(sql, [found(created, 'internal').id]))[0], 'internal')
          const channel = channelOf(row)
          const entry = { server_id, actor_id: user_id, action: 'channel.created' as const }
          await audit(sql, entry, ['channel', channel.id], null, channel)
          if (row.restricted) notify({ kind: 'server_access_changed', server_id, hidden: [], revealed: [] })
          emit(topic.seers(row), 'channel.created', channel)
          return status(201, channel)
        })
      },
      {
        params: ServerPath,
        body: ChannelDraft,
        member: 'none',
        detail: {
          summary: 'Create a channel or category at the end of the list; needs manage_channels in the parent category',
          tags,
        },
        response: answers(
          { 201: Channel },
          'channel_name_taken',
          'too_many_channels',
          'too_many_categories',
          'storage_full',
          ...PLACE_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .get(
      '/api/servers/:server_id/channels',
      async ({ params, me, query, request }) => {
        const rows = await offsetList<Channel>(
          request,
          query,
          (limit, offset) => parts.sql`
            select ${columns(parts.sql, Channel, 'c')} from channels c
            join channel_permissions cp on cp.channel_id = c.id and cp.user_id = ${me.id}
            left join channels home on home.id = c.parent_id
            where c.server_id = ${params.server_id} and can_view(cp.permissions)
            order by coalesce(home.position, case c.type when 'category' then c.position end, -1),
              c.type <> 'category', c.position, c.id limit ${limit} offset ${offset}`,
        )
        return rows.map(channelOf)
      },
      {
        params: ServerPath,
        query: OffsetQuery,
        member: 'none',
        detail: {
          summary: 'List the channels that the caller sees: those without a category, then each category with its own',
          tags,
        },
        response: answers({ 200: z.array(Channel) }, ...PLACE_CODES),
      },
    )
    .get('/api/channels/:channel_id', async ({ channel }) => channelOf(channel), {
      params: ChannelPath,
      channel: 'none',
      detail: { summary: 'Get a channel', tags },
      response: answers({ 200: Channel }, ...PLACE_CODES),
    })
    .put(
      '/api/channels/:channel_id',
      async ({ channel, me, caller, body }) => {
        const { confirm_opens = [], ...patch } = body
        if (channel.type === 'group')
          return parts.write((sql, emit) => changeGroup(sql, emit, channel.id, me.id, patch))
        if (body.name === '') throw field('name', 'Must not be empty')
        if (channel.type === 'category' && body.slowmode_seconds !== undefined)
          throw field('slowmode_seconds', 'Messages cannot be sent to a category')
        if (!isChoosable(channel.type) && patch.opt_in !== undefined)
          throw field('opt_in', 'Only of a text channel, voice channel, stage or forum')
        if (channel.type === 'thread') {
          const settle = await judgeName(parts.judge, channel.id, me.id, body.name, 'send_in_threads')
          const thread = await parts.write((sql) => changeThread(sql, channel.id, me.id, patch))
          await settle?.()
          return thread
        }
        const { icon_file_id, ...change } = patch
        const { position, parent_id, opt_in, public: isPublic, public_older, ...changes } = change
        const { id } = channel
        const server_id = serverOf(channel, 'manage_channels')
        await demandChange(parts.sql, id, me.id, patch)
        if (icon_file_id !== undefined) throw field('icon_file_id', 'Only a group has an icon')
        demandFields(channel.type, change)
        if (position !== undefined || parent_id !== undefined) await parts.limits.take(caller, SHIFTS, `user:${me.id}`)
        return parts.write(async (sql, emit, notify) => {
          const places = await lockChannels(sql, server_id)
          const before = await demandChange(sql, id, me.id, change)
          const move = { id, parent_id: parent_id === undefined ? before.parent_id : parent_id, position }
          const isMove = position !== undefined || move.parent_id !== before.parent_id
          // A new name and a new category may only be free in combination, so check the constraint at the end.
          if (isMove) await sql`set constraints channel_name_taken deferred`
          const shiftedIds = isMove
            ? await moveChannels(sql, notify, { server_id, user_id: me.id }, places, [move], confirm_opens)
            : []
          await publish(sql, before, me.id, { public: isPublic, public_older })
          const columns = await forumColumns(sql, forumChange(changes), before.tags ?? [])
          await sql`update channels set ${sql({ ...changes, ...columns, updated_at: new Date() })} where id = ${id}`
          if (columns.default_reaction !== undefined) await sql`select recount_votes(${id})`
          if (opt_in !== undefined)
            await sql`update channels set opt_in_since = case when ${opt_in} then coalesce(opt_in_since, now()) end
              where id = ${id}`
          const rows = await channelRows(sql, [id, ...shiftedIds])
          emitUpdated(emit, rows)
          const after = channelOf(
            found(
              rows.find((row) => row.id === id),
              'internal',
            ),
          )
          const entry = { server_id, actor_id: me.id, action: 'channel.updated' as const }
          await audit(sql, entry, ['channel', id], channelOf(before), after)
          return after
        })
      },
      {
        params: ChannelPath,
        body: ChannelPatch,
        channel: 'none',
        detail: {
          summary: 'Update a channel (manage_channels), a group (any participant) or a thread (manage_threads)',
          description:
            'A position out of range is clamped. Another category needs the bits that change, message_retention_days ' +
            'manage_server. The owner of a thread may rename it, archive it and bring it back, unless it is locked.',
          tags,
        },
        response: answers(
          { 200: Channel },
          'channel_name_taken',
          'automod_blocked',
          'forbidden',
          'opens_channels',
          'picture_unreadable',
          ...PLACE_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .get(
      '/api/channels/:channel_id/writers',
      async ({ channel, me, caller }) => {
        demand((await membership(parts.sql, serverOf(channel, 'manage_server'), me.id)).permissions, 'manage_server')
        await parts.limits.take(caller, COUNTS, `user:${me.id}`)
        return countWriters(parts.sql, channel.id)
      },
      {
        params: ChannelPath,
        channel: 'none',
        detail: {
          summary: 'Count the people whose messages a channel and its threads have, before they are published',
          tags,
        },
        response: answers({ 200: Writers }, ...PLACE_CODES),
      },
    )
    .put(
      '/api/servers/:server_id/channels/order',
      async ({ member: { server_id, user_id }, caller, body }) => {
        await parts.limits.take(caller, SHIFTS, `user:${user_id}`)
        return parts.write(async (sql, emit, notify) => {
          const places = await lockChannels(sql, server_id)
          const confirmedIds = body.flatMap(({ id, confirm_opens }) => (confirm_opens ? [id] : []))
          const changedIds = await moveChannels(sql, notify, { server_id, user_id }, places, body, confirmedIds)
          const rows = await channelRows(sql, changedIds)
          emitUpdated(emit, rows)
          const old = new Map(places.map((place) => [place.id, place]))
          const entry = { server_id, actor_id: user_id, action: 'channel.updated' as const }
          const movedIds = new Set(body.map(({ id }) => id))
          for (const { id, parent_id, position } of rows.filter((row) => movedIds.has(row.id))) {
            const { parent_id: oldId, position: oldPosition } = found(old.get(id), 'internal')
            const before = { parent_id: oldId, position: oldPosition }
            await audit(sql, entry, ['channel', id], before, { parent_id, position })
          }
          const ids = body.map(({ id }) => id)
          return (await channelRows(sql, ids)).map((row) => channelOf(row))
        })
      },
      {
        params: ServerPath,
        body: ChannelOrder,
        member: 'none',
        detail: {
          summary: 'Move channels and categories, all or none; positions count among the channels of the category',
          tags,
        },
        response: answers(
          { 200: z.array(Channel) },
          'channel_name_taken',
          'forbidden',
          'opens_channels',
          ...PLACE_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .delete(
      '/api/channels/:channel_id',
      async ({ channel, me, caller, status }) => {
        const { id } = channel
        if (channel.type === 'thread') {
          await parts.write((sql, emit) => removeThread(sql, emit, id, me.id))
          return status(204, undefined)
        }
        const server_id = serverOf(channel, 'manage_channels')
        demand(channel.permissions, 'manage_channels')
        await parts.limits.take(caller, SHIFTS, `user:${me.id}`)
        return parts.write(async (sql, emit, notify) => {
          const files: ReturnType<Sql> = sql`f.message_id in (select id from messages where channel_id = ${id})`
          await lockServersShowing(sql, files, [server_id])
          await lockChannels(sql, server_id)
          const before = await managedChannel(sql, id, me.id)
          // Wait for pending sends, edits and deletions in the channel; later ones find no channel.
          await sql`select change_access(${server_id})`
          await clearPictures(sql, emit, files)
          const releasedIds = before.type === 'category' ? await releaseChannels(sql, emit, { id, server_id }) : []
          await releaseThreads(sql, sql`c.parent_id = ${id}`)
          const [home] = await sql`select 1 from servers
            where id = ${server_id} and ${id} in (system_channel_id, afk_channel_id)`
          const [deletedChannel] = await sql<
            { restricted: boolean; created_at: string }[]
          >`delete from channels where id = ${id} returning restricted, created_at`
          await sql`update events set body = null where server_id = ${server_id} and channel_id = ${id}`
          const { restricted, created_at } = found(deletedChannel)
          emit(topic.channel({ id, server_id, restricted }), 'channel.deleted', { id, server_id, created_at })
          notify({ kind: 'channel_deleted', channel_id: id })
          if (home) await emitServer(sql, emit, server_id)
          // Members who saw the category only because of this channel no longer see it.
          if (before.parent_id !== null) await endAccessChange(sql, notify, server_id)
          const entry = { server_id, actor_id: me.id, action: 'channel.deleted' as const }
          await audit(sql, entry, ['channel', id], channelOf(before), null)
          const remainingPlaces = await lockChannels(sql, server_id)
          const shiftedIds = await savePlaces(sql, remainingPlaces, applyMoves(remainingPlaces, []))
          emitUpdated(emit, await channelRows(sql, [...new Set([...releasedIds, ...shiftedIds])]))
          return status(204, undefined)
        })
      },
      {
        params: ChannelPath,
        channel: 'none',
        detail: {
          summary:
            'Delete a channel with its messages and threads; the channels of a category stay, with their permissions',
          description: 'Deleting a thread takes manage_threads, or its owner while nobody else has written in it.',
          tags,
        },
        response: answers({ 204: Nothing }, ...PLACE_CODES),
      },
    )
