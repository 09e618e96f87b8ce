import { Problem } from '../../core/errors.ts'
import { violatedConstraint } from '../../database/database.ts'
import { chargeAssets } from '../access/assets.ts'
import { EMOJI_BYTES_MAX } from '../emoji/model.ts'
import { emojiPicture } from '../emoji/picture.ts'
import type { DiscordRest, GuildAccess } from './discord-rest.ts'
import type { Making, Media } from './making.ts'
import { cleanName } from './names.ts'
import type { Report } from './report.ts'

/** An export has no pictures of roles. After this many failures in a row, Discord is asked for no more. */
const FAILURES_MAX = 3

/** Gives roles the small pictures that they have on Discord, the highest role first. */
export async function makeRolePictures(
  making: Making,
  { store }: Pick<Media, 'store'>,
  { roles, discord }: Pick<GuildAccess, 'roles'> & { discord: Pick<DiscordRest, 'rolePicture'> },
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  const { sql, server } = making
  const rows = await sql<{ role_id: number }[]>`select role_id from role_icons where server_id = ${server.server_id}`
  const done = new Set(rows.map(({ role_id }) => role_id))
  let failures = 0
  for (const { id, name, icon } of roles.toSorted((a, b) => b.position - a.position)) {
    signal.throwIfAborted()
    const roleId = server.role(id)
    if (!icon || roleId === undefined || done.has(roleId)) continue
    const bytes = failures < FAILURES_MAX ? await discord.rolePicture(id, icon) : undefined
    failures = bytes ? 0 : failures + 1
    const picture = bytes && (await encode(bytes))
    const key = picture && (await store.storePublic('role-icons', picture))
    const isMade = picture && key && (await makePicture(making, roleId, key, picture))
    if (!isMade) report.note('role_picture', cleanName(name, 64, 'role'))
  }
}

/** @returns false if the server has no space for it */
async function makePicture(
  { write, server: { server_id }, limit }: Making,
  role_id: number,
  key: string,
  picture: Uint8Array,
): Promise<boolean> {
  return write(async (tx) => {
    // No upload was it made from.
    await tx`insert into role_icons ${tx({ role_id, server_id, key, size: picture.length, file_id: 0 })}`
    await chargeAssets(tx, server_id, picture.length, limit)
    await tx`update roles set icon_url = ${`/media/role-icons/${key}`} where id = ${role_id}`
    await tx`delete from object_outbox where key = ${`role-icons/${key}`}`
    return true
  }).catch((error: unknown) => {
    if (violatedConstraint(error) !== 'too_many_bytes') throw error
    return false
  })
}

/** Encodes a picture for a role; undefined if it is none. */
async function encode(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  if (bytes.length > EMOJI_BYTES_MAX) return undefined
  try {
    return await emojiPicture(bytes)
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}
