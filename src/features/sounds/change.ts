import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { found, Problem } from '../../core/errors.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import { field } from '../../http/answers.ts'
import type { Parts } from '../../parts.ts'
import { chargeAssets } from '../access/assets.ts'
import { demand, membership } from '../access/guard.ts'
import { audit } from '../audit/record.ts'
import { demandUnattached } from '../files/access.ts'
import { recordPicture, removeUnused, uploadedBytes } from '../files/server-picture.ts'
import {
  type Sound,
  SOUND_BYTES_MAX,
  SOUND_MS_MAX,
  type SoundDraft,
  type SoundPatch,
  SOUNDS_PER_SERVER_MAX,
} from './model.ts'
import { durationOfOggOpus, NotOggOpus } from './ogg-opus.ts'

/** The columns of a Sound, of sounds `s`. */
export const soundColumns = (sql: Sql) =>
  sql`s.id, s.server_id, s.name, s.emoji, '/media/sounds/' || s.key as url, s.duration_ms, s.creator_id, s.created_at`

/** The object key of a sound. @param key the last part of its URL */
export const objectKey = (key: string): string => `sounds/${key}`

/** Finds a sound through a member of its server. @throws Problem `not_found` */
async function visibleSound(sql: Sql, id: number, userId: number): Promise<Sound> {
  const [sound] = await sql<Sound[]>`
    select ${soundColumns(sql)} from sounds s join members m on m.server_id = s.server_id and m.user_id = ${userId}
    where s.id = ${id}`
  return found(sound)
}

/** Locks a server, whose sounds nobody else then changes. @throws Problem `not_found`, `missing_permission` */
async function lockSounds(sql: Transaction, server_id: number, userId: number): Promise<void> {
  await sql`select 1 from servers where id = ${server_id} for no key update`
  await sql`select share_access(${server_id})`
  demand((await membership(sql, server_id, userId)).permissions, 'manage_emoji')
}

/** The duration of an uploaded sound, ms. @throws Problem `validation_failed` */
function judgedDuration(bytes: Uint8Array): number {
  const refusal = () =>
    field('file_id', `Must be Ogg Opus of at most ${SOUND_MS_MAX / 1000} seconds and ${SOUND_BYTES_MAX / 1024} KiB`)
  try {
    const duration = durationOfOggOpus(bytes)
    if (duration > SOUND_MS_MAX) throw refusal()
    return duration
  } catch (error) {
    throw error instanceof NotOggOpus ? refusal() : error
  }
}

/**
 * Creates a sound from a file that the account has uploaded, and deletes the uploaded file, because the sound has its
 * own copy.
 * @throws Problem `not_found`, `missing_permission`, `already_attached`, `validation_failed`, `too_many_sounds`,
 * `too_many_bytes`, `unavailable`
 */
export async function createSound(
  parts: Parts,
  server_id: number,
  userId: number,
  { name, emoji, file_id }: z.output<typeof SoundDraft>,
): Promise<Sound> {
  const bytes = await uploadedBytes(parts, file_id, userId, SOUND_BYTES_MAX)
  const durationMs = judgedDuration(bytes)
  const key = randomBytes(16).toString('hex')
  const record = async (tx: Transaction) => {
    await lockSounds(tx, server_id, userId)
    const [row] = await tx<{ count: number }[]>`
      select count(*)::int as count from sounds where server_id = ${server_id}`
    if (found(row).count >= SOUNDS_PER_SERVER_MAX) throw new Problem('too_many_sounds')
    await demandUnattached(tx, file_id)
    const [sound] = await tx<Sound[]>`
      insert into sounds as s (server_id, name, emoji, key, size, duration_ms, creator_id)
      values (${server_id}, ${name}, ${emoji}, ${key}, ${bytes.length}, ${durationMs}, ${userId})
      returning ${soundColumns(tx)}`
    await removeUnused(tx, file_id)
    await chargeAssets(tx, server_id, bytes.length, parts.environment)
    await note(tx, userId, 'sound.created', null, found(sound))
    return found(sound)
  }
  return recordPicture(parts, objectKey(key), bytes, record, 'audio/ogg')
}

/** Renames a sound, or changes its emoji. @throws Problem `not_found`, `missing_permission` */
export async function changeSound(
  sql: Transaction,
  id: number,
  userId: number,
  changes: z.output<typeof SoundPatch>,
): Promise<Sound> {
  const { server_id } = await visibleSound(sql, id, userId)
  await lockSounds(sql, server_id, userId)
  const before = await visibleSound(sql, id, userId)
  const [sound] = await sql<Sound[]>`
    update sounds s set ${sql(changes)} where id = ${id} returning ${soundColumns(sql)}`
  await note(sql, userId, 'sound.updated', before, found(sound))
  return found(sound)
}

/** @throws Problem `not_found`, `missing_permission` */
export async function deleteSound(sql: Transaction, id: number, userId: number): Promise<void> {
  const { server_id } = await visibleSound(sql, id, userId)
  await lockSounds(sql, server_id, userId)
  const before = await visibleSound(sql, id, userId)
  await sql`delete from sounds where id = ${id}`
  await note(sql, userId, 'sound.deleted', before, null)
}

function note(
  sql: Transaction,
  actor_id: number,
  action: 'sound.created' | 'sound.updated' | 'sound.deleted',
  before: Sound | null,
  after: Sound | null,
): Promise<void> {
  const { id, server_id } = found(before ?? after)
  const auditFields = (sound: Sound | null) => sound && { name: sound.name, emoji: sound.emoji }
  return audit(sql, { server_id, actor_id, action }, ['sound', id], auditFields(before), auditFields(after))
}
