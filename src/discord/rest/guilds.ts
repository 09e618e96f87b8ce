import { z } from 'zod'
import type { Channel, Server } from '../../features/access/model.ts'
import { membership } from '../../features/access/guard.ts'
import { selectMembers } from '../../features/members/membership.ts'
import type { Member } from '../../features/members/model.ts'
import type { Role } from '../../features/roles/model.ts'
import { visibleThreads } from '../gateway/guild-create.ts'
import { Unknown } from '../refusals.ts'
import { channelFor, channelOf, guildWithLists, roleOf } from '../shapes/guilds.ts'
import { memberOf } from '../shapes/users.ts'
import { numberIn, parseBody } from './bodies.ts'
import type { Call, Reply } from './call.ts'
import { withPicture } from './pictures.ts'
import { route } from './router.ts'

const MEMBERS_MAX = 1000

const guildId = (call: Call): Promise<number> => call.id('server', 'guild')

const showMembers = (call: Call, members: Omit<Member, 'status'>[]): Promise<object[]> =>
  call.resolve((of) => members.map(({ user, ...member }) => memberOf(of, user, member)))

/** A page of members by account, after the demand that the bot is one of them. */
async function listMembers(call: Call): Promise<Reply> {
  const id = await guildId(call)
  const { sql } = call.tools.parts
  await membership(sql, id, call.me.id)
  const limit = numberIn(call.query, 'limit', MEMBERS_MAX) ?? 1
  const after = call.query.get('after')
  const afterId = after ? await call.edge('user', 'after', after) : 0
  const page = await selectMembers(
    sql,
    sql`m.server_id = ${id} and m.user_id > ${afterId} order by m.user_id limit ${limit}`,
  )
  return showMembers(call, page)
}

async function getMember(call: Call): Promise<Reply> {
  const id = await guildId(call)
  const { sql } = call.tools.parts
  await membership(sql, id, call.me.id)
  const userId = ['@me', ''].includes(call.param('user')) ? call.me.id : await call.id('user', 'user', 'member')
  const members = await selectMembers(sql, sql`m.server_id = ${id} and m.user_id = ${userId}`)
  const [member] = await showMembers(call, members)
  if (!member) throw new Unknown('member')
  return member
}

async function getGuild(call: Call): Promise<Reply> {
  const server = await call.own<Server>('GET', `/api/servers/${await guildId(call)}`)
  return call.resolve((of) => ({
    ...guildWithLists(of, server),
    approximate_member_count: server.member_count,
    approximate_presence_count: 0,
  }))
}

const GuildBody = z.object({
  name: z.string().nullish(),
  description: z.string().nullish(),
  icon: z.string().nullish(),
  system_channel_id: z.string().nullish(),
  afk_channel_id: z.string().nullish(),
  afk_timeout: z.int().nullish(),
  default_message_notifications: z.int().nullish(),
})

async function editGuild(call: Call): Promise<Reply> {
  const body = parseBody(GuildBody, call.body)
  const { name, description, system_channel_id: home, default_message_notifications: level } = body
  const { afk_channel_id: afk, afk_timeout: afkSeconds } = body
  const change = {
    ...(name === null || name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description: description ?? '' }),
    ...(home === undefined ? {} : { system_channel_id: home && (await call.find('channel', home)) }),
    ...(afk === undefined ? {} : { afk_channel_id: afk && (await call.find('channel', afk)) }),
    ...(afkSeconds === null || afkSeconds === undefined ? {} : { afk_minutes: afkSeconds / 60 }),
    ...(level === null || level === undefined ? {} : { default_notifications: level === 0 ? 'all' : 'mentions' }),
  }
  const path = `/api/servers/${await guildId(call)}`
  await withPicture(call, 'icon_file_id', body.icon, async (icon) => {
    const all = { ...change, ...icon }
    if (Object.keys(all).length > 0) await call.own('PUT', path, all)
  })
  return getGuild(call)
}

async function searchMembers(call: Call): Promise<Reply> {
  const limit = numberIn(call.query, 'limit', 100) ?? 1
  const name = encodeURIComponent((call.query.get('query') ?? '').slice(0, 64))
  return showMembers(
    call,
    await call.own<Member[]>(
      'GET',
      `/api/servers/${await guildId(call)}/members?q=${name}&limit=${Math.max(1, limit)}`,
    ),
  )
}

const Moves = z
  .array(z.object({ id: z.string(), position: z.int().nullish(), parent_id: z.string().nullish() }))
  .max(550)

/** Moves channels, each in the category that it is in unless the body names another one. */
async function moveChannels(call: Call): Promise<Reply> {
  const path = `/api/servers/${await guildId(call)}/channels`
  const channels = new Map((await call.own<Channel[]>('GET', path)).map((channel) => [channel.id, channel]))
  const moves = await Promise.all(
    parseBody(Moves, call.body).map(async ({ id, position, parent_id }) => {
      const channel = channels.get(await call.find('channel', id))
      if (!channel) throw new Unknown('channel')
      const parent = parent_id === undefined ? channel.parent_id : parent_id && (await call.find('channel', parent_id))
      return { id: channel.id, parent_id: parent, position: position ?? channel.position }
    }),
  )
  if (moves.length > 0) await call.own('PUT', `${path}/order`, moves)
  return undefined
}

async function activeThreads(call: Call): Promise<Reply> {
  const id = await guildId(call)
  const { sql } = call.tools.parts
  await membership(sql, id, call.me.id)
  const threads = await visibleThreads(sql, id, call.me.id)
  return call.resolve((of) => ({ threads: threads.map((thread) => channelOf(of, thread)), members: [] }))
}

export const guildRoutes = [
  route('PATCH', '/guilds/:guild', 'server', editGuild),
  route('PATCH', '/guilds/:guild/channels', 'server', moveChannels),
  route('GET', '/guilds/:guild/members/search', 'server', searchMembers),
  route('GET', '/guilds/:guild/threads/active', 'server', activeThreads),
  route('GET', '/guilds/:guild', 'server', getGuild),
  route('GET', '/guilds/:guild/channels', 'server', async (call) => {
    const channels = await call.own<Channel[]>('GET', `/api/servers/${await guildId(call)}/channels`)
    return call.resolve((of) => channels.map((channel) => channelFor(of, channel, call.me.id)))
  }),
  route('GET', '/guilds/:guild/roles', 'server', async (call) => {
    const id = await guildId(call)
    await membership(call.tools.parts.sql, id, call.me.id)
    return call.resolve((of) => (of.fact('guild_roles', id) ?? []).map((role: Role) => roleOf(of, role)))
  }),
  route('GET', '/guilds/:guild/members', 'server', listMembers),
  route('GET', '/guilds/:guild/members/:user', 'member', getMember),
  route('GET', '/users/@me/guilds/:guild/member', 'member', getMember),
]
