import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import type { Sound } from '../../features/sounds/model.ts'
import { withStoredFiles } from '../../features/webhooks/stored-files.ts'
import { Unknown } from '../refusals.ts'
import { soundOf } from '../shapes/sounds.ts'
import { parseBody } from './bodies.ts'
import type { Call, Reply } from './call.ts'
import { route } from './router.ts'

// Sounds of a server, which members play in its calls.

const SOUNDS = '/guilds/:guild/soundboard-sounds'
const DATA_URI = /^data:(audio\/[a-z0-9.+-]{1,40})(?:;[a-z0-9=.+-]{1,40})?;base64,/i

const SoundBody = z.object({
  name: z.string(),
  /** Ogg Opus as a data URI. Parley plays no other format. */
  sound: z.string(),
  emoji_name: z.string().nullish(),
})

const serverPath = async (call: Call): Promise<string> => `/api/servers/${await call.id('server', 'guild')}`
// A server has fewer sounds than a page.
const listOf = async (call: Call) => call.own<Sound[]>('GET', `${await serverPath(call)}/sounds?limit=100`)
const show = (call: Call, sounds: Sound[]) => call.resolve((of) => sounds.map((sound) => soundOf(of, sound)))

async function find(call: Call): Promise<Sound> {
  const id = await call.id('sound')
  const sound = (await listOf(call)).find((one) => one.id === id)
  if (!sound) throw new Unknown('sound')
  return sound
}

function audioIn(uri: string) {
  const [head = '', type] = DATA_URI.exec(uri.slice(0, 120)) ?? []
  if (type === undefined) throw new Problem('bad_request', 'Must be a sound as data:audio/…;base64,…')
  return { filename: 'sound.ogg', type, bytes: Buffer.from(uri.slice(head.length), 'base64') }
}

async function create(call: Call): Promise<Reply> {
  const { name, sound, emoji_name } = parseBody(SoundBody, call.body)
  const path = `${await serverPath(call)}/sounds`
  const draft = { name, emoji: emoji_name ?? null }
  const newSound = await withStoredFiles(call.tools.parts, call.me.id, [audioIn(sound)], ([file_id]) =>
    call.own<Sound>('POST', path, { ...draft, file_id }),
  )
  return (await show(call, [newSound]))[0]
}

async function change(call: Call): Promise<Reply> {
  const { name, emoji_name } = parseBody(SoundBody.partial(), call.body)
  const sound = await find(call)
  const patch = { ...(name === undefined ? {} : { name }), ...(emoji_name === undefined ? {} : { emoji: emoji_name }) }
  const changed =
    Object.keys(patch).length === 0 ? sound : await call.own<Sound>('PUT', `/api/sounds/${sound.id}`, patch)
  return (await show(call, [changed]))[0]
}

export const soundRoutes = [
  route('GET', SOUNDS, 'server', async (call) => ({ items: await show(call, await listOf(call)) })),
  route('POST', SOUNDS, 'server', create),
  route('GET', `${SOUNDS}/:sound`, 'sound', async (call) => (await show(call, [await find(call)]))[0]),
  route('PATCH', `${SOUNDS}/:sound`, 'sound', change),
  route('DELETE', `${SOUNDS}/:sound`, 'sound', async (call) => {
    const { id } = await find(call)
    await call.own('DELETE', `/api/sounds/${id}`)
    return undefined
  }),
]
