import { type Channel, isSpoken, type Server } from '../../features/access/model.ts'
import type { CustomEmoji } from '../../features/emoji/model.ts'
import type { ShownSticker, Sticker } from '../../features/stickers/model.ts'
import type { Overwrite, Role } from '../../features/roles/model.ts'
import type { Lookup } from '../lookup.ts'
import { discordBits } from '../permissions.ts'
import { forumFields, postFields } from './forums.ts'
import { discordTime, userById, userOf } from './users.ts'

/** Types of channels, as Discord numbers them. */
const TYPES = {
  text: 0,
  dm: 1,
  voice: 2,
  group: 3,
  category: 4,
  thread: 11,
  stage: 13,
  forum: 15,
} as const satisfies Record<Channel['type'], number>
/** Discord's number of a type of channel; undefined for anything else. */
export const typeOfChannel = (type: unknown): number | undefined =>
  Object.entries(TYPES).find(([name]) => name === type)?.[1]
const HOUR_MINUTES = 60
const MEMBERS_MAX = 500_000

export const colorOf = (color: string | null): number => (color === null ? 0 : Number.parseInt(color.slice(1), 16))

export const roleOf = (of: Lookup, role: Role) => ({
  // A role may be gone by the time at which its event is translated.
  id: of.id('role', role.id, role.is_everyone ? undefined : role.created_at),
  name: role.is_everyone ? '@everyone' : role.name,
  color: colorOf(role.color),
  colors: { primary_color: colorOf(role.color), secondary_color: null, tertiary_color: null },
  hoist: role.hoist,
  icon: role.icon_url?.split('/').at(-1) ?? null,
  unicode_emoji: null,
  position: role.position,
  permissions: discordBits(role.permissions),
  managed: role.bot_id !== null,
  mentionable: role.mentionable,
  flags: 0,
  ...(role.bot_id === null ? {} : { tags: { bot_id: of.id('user', role.bot_id) } }),
})

const emojiFields = (of: Lookup, { id, name, created_at }: CustomEmoji) => ({
  id: of.id('emoji', id, created_at),
  name,
  roles: [],
  require_colons: true,
  managed: false,
  animated: false,
  available: true,
})

/** An emoji with the account that made it. */
export const emojiOf = (of: Lookup, emoji: CustomEmoji) => ({
  ...emojiFields(of, emoji),
  user: userById(of, emoji.creator_id),
})

/** Discord's formats of stickers: PNG and GIF. Ours are WebP; programs only ask whether one moves. */
const [PNG, GIF] = [1, 4]
const formatOf = ({ animated }: ShownSticker): number => (animated ? GIF : PNG)

/** A sticker as a message shows it. */
export const stickerItemOf = (of: Lookup, sticker: ShownSticker) => ({
  id: of.id('sticker', sticker.id),
  name: sticker.name,
  format_type: formatOf(sticker),
})

const stickerFields = (of: Lookup, sticker: Sticker) => ({
  id: of.id('sticker', sticker.id, sticker.created_at),
  name: sticker.name,
  description: sticker.alt,
  tags: sticker.tags,
  // A guild's, not one of Discord's own.
  type: 2,
  format_type: formatOf(sticker),
  available: true,
  guild_id: of.id('server', sticker.server_id),
})

/** A sticker with the account that made it. */
export const stickerOf = (of: Lookup, sticker: Sticker) => ({
  ...stickerFields(of, sticker),
  user: userById(of, sticker.creator_id),
})

const overwriteOf = (of: Lookup, { role_id, allow, deny }: Overwrite) => ({
  id: of.id('role', role_id),
  type: 0,
  allow: discordBits(allow),
  deny: discordBits(deny),
})

export interface ChannelPayload {
  id: string
  /** Absent from threads, dms and groups. */
  permission_overwrites?: object[]
}

/** The overwrites for members that apply in a channel, and the bots that may list all of them. */
export function memberOverwritesOf(of: Lookup, id: number) {
  const { rows = [], manager_ids = [] } = of.fact('member_overwrites', id) ?? {}
  const overwrites = rows.map(({ user_id, allow, deny }) => ({
    user_id,
    overwrite: { id: of.id('user', user_id), type: 1, allow: discordBits(allow), deny: discordBits(deny) },
  }))
  return { overwrites, manager_ids }
}

/**
 * A channel as one bot sees it, with overwrites for members: all of them where the bot has manage_roles, as in Parley's
 * own API, and otherwise only its own.
 * @param channel as channelOf returns it
 * @returns undefined for a channel without overwrites for members
 */
export function channelByBot(of: Lookup, id: number, channel: ChannelPayload) {
  const { permission_overwrites: ofRoles } = channel
  if (!ofRoles) return undefined
  const { overwrites, manager_ids } = memberOverwritesOf(of, id)
  if (overwrites.length === 0) return undefined
  return (botId: number): object => ({
    ...channel,
    permission_overwrites: [
      ...ofRoles,
      ...overwrites
        .filter(({ user_id }) => user_id === botId || manager_ids.includes(botId))
        .map(({ overwrite }) => overwrite),
    ],
  })
}

