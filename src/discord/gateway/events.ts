import type { Events } from '../../core/events.ts'
import type { Channel } from '../../features/access/model.ts'
import type { Message } from '../../features/messages/model.ts'
import type { FileLinks } from '../file-links.ts'
import type { Lookup } from '../lookup.ts'
import { channelByBot, channelOf, emojiOf, guildWithLists, roleOf, stickerOf } from '../shapes/guilds.ts'
import { interactionOf } from '../shapes/interactions.ts'
import { contentOf, messageEvent, NO_CONTENT, partialEmoji } from '../shapes/messages.ts'
import { inviteFields } from '../shapes/invites.ts'
import { discordTime, memberById, memberOf, selfOf, userById, userOf } from '../shapes/users.ts'
import { presenceOf, voiceStateOf } from '../shapes/presences.ts'
import { accountIn, type Dispatch, one, type ParleyEvent, type Table, type Translate } from './dispatch.ts'
import { INTENT } from './intents.ts'
import { integrationNews, news } from './news.ts'
import { stageNews } from './stage-news.ts'

const message =
  (t: string) =>
  (of: Lookup, d: Message, _: ParleyEvent, links: FileLinks): Dispatch[] => {
    const seen = { server_id: of.serverOf(d.channel_id), links }
    const frame = messageEvent(of, seen, d)
    const intent = seen.server_id === null ? INTENT.dmMessages : INTENT.messages
    // In a dm, the bot is always addressed.
    const addressed = [d.author.id, ...d.mention_ids, ...(d.recipient_id === undefined ? [] : [d.recipient_id])]
    return one(
      t,
      intent,
      of.idOrNull('server', seen.server_id),
      { ...frame, ...contentOf(of, seen, d) },
      {
        blank: { ...frame, ...NO_CONTENT },
        addressed,
      },
    )
  }

/** The field of a dispatch about a channel in which bots see different overwrites. */
const byBot = (of: Lookup, id: number, common: ReturnType<typeof channelOf>): Pick<Dispatch, 'dFor'> => {
  const dFor = channelByBot(of, id, common)
  return dFor ? { dFor } : {}
}

const channel =
  (t: string, more: object = {}) =>
  (of: Lookup, d: Channel): Dispatch[] => {
    const common = { ...channelOf(of, d), ...more }
    return one(t, INTENT.guilds, of.idOrNull('server', d.server_id), common, byBot(of, d.id, common))
  }

const member =
  (t: string) =>
  (of: Lookup, { server_id, user, ...row }: Events['member.joined']): Dispatch[] => {
    const guild_id = of.id('server', server_id)
    return one(t, INTENT.members, guild_id, { ...memberOf(of, user, row), guild_id }, { about: user.id })
  }

const role =
  (t: string) =>
  (of: Lookup, d: Events['role.created']): Dispatch[] => {
    const guild_id = of.id('server', d.server_id)
    return one(t, INTENT.guilds, guild_id, { guild_id, role: roleOf(of, d) })
  }

const emoji = (of: Lookup, { server_id }: { server_id: number }): Dispatch[] => {
  const guild_id = of.id('server', server_id)
  const emojis = (of.fact('guild_emoji', server_id) ?? []).map((row) => emojiOf(of, row))
  return one('GUILD_EMOJIS_UPDATE', INTENT.expressions, guild_id, { guild_id, emojis })
}

const sticker = (of: Lookup, { server_id }: { server_id: number }): Dispatch[] => {
  const guild_id = of.id('server', server_id)
  const stickers = (of.fact('guild_stickers', server_id) ?? []).map((row) => stickerOf(of, row))
  return one('GUILD_STICKERS_UPDATE', INTENT.expressions, guild_id, { guild_id, stickers })
}

/** A server that a payload names, or null for a dm's. */
const guildOfChannel = (of: Lookup, channelId: number): string | null => of.idOrNull('server', of.serverOf(channelId))

const ban =
  (t: string) =>
  (of: Lookup, { server_id, user }: Events['ban.created']): Dispatch[] => {
    const guild_id = of.id('server', server_id)
    return one(t, INTENT.moderation, guild_id, { guild_id, user: userOf(of, user) })
  }

