import type { PublicUser } from '../../core/schema.ts'
import type { Message } from '../../features/messages/model.ts'
import { discordTime, userOf } from '../shapes/users.ts'
import { numberIn } from './bodies.ts'
import type { Call, Reply } from './call.ts'
import { showMessages } from './messages.ts'
import { route } from './router.ts'

const REACTIONS = '/channels/:channel/messages/:message/reactions'
const USERS_MAX = 100
const CUSTOM = /^(?:a:)?(\w{2,32}):(\d{15,19})$/

/** The emoji in the path, as Parley's API writes it. @throws Unknown */
async function emojiIn(call: Call): Promise<string> {
  const emoji = call.param('emoji')
  const [, name = '', snowflake] = CUSTOM.exec(emoji) ?? []
  if (snowflake === undefined) return encodeURIComponent(emoji)
  return encodeURIComponent(`${name.toLowerCase()}:${await call.find('emoji', snowflake)}`)
}

const pathOf = async (call: Call): Promise<string> => `/api/messages/${await call.id('message')}/reactions`

async function list(call: Call): Promise<Reply> {
  const limit = numberIn(call.query, 'limit', USERS_MAX) ?? 25
  const after = call.query.get('after')
  const cursor = after ? await call.cursor('user', 'after', after) : ''
  const path = `${await pathOf(call)}/${await emojiIn(call)}?limit=${limit}${cursor}`
  const users = await call.own<PublicUser[]>('GET', path)
  return call.resolve((of) => users.map((user) => userOf(of, user)))
}

async function remove(call: Call): Promise<Reply> {
  const userId = call.param('user') === '@me' ? call.me.id : await call.id('user')
  const owner = userId === call.me.id ? '@me' : userId
  await call.own('DELETE', `${await pathOf(call)}/${await emojiIn(call)}/${owner}`)
  return undefined
}

/** Pinned messages, newest pin first. */
async function pinned(call: Call, limit: number): Promise<Message[]> {
  return call.own<Message[]>('GET', `/api/channels/${await call.id('channel')}/pins?limit=${limit}`)
}

const pinRoutes = ['/channels/:channel/pins/:message', '/channels/:channel/messages/pins/:message'].flatMap((path) =>
  ['PUT', 'DELETE'].map((method) =>
    route(method, path, 'message', async (call) => {
      await call.own(method, `/api/channels/${await call.id('channel')}/pins/${await call.id('message')}`)
      return undefined
    }),
  ),
)

export const reactionRoutes = [
  route('PUT', `${REACTIONS}/:emoji/@me`, 'message', async (call) => {
    await call.own('PUT', `${await pathOf(call)}/${await emojiIn(call)}/@me`)
    return undefined
  }),
  route('DELETE', `${REACTIONS}/:emoji/:user`, 'message', remove),
  route('GET', `${REACTIONS}/:emoji`, 'message', list),
  route('DELETE', `${REACTIONS}/:emoji`, 'message', async (call) => {
    await call.own('DELETE', `${await pathOf(call)}/${await emojiIn(call)}`)
    return undefined
  }),
  route('DELETE', REACTIONS, 'message', async (call) => {
    await call.own('DELETE', await pathOf(call))
    return undefined
  }),
  ...pinRoutes,
  route('GET', '/channels/:channel/pins', 'channel', async (call) => showMessages(call, await pinned(call, 50))),
  route('GET', '/channels/:channel/messages/pins', 'channel', async (call) => {
    const limit = numberIn(call.query, 'limit', 50) ?? 50
    const messages = await pinned(call, limit)
    const translations = await showMessages(call, messages)
    return {
      items: translations.map((message, at) => ({
        pinned_at: discordTime(messages[at]?.pinned_at ?? new Date(0).toISOString()),
        message,
      })),
      has_more: messages.length === limit,
    }
  }),
]