/** A channel as one bot sees it. */
export function channelFor(of: Lookup, channel: Channel, botId: number): object {
  const common = channelOf(of, channel)
  return channelByBot(of, channel.id, common)?.(botId) ?? common
}

const threadFields = (of: Lookup, thread: Channel) => ({
  owner_id: of.idOrNull('user', thread.owner_id),
  message_count: thread.message_count,
  total_message_sent: thread.message_count,
  member_count: 1,
  rate_limit_per_user: thread.slowmode_seconds,
  thread_metadata: {
    archived: thread.archived_at !== null,
    auto_archive_duration: Math.round((thread.archive_after_seconds ?? 86_400) / HOUR_MINUTES),
    archive_timestamp: discordTime(thread.archived_at ?? thread.created_at),
    locked: thread.locked,
    create_timestamp: discordTime(thread.created_at),
  },
})

/** A channel of a server, a thread, a dm or a group, with overwrites for roles only. */
export function channelOf(of: Lookup, channel: Channel) {
  const { id, server_id, type } = channel
  const common = {
    id: of.id('channel', id, channel.created_at),
    type: TYPES[type],
    last_message_id: of.idOrNull('message', channel.last_message_id),
    flags: 0,
  }
  if (server_id === null)
    return {
      ...common,
      ...(type === 'group' ? { name: channel.name, icon: null, owner_id: of.idOrNull('user', channel.owner_id) } : {}),
      recipients: (channel.recipients ?? []).map((user) => userOf(of, user)),
    }
  const place = {
    ...common,
    guild_id: of.id('server', server_id),
    name: channel.name,
    parent_id: of.idOrNull('channel', channel.parent_id),
  }
  if (type === 'thread') return { ...place, ...threadFields(of, channel), ...postFields(channel) }
  return {
    ...place,
    position: channel.position,
    permission_overwrites: (of.fact('overwrites', id) ?? []).map((overwrite) => overwriteOf(of, overwrite)),
    nsfw: false,
    topic: channel.topic || null,
    rate_limit_per_user: channel.slowmode_seconds,
    ...(isSpoken(type)
      ? { bitrate: channel.bitrate ?? 64_000, user_limit: channel.user_limit ?? 0, rtc_region: null }
      : {}),
    ...(type === 'forum' ? forumFields(of, channel) : {}),
  }
}

/** The name and type of a channel. */
export const partialChannel = (of: Lookup, { id, name, type, created_at }: Channel) => ({
  id: of.id('channel', id, created_at),
  name,
  type: TYPES[type],
  permissions: discordBits(0),
})

/** A channel by its id, as one bot sees it; undefined if it is gone. */
export function channelById(of: Lookup, id: number, botId: number) {
  const channel = of.fact('channel_row', id)
  return channel && channelFor(of, channel, botId)
}

/**
 * A server's own fields. As on Discord, emoji and stickers come without the accounts that made them, who may have left
 * the server: then no event of the server tells of their new names.
 */
export const guildOf = (of: Lookup, server: Server, roles: Role[], emoji: CustomEmoji[], stickers: Sticker[]) => ({
  id: of.id('server', server.id, server.created_at),
  name: server.name,
  description: server.description || null,
  owner_id: of.id('user', server.owner_id),
  icon: null,
  splash: null,
  discovery_splash: null,
  banner: null,
  afk_channel_id: of.idOrNull('channel', server.afk_channel_id),
  afk_timeout: server.afk_minutes * 60,
  application_id: null,
  default_message_notifications: server.default_notifications === 'all' ? 0 : 1,
  explicit_content_filter: 0,
  features: [],
  max_members: MEMBERS_MAX,
  max_presences: null,
  max_video_channel_users: 25,
  mfa_level: 0,
  nsfw: false,
  nsfw_level: 0,
  preferred_locale: 'en-US',
  premium_progress_bar_enabled: false,
  premium_subscription_count: 0,
  premium_tier: 0,
  public_updates_channel_id: null,
  rules_channel_id: null,
  safety_alerts_channel_id: null,
  system_channel_flags: 0,
  system_channel_id: of.idOrNull('channel', server.system_channel_id),
  vanity_url_code: null,
  verification_level: server.verification === 'none' ? 0 : server.verification === 'mail' ? 1 : 2,
  widget_enabled: false,
  widget_channel_id: null,
  roles: roles.map((role) => roleOf(of, role)),
  emojis: emoji.map((one) => emojiFields(of, one)),
  stickers: stickers.map((one) => stickerFields(of, one)),
})

/** A server with its roles, emoji and stickers as facts. */
export const guildWithLists = (of: Lookup, server: Server) =>
  guildOf(
    of,
    server,
    of.fact('guild_roles', server.id) ?? [],
    of.fact('guild_emoji', server.id) ?? [],
    of.fact('guild_stickers', server.id) ?? [],
  )
