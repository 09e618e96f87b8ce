import type { Channel, Server } from '../../features/access/model.ts'
import { membership } from '../../features/access/guard.ts'
import { selectMembers } from '../../features/members/membership.ts'
import type { Member } from '../../features/members/model.ts'
import type { Role } from '../../features/roles/model.ts'
import { Unknown } from '../refusals.ts'
import { channelOf, guildOf, roleOf } from '../shapes/guilds.ts'
import { memberOf } from '../shapes/users.ts'
import { numberIn } from './bodies.ts'
import type { Call, Reply } from './call.ts'
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
  const afterId = after && after !== '0' ? await call.find('user', after) : 0
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
  const userId = call.param('user') === '@me' ? call.me.id : await call.id('user', 'user', 'member')
  const members = await selectMembers(sql, sql`m.server_id = ${id} and m.user_id = ${userId}`)
  const [member] = await showMembers(call, members)
  if (!member) throw new Unknown('member')
  return member
}

async function getGuild(call: Call): Promise<Reply> {
  const server = await call.own<Server>('GET', `/api/servers/${await guildId(call)}`)
  return call.resolve((of) => ({
    ...guildOf(of, server, of.fact('guild_roles', server.id) ?? [], of.fact('guild_emoji', server.id) ?? []),
    approximate_member_count: server.member_count,
    approximate_presence_count: 0,
  }))
}

export const guildRoutes = [
  route('GET', '/guilds/:guild', 'server', getGuild),
  route('GET', '/guilds/:guild/channels', 'server', async (call) => {
    const channels = await call.own<Channel[]>('GET', `/api/servers/${await guildId(call)}/channels`)
    return call.resolve((of) => channels.map((channel) => channelOf(of, channel)))
  }),
  route('GET', '/guilds/:guild/roles', 'server', async (call) => {
    const id = await guildId(call)
    await membership(call.tools.parts.sql, id, call.me.id)
    return call.resolve((of) => (of.fact('guild_roles', id) ?? []).map((role: Role) => roleOf(of, role)))
  }),
  route('GET', '/guilds/:guild/members', 'server', listMembers),
  route('GET', '/guilds/:guild/members/:user', 'member', getMember),
]
