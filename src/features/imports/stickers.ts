import { found, Problem } from '../../core/errors.ts'
import { codePoints } from '../../core/schema.ts'
import { violatedConstraint } from '../../database/database.ts'
import { chargeAssets } from '../access/assets.ts'
import { STICKER_ALT_MAX, STICKER_BYTES_MAX, STICKER_NAME_MAX, STICKERS_PER_SERVER_MAX } from '../stickers/model.ts'
import { stickerPicture } from '../stickers/picture.ts'
import type { FoundFile } from './media.ts'
import { cleanName } from './names.ts'
import type { Making, Media } from './making.ts'
import type { Report } from './report.ts'

/** Creates the most used stickers of an export, up to a server's limit. The others stay pictures in messages. */
export async function makeStickers(
  making: Making,
  { files, store }: Media,
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  const { sql, server, survey } = making
  const rows = await sql`select 1 from stickers where server_id = ${server.server_id} and deleted_at is null`
  let count = rows.length
  for (const [source, { name, picture }] of [...survey.stickers].toSorted(([, a], [, b]) => b.uses - a.uses)) {
    signal.throwIfAborted()
    if (server.sticker(source) !== undefined) continue
    const file = count < STICKERS_PER_SERVER_MAX ? await files.find(picture, name, 'picture') : undefined
    const encoded = file && (await encode(file))
    if (
      encoded &&
      (await makeSticker(making, source, name, await store.storePublic('stickers', encoded.picture), encoded))
    )
      count++
    else report.note('sticker_many', cleanName(name, 64, 'sticker'))
  }
}

/** @returns false if the server has no space for it */
async function makeSticker(
  { write, server, survey, limit }: Making,
  source: string,
  name: string,
  key: string,
  { picture, isAnimated }: { picture: Uint8Array; isAnimated: boolean },
): Promise<boolean> {
  const { server_id, owner_id } = server
  const plainName = cleanName(name, STICKER_NAME_MAX, 'Sticker')
  const stickerName = codePoints(plainName) < 2 ? `${plainName} 1` : plainName
  // An export has no descriptions; the bot's token may have fetched them.
  const alt = cleanName(survey.stickerTexts.get(source) ?? name, STICKER_ALT_MAX, stickerName)
  const remember = await write(async (tx) => {
    const [sticker] = await tx<{ id: number }[]>`
      insert into stickers (server_id, name, alt, key, size, is_animated, creator_id)
      values (${server_id}, ${stickerName}, ${alt}, ${key}, ${picture.length}, ${isAnimated}, ${owner_id})
      returning id`
    await chargeAssets(tx, server_id, picture.length, limit)
    await tx`delete from object_outbox where key = ${`stickers/${key}`}`
    return server.note(tx, 'sticker', [{ source, id: found(sticker, 'internal').id }])
  }).catch((error: unknown) => {
    if (violatedConstraint(error) !== 'too_many_bytes') throw error
  })
  remember?.()
  return remember !== undefined
}

/** Encodes a picture as a sticker; undefined if it is not a picture. */
async function encode({ path, size }: FoundFile) {
  try {
    const bytes = await Bun.file(path)
      .slice(0, Math.min(size, STICKER_BYTES_MAX + 1))
      .arrayBuffer()
    return await stickerPicture(new Uint8Array(bytes))
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}
