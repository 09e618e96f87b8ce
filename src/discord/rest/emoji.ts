import { z } from 'zod'
import type { CustomEmoji } from '../../features/emoji/model.ts'
import { withStoredFiles } from '../../features/webhooks/stored-files.ts'
import { Unknown } from '../refusals.ts'
import { emojiOf } from '../shapes/guilds.ts'
import { parseBody } from './bodies.ts'
import type { Call, Reply } from './call.ts'
import { pictureIn } from './pictures.ts'
import { route } from './router.ts'

const EMOJIS = '/guilds/:guild/emojis'

const serverPath = async (call: Call): Promise<string> => `/api/servers/${await call.id('server', 'guild')}`
const listOf = async (call: Call) => call.own<CustomEmoji[]>('GET', `${await serverPath(call)}/emoji`)
const show = (call: Call, emoji: CustomEmoji[]) => call.resolve((of) => emoji.map((one) => emojiOf(of, one)))

async function find(call: Call): Promise<CustomEmoji> {
  const id = await call.id('emoji')
  const emoji = (await listOf(call)).find((one) => one.id === id)
  if (!emoji) throw new Unknown('emoji')
  return emoji
}

async function create(call: Call): Promise<Reply> {
  const { name, image } = parseBody(z.object({ name: z.string(), image: z.string() }), call.body)
  const path = `${await serverPath(call)}/emoji`
  const emoji = await withStoredFiles(call.tools.parts, call.me.id, [pictureIn(image)], ([file_id]) =>
    call.own<CustomEmoji>('POST', path, { name: name.toLowerCase(), file_id }),
  )
  return (await show(call, [emoji]))[0]
}

export const emojiRoutes = [
  route('GET', EMOJIS, 'server', async (call) => show(call, await listOf(call))),
  route('POST', EMOJIS, 'server', create),
  route('GET', `${EMOJIS}/:emoji`, 'emoji', async (call) => (await show(call, [await find(call)]))[0]),
  route('PATCH', `${EMOJIS}/:emoji`, 'emoji', async (call) => {
    const { name } = parseBody(z.object({ name: z.string() }), call.body)
    const path = `/api/emoji/${await call.id('emoji')}`
    return (await show(call, [await call.own<CustomEmoji>('PUT', path, { name: name.toLowerCase() })]))[0]
  }),
  route('DELETE', `${EMOJIS}/:emoji`, 'emoji', async (call) => {
    await call.own('DELETE', `/api/emoji/${await call.id('emoji')}`)
    return undefined
  }),
]
