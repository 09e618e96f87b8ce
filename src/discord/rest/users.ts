import type { PublicUser } from '../../core/schema.ts'
import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import type { Channel } from '../../features/access/model.ts'
import type { OwnApplication } from '../../features/applications/model.ts'
import { gatewayUrl } from '../gateway/connection.ts'
import { selfOf, userOf } from '../shapes/users.ts'
import { channelOf } from '../shapes/guilds.ts'
import { parseBody } from './bodies.ts'
import type { Call, Reply } from './call.ts'
import { withPicture } from './pictures.ts'
import { openRoute, route } from './router.ts'

/** Session starts that a bot may make in a day, as the gateway's limit allows about. */
const STARTS = { total: 1000, remaining: 1000, reset_after: 86_400_000, max_concurrency: 16 }

const SelfBody = z.object({ username: z.string().nullish(), avatar: z.string().nullish() })

async function ownUser(call: Call) {
  const account = await call.own<PublicUser>('GET', `/api/users/${call.me.id}`)
  return call.resolve((of) => selfOf(of, account))
}

async function applicationOf(call: Call) {
  const { bot, owner, description, public_key } = await call.own<OwnApplication>('GET', '/api/applications/@me')
  return call.resolve((of) => {
    const user = userOf(of, bot)
    return {
      id: user.id,
      name: bot.display_name,
      description,
      icon: null,
      bot: user,
      bot_public: true,
      bot_require_code_grant: false,
      owner: owner && userOf(of, owner),
      team: null,
      flags: 0,
      verify_key: public_key,
      summary: '',
      hook: true,
      redirect_uris: [],
      tags: [],
      interactions_endpoint_url: null,
    }
  })
}

/** The dm with a person who has written to the bot: bots begin none. */
async function openDm(call: Call): Promise<Reply> {
  const { recipient_id } = parseBody(z.object({ recipient_id: z.string() }), call.body)
  const otherId = await call.find('user', recipient_id)
  const [row] = await call.tools.parts.sql<{ channel_id: number }[]>`
    select channel_id from participants where user_id = ${call.me.id} and other_id = ${otherId}`
  if (!row) throw new Problem('cannot_contact')
  const channel = await call.own<Channel>('GET', `/api/channels/${row.channel_id}`)
  return call.resolve((of) => channelOf(of, channel))
}

export const userRoutes = [
  openRoute('GET', '/gateway', undefined, async ({ caller }) => ({
    url: gatewayUrl(caller.base),
  })),
  route('GET', '/gateway/bot', undefined, async ({ caller }) => ({
    url: gatewayUrl(caller.base),
    shards: 1,
    session_start_limit: STARTS,
  })),
  route('GET', '/users/@me', undefined, ownUser),
  route('GET', '/users/:user', 'user', async (call) => {
    const account = await call.own<PublicUser>('GET', `/api/users/${await call.id('user')}`)
    return call.resolve((of) => userOf(of, account))
  }),
  route('PATCH', '/users/@me', undefined, async (call) => {
    const { username, avatar } = parseBody(SelfBody, call.body)
    await withPicture(call, 'avatar_file_id', avatar, async (picture) => {
      const change = { ...(username ? { name: username } : {}), ...picture }
      if (Object.keys(change).length > 0) await call.own('PUT', '/api/applications/@me', change)
    })
    return ownUser(call)
  }),
  route('POST', '/users/@me/channels', 'user', openDm),
  route('GET', '/applications/@me', undefined, applicationOf),
  route('GET', '/oauth2/applications/@me', undefined, applicationOf),
]