/** The pins of a channel have changed. */
function pinsUpdate(of: Lookup, channel_id: number): Dispatch[] {
  const guild_id = guildOfChannel(of, channel_id)
  const newest = of.fact('newest_pin', channel_id)
  return one('CHANNEL_PINS_UPDATE', guild_id === null ? INTENT.dmMessages : INTENT.guilds, guild_id, {
    channel_id: of.id('channel', channel_id),
    ...(guild_id === null ? {} : { guild_id }),
    last_pin_timestamp: newest ? discordTime(newest) : null,
  })
}

/** Somebody follows a thread, or does so no longer. */
function followed(of: Lookup, channel_id: number, userId: number, following: boolean): Dispatch[] {
  const guild_id = guildOfChannel(of, channel_id)
  if (guild_id === null || !of.fact('channel_row', channel_id)) return []
  const [id, user_id] = [of.id('channel', channel_id), of.id('user', userId)]
  const member = { id, user_id, join_timestamp: new Date().toISOString().replace('Z', '+00:00'), flags: 0 }
  return one('THREAD_MEMBERS_UPDATE', INTENT.guilds, guild_id, {
    id,
    guild_id,
    member_count: 1,
    ...(following ? { added_members: [member] } : { removed_member_ids: [user_id] }),
  })
}

