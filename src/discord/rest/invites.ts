import { z } from 'zod'
import type { PublicUser } from '../../core/schema.ts'
import type { Channel, Server } from '../../features/access/model.ts'
import type { Invite, InvitePreview } from '../../features/invites/model.ts'
import { Unknown } from '../refusals.ts'
import { inviteFields } from '../shapes/invites.ts'
import { discordTime, userById } from '../shapes/users.ts'
import { parseBody } from './bodies.ts'
import type { Call, Reply } from './call.ts'
import { route } from './router.ts'

// Invites lead to a server; on Discord they lead to a channel of it, so the one that was asked for is repeated.

/** Discord's default age of an invite, seconds. */
const DAY_S = 86_400
const InviteBody = z.object({
  max_age: z.int().min(0).nullish(),
  max_uses: z.int().min(0).nullish(),
  temporary: z.boolean().nullish(),
})

/** @param channel the channel that the invite is shown for; null where it is unknown */
const show = (call: Call, invites: Invite[], server: Pick<Server, 'id' | 'name'>, channel: Channel | null) =>
  call.resolve((of) =>
    invites.map((invite) => ({
      type: 0,
      ...inviteFields(of, invite),
      guild: {
        id: of.id('server', server.id),
        name: server.name,
        features: [],
        icon: null,
        splash: null,
        banner: null,
      },
      channel: channel && { id: of.id('channel', channel.id), name: channel.name, type: 0 },
    })),
  )

async function create(call: Call): Promise<Reply> {
  const channel = await call.own<Channel>('GET', `/api/channels/${await call.id('channel')}`)
  if (channel.server_id === null) throw new Unknown('channel')
  const { max_age, max_uses, temporary } = parseBody(InviteBody, call.body)
  const server = await call.own<Server>('GET', `/api/servers/${channel.server_id}`)
  const invite = await call.own<Invite>('POST', '/api/invites', {
    server_id: server.id,
    expires_in: max_age ?? DAY_S,
    max_uses: max_uses ?? 0,
    // On Discord, a temporary membership ends when the person disconnects.
    temporary: temporary ? 'call' : null,
  })
  return (await show(call, [invite], server, channel))[0]
}

async function list(call: Call): Promise<Reply> {
  const id = await call.id('server', 'guild')
  const server = await call.own<Server>('GET', `/api/servers/${id}`)
  const invites = await call.own<Invite[]>('GET', `/api/servers/${id}/invites?limit=100`)
  // discord.js fails at an invite without a channel.
  const home = await call.resolve((of) => of.fact('home_channel', id))
  const channel = home === undefined ? null : await call.own<Channel>('GET', `/api/channels/${home}`)
  return show(call, invites, server, channel)
}

/** Invites lead to a server, so each channel of it has all of them. */
async function listOfChannel(call: Call): Promise<Reply> {
  const channel = await call.own<Channel>('GET', `/api/channels/${await call.id('channel')}`)
  if (channel.server_id === null) throw new Unknown('channel')
  const server = await call.own<Server>('GET', `/api/servers/${channel.server_id}`)
  return show(call, await call.own<Invite[]>('GET', `/api/servers/${server.id}/invites?limit=100`), server, channel)
}

/** A code in a path: letters and digits, so that it stays one part. @throws Unknown */
function codeIn(call: Call): string {
  const code = call.param('code')
  if (!/^[0-9a-z]{1,64}$/.test(code)) throw new Unknown('invite')
  return code
}

async function preview(call: Call): Promise<Reply> {
  const { code, server, inviter, expires_at, online_count } = await call.own<
    InvitePreview & { inviter: PublicUser | null }
  >('GET', `/api/invites/${codeIn(call)}`)
  return call.resolve((of) => ({
    type: 0,
    code,
    guild: { id: of.id('server', server.id), name: server.name, features: [], icon: null, splash: null, banner: null },
    guild_id: of.id('server', server.id),
    channel: null,
    ...(inviter ? { inviter: userById(of, inviter.id) } : {}),
    expires_at: expires_at && discordTime(expires_at),
    approximate_member_count: server.member_count,
    approximate_presence_count: online_count ?? 0,
  }))
}

export const inviteRoutes = [
  route('POST', '/channels/:channel/invites', 'channel', create),
  route('GET', '/guilds/:guild/invites', 'server', list),
  route('GET', '/channels/:channel/invites', 'channel', listOfChannel),
  route('GET', '/invites/:code', 'invite', preview),
  route('DELETE', '/invites/:code', 'invite', async (call) => {
    const invite = await preview(call)
    const [row] = await call.tools.parts.sql<{ id: number }[]>`
      select id from invites where code = ${codeIn(call)} and deleted_at is null`
    if (!row) throw new Unknown('invite')
    await call.own('DELETE', `/api/invites/${row.id}`)
    return invite
  }),
]
