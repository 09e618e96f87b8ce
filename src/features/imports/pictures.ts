import { basename } from 'node:path'
import { found, Problem } from '../../core/errors.ts'
import { freeName } from '../../core/free-name.ts'
import { type Transaction, violatedConstraint } from '../../database/database.ts'
import { chargeAssets } from '../access/assets.ts'
import { EMOJI_BYTES_MAX, EMOJI_PER_SERVER_MAX } from '../emoji/model.ts'
import { emojiPicture } from '../emoji/picture.ts'
import type { FoundFile, StoredFile } from './media.ts'
import type { Report } from './report.ts'
import type { Making, Media } from './making.ts'
import { makeStickers } from './stickers.ts'
import type { Address } from './used-pictures.ts'

const EMOJI_NAME_MAX = 32

/** Creates the server's icon, its custom emoji and stickers, and people's avatars from pictures in the export. */
export async function makePictures(making: Making, media: Media, report: Report, signal: AbortSignal): Promise<void> {
  await makeEmoji(making, media, report, signal)
  await makeStickers(making, media, report, signal)
  await makeIcon(making, media)
  await makeAvatars(making, media, signal)
}

/** The most used emoji first, up to a server's limit. */
async function makeEmoji(
  { sql, write, server, survey, limit }: Making,
  { files, store }: Media,
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  const { server_id, owner_id } = server
  const rows = await sql<{ name: string }[]>`select name from emojis where server_id = ${server_id}`
  const takenNames = new Set(rows.map(({ name }) => name))
  for (const [source, { name, picture }] of [...survey.emoji].toSorted(([, a], [, b]) => b.uses - a.uses)) {
    signal.throwIfAborted()
    if (server.emoji(source)) continue
    const as = `:${name.slice(0, 64)}:`
    const file = takenNames.size < EMOJI_PER_SERVER_MAX ? await files.find(picture, as, 'emoji') : undefined
    const webp = file && (await encodeEmoji(file))
    if (!webp) {
      if (file || takenNames.size >= EMOJI_PER_SERVER_MAX) report.note('emoji', as)
      continue
    }
    const plainName = name
      .toLowerCase()
      .replace(/[^a-z0-9_]/g, '_')
      .slice(0, EMOJI_NAME_MAX)
      .padEnd(2, '_')
    const emojiName = freeName(plainName, takenNames, EMOJI_NAME_MAX, '_')
    takenNames.add(emojiName)
    const key = await store.storePublic('emoji', webp)
    const remember = await write(async (tx) => {
      const [emoji] = await tx<{ id: number }[]>`
        insert into emojis (server_id, name, key, creator_id, size)
        values (${server_id}, ${emojiName}, ${key}, ${owner_id}, ${webp.length}) returning id`
      await chargeAssets(tx, server_id, webp.length, limit)
      const { id } = found(emoji, 'internal')
      await tx`delete from object_outbox where key = ${`emoji/${key}`}`
      const rememberEmoji = await server.note(tx, 'emoji', [{ source, id }])
      return () => {
        rememberEmoji()
        server.nameEmoji(source, `${emojiName}:${id}`)
      }
    }).catch((error: unknown) => {
      if (violatedConstraint(error) !== 'too_many_bytes') throw error
      report.note('emoji', as)
    })
    remember?.()
  }
}

/** Encodes a picture as a custom emoji; undefined if it is not a picture. */
async function encodeEmoji({ path, size }: FoundFile): Promise<Uint8Array | undefined> {
  try {
    return await emojiPicture(
      new Uint8Array(
        await Bun.file(path)
          .slice(0, Math.min(size, EMOJI_BYTES_MAX + 1))
          .arrayBuffer(),
      ),
    )
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

async function makeIcon({ sql, write, server, survey }: Making, { files, store }: Media): Promise<void> {
  const { folder, iconUrl } = survey.guild
  if (!iconUrl) return
  const { server_id, owner_id } = server
  const serversWithoutIcon = await sql`select 1 from servers where id = ${server_id} and icon_file_id is null`
  if (serversWithoutIcon.length === 0) return
  const picture = await storePictureAt({ folder, url: iconUrl }, { files, store })
  if (!picture) return
  await write(async (tx) => {
    // Lock servers before files.
    await tx`select 1 from servers where id = ${server_id} for no key update`
    await tx`update servers set icon_file_id = ${await record(tx, picture, owner_id)} where id = ${server_id}`
  })
}

async function makeAvatars(
  { sql, write, server, survey }: Making,
  { files, store }: Media,
  signal: AbortSignal,
): Promise<void> {
  const rows = await sql<{ source: string; id: number }[]>`
    select p.source, u.id from import_parts p join users u on u.id = p.target_id
    where p.import_id = ${server.id} and p.kind = 'author' and u.avatar_file_id is null`
  for (const { source, id } of rows) {
    signal.throwIfAborted()
    const avatar = survey.people.get(source)?.avatar
    const picture = avatar && (await storePictureAt(avatar, { files, store }))
    if (!picture) continue
    await write(async (tx) => {
      await tx`update users set avatar_file_id = ${await record(tx, picture, id)} where id = ${id}`
    })
  }
}

/** Stores a picture; undefined if it cannot be shown or is missing. */
async function storePictureAt(address: Address, { files, store }: Media): Promise<StoredFile | undefined> {
  const file = await files.find(address, address.url.slice(-60), 'picture')
  const picture = file && (await store.store(file, basename(file.path)))
  return picture && picture.thumbnail_key !== null ? picture : undefined
}

async function record(sql: Transaction, picture: StoredFile, uploader_id: number): Promise<number> {
  const [file] = await sql<{ id: number }[]>`insert into files ${sql({ ...picture, uploader_id })} returning id`
  await sql`delete from object_outbox where key = any(${[picture.key, picture.thumbnail_key ?? picture.key]})`
  return found(file, 'internal').id
}