const table: Table = {
  ...news,
  ...stageNews,
  'message.created': (of, d, event, links) => {
    const created = message('MESSAGE_CREATE')(of, d, event, links)
    // In a dm, only the notice tells of a pin.
    const isPin = d.kind === 'pinned' && of.serverOf(d.channel_id) === null
    return isPin ? [...created, ...pinsUpdate(of, d.channel_id)] : created
  },
  'pins.updated': (of, { channel_id }) => pinsUpdate(of, channel_id),
  'message.updated': message('MESSAGE_UPDATE'),
  'message.deleted': (of, { id, channel_id, created_at, bulk }) => {
    const server_id = of.serverOf(channel_id)
    const guild_id = of.idOrNull('server', server_id)
    const intent = server_id === null ? INTENT.dmMessages : INTENT.messages
    if (bulk) {
      // The first one names all.
      const ids = bulk.map((row) => of.id('message', row.id, row.created_at))
      const d = { ids, channel_id: of.id('channel', channel_id), guild_id }
      return ids.length === 0 ? [] : one('MESSAGE_DELETE_BULK', intent, guild_id, d)
    }
    return one('MESSAGE_DELETE', intent, guild_id, {
      id: of.id('message', id, created_at),
      channel_id: of.id('channel', channel_id),
      ...(guild_id === null ? {} : { guild_id }),
    })
  },
  'message.reactions': (of, { id, channel_id, change }) => {
    if (!change) return []
    const server_id = of.serverOf(channel_id)
    const guild_id = of.idOrNull('server', server_id)
    const { user_id, emoji, on } = change
    const row = on && user_id !== null && server_id !== null ? memberById(of, server_id, user_id) : undefined
    const end = user_id !== null ? 'REMOVE' : emoji === null ? 'REMOVE_ALL' : 'REMOVE_EMOJI'
    const t = `MESSAGE_REACTION_${on ? 'ADD' : end}`
    return one(t, server_id === null ? INTENT.dmReactions : INTENT.reactions, guild_id, {
      message_id: of.id('message', id),
      channel_id: of.id('channel', channel_id),
      ...(guild_id === null ? {} : { guild_id }),
      ...(emoji === null ? {} : { emoji: partialEmoji(of, emoji) }),
      ...(user_id === null ? {} : { user_id: of.id('user', user_id), burst: false, type: 0 }),
      ...(row && user_id !== null ? { member: { ...row, user: userById(of, user_id) } } : {}),
    })
  },
  'message.poll': (of, { id, channel_id, change }) => {
    if (!change) return []
    const guild_id = guildOfChannel(of, channel_id)
    const vote = (t: string, answer_id: number) =>
      one(t, guild_id === null ? INTENT.dmPolls : INTENT.polls, guild_id, {
        user_id: of.id('user', change.user_id),
        channel_id: of.id('channel', channel_id),
        message_id: of.id('message', id),
        ...(guild_id === null ? {} : { guild_id }),
        answer_id,
      })
    return [
      ...change.removed.flatMap((answer) => vote('MESSAGE_POLL_VOTE_REMOVE', answer)),
      ...change.added.flatMap((answer) => vote('MESSAGE_POLL_VOTE_ADD', answer)),
    ]
  },
  'presence.updated': (of, { users }, { topic }) => {
    // A frame for one socket, sent when many accounts come or go at once, names no server.
    const server_id = Number(/^server:(\d+)$/.exec(topic)?.[1] ?? 0)
    if (server_id === 0) return []
    const guild_id = of.id('server', server_id)
    return users.flatMap(({ user_id, status }) =>
      one('PRESENCE_UPDATE', INTENT.presences, guild_id, { ...presenceOf(of, user_id, status), guild_id }),
    )
  },
  'voice.state_updated': (of, state) => {
    if (state.server_id === null) return []
    const guild_id = of.id('server', state.server_id)
    const row = memberById(of, state.server_id, state.user.id)
    return one('VOICE_STATE_UPDATE', INTENT.voiceStates, guild_id, {
      ...voiceStateOf(of, state),
      guild_id,
      ...(row ? { member: { ...row, user: userOf(of, state.user) } } : {}),
    })
  },
  'typing.started': (of, { channel_id, user }) => {
    const server_id = of.serverOf(channel_id)
    const guild_id = of.idOrNull('server', server_id)
    const row = server_id === null ? undefined : memberById(of, server_id, user.id)
    return one('TYPING_START', server_id === null ? INTENT.dmTyping : INTENT.typing, guild_id, {
      channel_id: of.id('channel', channel_id),
      user_id: of.id('user', user.id),
      timestamp: Math.floor(Date.now() / 1000),
      ...(guild_id === null ? {} : { guild_id }),
      ...(row ? { member: { ...row, user: userOf(of, user) } } : {}),
    })
  },
  'channel.created': (of, d, { s }) => {
    const created = channel('CHANNEL_CREATE')(of, d)
    // Without `s`, the bot gains sight of a channel that exists.
    if (s !== undefined || d.server_id === null) return created
    const guild_id = of.id('server', d.server_id)
    const threads = (of.fact('channel_threads', d.id) ?? []).map((thread) => channelOf(of, thread))
    const list = { guild_id, channel_ids: [of.id('channel', d.id)], threads, members: [] }
    return [...created, ...one('THREAD_LIST_SYNC', INTENT.guilds, guild_id, list)]
  },
  'channel.updated': channel('CHANNEL_UPDATE'),
  'channel.permissions_updated': (of, { id }) => {
    const row = of.fact('channel_row', id)
    return row ? channel('CHANNEL_UPDATE')(of, row) : []
  },
  'channel.deleted': (of, { id, server_id, created_at }) => {
    const guild_id = of.idOrNull('server', server_id)
    const row = { id: of.id('channel', id, created_at), guild_id: guild_id ?? undefined, type: 0, name: '' }
    return guild_id === null ? [] : one('CHANNEL_DELETE', INTENT.guilds, guild_id, row)
  },
  'thread.created': channel('THREAD_CREATE', { newly_created: true }),
  // A hidden post comes without its name, and again with it for those who manage threads.
  'thread.updated': (of, d) => (d.hidden && d.name === '' ? [] : channel('THREAD_UPDATE')(of, d)),
  'thread.deleted': (of, { id, server_id, parent_id, created_at }) => {
    const guild_id = of.id('server', server_id)
    const row = { id: of.id('channel', id, created_at), guild_id, parent_id: of.id('channel', parent_id), type: 11 }
    return one('THREAD_DELETE', INTENT.guilds, guild_id, row)
  },
  'thread.followed': (of, d, { topic }) => followed(of, d.channel_id, accountIn(topic), d.following),
  'thread.follower': (of, { channel_id, user_id, following }) =>
    // A bot that follows by itself gets the event above.
    followed(of, channel_id, user_id, following).map((dispatch) => ({ ...dispatch, isFor: (bot) => bot !== user_id })),
  'role.created': role('GUILD_ROLE_CREATE'),
  'role.updated': role('GUILD_ROLE_UPDATE'),
  'role.deleted': (of, { id, server_id, created_at }) => {
    const guild_id = of.id('server', server_id)
    return one('GUILD_ROLE_DELETE', INTENT.guilds, guild_id, { guild_id, role_id: of.id('role', id, created_at) })
  },
  'member.joined': (of, d) => [
    ...member('GUILD_MEMBER_ADD')(of, d),
    ...integrationNews(of, 'INTEGRATION_CREATE', d.server_id, d.user),
  ],
  'member.updated': member('GUILD_MEMBER_UPDATE'),
  'member.left': (of, { server_id, user_id }) => {
    const guild_id = of.id('server', server_id)
    const removed = one('GUILD_MEMBER_REMOVE', INTENT.members, guild_id, { guild_id, user: userById(of, user_id) })
    const account = of.fact('account', user_id)
    return account ? [...removed, ...integrationNews(of, 'INTEGRATION_DELETE', server_id, account)] : removed
  },
  'ban.created': ban('GUILD_BAN_ADD'),
  'ban.deleted': ban('GUILD_BAN_REMOVE'),
  'user.updated': (of, user, { topic }) => {
    const server_id = Number(/^server:(\d+)$/.exec(topic)?.[1] ?? 0)
    const row = server_id === 0 ? undefined : of.fact('member', `${server_id}:${user.id}`)
    if (row) {
      const guild_id = of.id('server', server_id)
      return [
        ...one('GUILD_MEMBER_UPDATE', INTENT.members, guild_id, { ...memberOf(of, user, row), guild_id }),
        ...integrationNews(of, 'INTEGRATION_UPDATE', server_id, user),
      ]
    }
    return accountIn(topic) === user.id ? one('USER_UPDATE', 0, null, selfOf(of, user)) : []
  },
  // It is published again for each use.
  'invite.created': (of, d) => {
    const home = d.uses > 0 ? undefined : of.fact('home_channel', d.server_id)
    if (home === undefined) return []
    const { guild_id, ...fields } = inviteFields(of, d)
    return one('INVITE_CREATE', INTENT.invites, guild_id, {
      ...fields,
      guild_id,
      channel_id: of.id('channel', home),
    })
  },
  'invite.deleted': (of, { id, server_id }) => {
    const [guild_id, code] = [of.id('server', server_id), of.fact('invite_code', id)]
    const home = of.fact('home_channel', server_id)
    if (code === undefined || home === undefined) return []
    return one('INVITE_DELETE', INTENT.invites, guild_id, { guild_id, channel_id: of.id('channel', home), code })
  },
  // Its snapshot follows, which becomes GUILD_CREATE.
  'server.created': () => [],
  'server.updated': (of, d) => {
    const guild = guildWithLists(of, d)
    return one('GUILD_UPDATE', INTENT.guilds, guild.id, guild)
  },
  'server.deleted': (of, { id }) => {
    const guild = of.id('server', id)
    return one('GUILD_DELETE', INTENT.guilds, guild, { id: guild })
  },
  'emoji.created': emoji,
  'emoji.updated': emoji,
  'emoji.deleted': emoji,
  'sticker.created': sticker,
  'sticker.updated': sticker,
  'sticker.deleted': sticker,
  'interaction.created': (of, d, { topic }, links) => {
    const botId = accountIn(topic)
    // Discord sends interactions to the shard of their server.
    const guild = of.idOrNull('server', d.server_id)
    return one('INTERACTION_CREATE', 0, guild, interactionOf(of, d, botId, links))
  },
}

const isTranslated = (type: string): type is keyof Table & string => Object.hasOwn(table, type)

/**
 * The events of Discord that one of Parley's becomes; none if Discord has nothing like it. Pure: `of` knows the rest.
 * @param links addresses of files
 */
export function translate(of: Lookup, event: ParleyEvent, links: FileLinks): Dispatch[] {
  const { type } = event
  if (!isTranslated(type)) return []
  // The event comes from this server's own log or bus, so its payload has the type that its name declares.
  const run = table[type] as Translate<keyof Events> | undefined
  return run?.(of, event.d as never, event, links) ?? []
}

/** Types whose translation depends on the topic: the same event means something else to another account. */
const BY_TOPIC = new Set([
  'presence.updated',
  'user.updated',
  'thread.followed',
  'interaction.created',
  'automod.created',
  'automod.updated',
  'automod.deleted',
])
/** True if an event of this type is the same for all accounts that get it. */
export const isShared = (type: string): boolean => !BY_TOPIC.has(type)

/** True if events of this type become events of Discord. */
export const isWanted = isTranslated
/** These types. */
export const wantedTypes = Object.keys(table)
