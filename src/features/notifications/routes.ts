import { z } from 'zod'
import type { Transaction } from '../../database/database.ts'
import { BODY_CODES, PLACE_CODES, TOKEN_CODES } from '../../core/errors.ts'
import { answers, DecimalId, Nothing } from '../../core/schema.ts'
import type { Parts } from '../../parts.ts'
import { lockedChannel } from '../messages/acknowledge.ts'
import { guarded, lockMembership } from '../access/guard.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Sessions } from '../sessions/store.ts'
import { NotificationPatch, NotificationSetting } from './model.ts'
import { changeSetting, type Place, removeSetting, settingsOf } from './settings.ts'

const tags = ['Notifications']
const SETTINGS: BucketPolicy = { name: 'notification settings', burst: 60, refillPerS: 1 }
const ServerPath = z.object({ server_id: DecimalId })
const ChannelPath = z.object({ channel_id: DecimalId })

const INHERITED = `Null means inherited: a thread inherits from its channel, a channel from its category, and a
category from the server, whose level defaults to its \`default_notifications\`. The default in a dm or group is
\`all\`. Muting a server, category or channel also mutes everything in it.`

/** The server as a place; locks the account's membership until the commit. @throws Problem `not_found` */
async function serverPlace(sql: Transaction, server_id: number, userId: number) {
  await lockMembership(sql, server_id, userId)
  return { server_id, channel_id: null, audience_id: null, isForum: false }
}

/** The channel as a place; locks the account's view of it until the commit. */
async function channelPlace(sql: Transaction, channel_id: number, userId: number) {
  const { server_id, audience_id, type } = await lockedChannel(sql, channel_id, userId)
  if (server_id !== null) await serverPlace(sql, server_id, userId)
  return { server_id, channel_id, audience_id, isForum: type === 'forum' }
}

export const notificationRoutes = (parts: Parts, sessions: Sessions) => {
  type PlaceOf = (sql: Transaction, id: number, userId: number) => Promise<Place>
  const set = (placeOf: PlaceOf, id: number, userId: number, change: z.infer<typeof NotificationPatch>) =>
    parts.write(async (sql, emit) => changeSetting(sql, emit, userId, await placeOf(sql, id, userId), change))
  const remove = (placeOf: PlaceOf, id: number, userId: number) =>
    parts.write(async (sql, emit) => removeSetting(sql, emit, userId, await placeOf(sql, id, userId)))
  return guarded(parts, sessions)
    .get('/api/notifications', async ({ me }) => settingsOf(parts.sql, me.id), {
      detail: {
        summary: 'List the caller’s notification settings of servers and channels',
        description: INHERITED,
        tags,
      },
      response: answers({ 200: z.array(NotificationSetting) }, ...TOKEN_CODES),
    })
    .put(
      '/api/notifications/servers/:server_id',
      async ({ me, params, body, caller }) => {
        await parts.limits.take(caller, SETTINGS, `user:${me.id}`)
        return set(serverPlace, params.server_id, me.id, body)
      },
      {
        params: ServerPath,
        body: NotificationPatch,
        member: 'none',
        detail: { summary: 'Set the notifications of a server; at most 1,000 settings per account', tags },
        response: answers({ 200: NotificationSetting }, 'too_many_settings', ...PLACE_CODES, ...BODY_CODES),
      },
    )
    .delete(
      '/api/notifications/servers/:server_id',
      async ({ me, params, status }) => {
        await remove(serverPlace, params.server_id, me.id)
        return status(204, undefined)
      },
      {
        params: ServerPath,
        member: 'none',
        detail: { summary: 'Remove the notification setting of a server', tags },
        response: answers({ 204: Nothing }, ...PLACE_CODES),
      },
    )
    .put(
      '/api/notifications/channels/:channel_id',
      async ({ me, params, body, caller }) => {
        await parts.limits.take(caller, SETTINGS, `user:${me.id}`)
        return set(channelPlace, params.channel_id, me.id, body)
      },
      {
        params: ChannelPath,
        body: NotificationPatch,
        channel: 'none',
        detail: {
          summary: 'Set the notifications of a channel, category, dm or group; at most 1,000 settings per account',
          tags,
        },
        response: answers({ 200: NotificationSetting }, 'too_many_settings', ...PLACE_CODES, ...BODY_CODES),
      },
    )
    .delete(
      '/api/notifications/channels/:channel_id',
      async ({ me, params, status }) => {
        await remove(channelPlace, params.channel_id, me.id)
        return status(204, undefined)
      },
      {
        params: ChannelPath,
        channel: 'none',
        detail: { summary: 'Remove the notification setting of a channel', tags },
        response: answers({ 204: Nothing }, ...PLACE_CODES),
      },
    )
}
