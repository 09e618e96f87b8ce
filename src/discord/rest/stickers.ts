import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import { visibleSticker } from '../../features/stickers/change.ts'
import type { Sticker } from '../../features/stickers/model.ts'
import { withStoredFiles } from '../../features/webhooks/stored-files.ts'
import { Unknown } from '../refusals.ts'
import { stickerOf } from '../shapes/guilds.ts'
import { type MessageBody, parseBody } from './bodies.ts'
import type { Call, Reply } from './call.ts'
import { route } from './router.ts'

const STICKERS = '/guilds/:guild/stickers'

const StickerBody = z.object({ name: z.string(), description: z.string().nullish(), tags: z.string().nullish() })

const serverPath = async (call: Call): Promise<string> => `/api/servers/${await call.id('server', 'guild')}`
// A server has fewer stickers than a page.
const listOf = async (call: Call) => call.own<Sticker[]>('GET', `${await serverPath(call)}/stickers?limit=100`)
const show = (call: Call, stickers: Sticker[]) => call.resolve((of) => stickers.map((one) => stickerOf(of, one)))

async function find(call: Call): Promise<Sticker> {
  const id = await call.id('sticker')
  const sticker = (await listOf(call)).find((one) => one.id === id)
  if (!sticker) throw new Unknown('sticker')
  return sticker
}

/** Stickers come as a form. Without a description, which Discord allows, the name describes it. */
async function create(call: Call): Promise<Reply> {
  const { name, description, tags } = parseBody(StickerBody, call.body)
  const [file] = call.files
  if (!file || call.files.length > 1) throw new Problem('bad_request', 'Must be a form with one file')
  const path = `${await serverPath(call)}/stickers`
  const sticker = await withStoredFiles(call.tools.parts, call.me.id, [file], ([file_id]) =>
    call.own<Sticker>('POST', path, { name, alt: description || name, tags: tags ?? '', file_id }),
  )
  return (await show(call, [sticker]))[0]
}

async function change(call: Call): Promise<Reply> {
  const { name, description, tags } = parseBody(StickerBody.partial(), call.body)
  const { id } = await find(call)
  const patch = {
    ...(name === undefined ? {} : { name }),
    ...(description ? { alt: description } : {}),
    ...(typeof tags === 'string' ? { tags } : {}),
  }
  const sticker =
    Object.keys(patch).length === 0 ? await find(call) : await call.own<Sticker>('PUT', `/api/stickers/${id}`, patch)
  return (await show(call, [sticker]))[0]
}

/** The sticker of a new message. @throws Unknown, Problem `bad_request` for several */
export async function stickerField(call: Call, { sticker_ids }: MessageBody): Promise<{ sticker_id?: number }> {
  const [snowflake, ...more] = sticker_ids ?? []
  if (snowflake === undefined) return {}
  if (more.length > 0) throw new Problem('bad_request', 'A message can have one sticker')
  return { sticker_id: await call.find('sticker', snowflake) }
}

export const stickerRoutes = [
  route('GET', STICKERS, 'server', async (call) => show(call, await listOf(call))),
  route('POST', STICKERS, 'server', create),
  route('GET', `${STICKERS}/:sticker`, 'sticker', async (call) => (await show(call, [await find(call)]))[0]),
  route('PATCH', `${STICKERS}/:sticker`, 'sticker', change),
  route('DELETE', `${STICKERS}/:sticker`, 'sticker', async (call) => {
    const { id } = await find(call)
    await call.own('DELETE', `/api/stickers/${id}`)
    return undefined
  }),
  route('GET', '/stickers/:sticker', 'sticker', async (call) => {
    const sticker = await visibleSticker(call.tools.parts.sql, await call.id('sticker'), call.me.id)
    return (await show(call, [sticker]))[0]
  }),
]
