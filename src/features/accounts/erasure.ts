import type { Transaction } from '../../database/database.ts'
import { claim } from '../../database/job-lock.ts'
import { errorFields } from '../../core/log.ts'
import type { Parts } from '../../parts.ts'
import type { Emit } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import { emitDmUpdated } from '../dms/conversation.ts'
import { clearPictures, lockServersShowing } from '../files/access.ts'
import type { Message } from '../messages/model.ts'

const PERIOD_MS = 5_000
/** Files that one transaction deletes; bounds its locks, and the messages in memory. */
const BATCH_MAX = 100
const BATCHES_MAX = 50

/** A file, and the message that carries it. */
export interface CarriedFile {
  id: number
  message_id: number | null
  dm_message_id: number | null
}

/** Locks the messages that carry the files, in the order of a message's change. @returns those that still exist */
async function lockCarriers(sql: Transaction, files: CarriedFile[]) {
  const message_ids = files.flatMap((file) => file.message_id ?? [])
  const dm_ids = files.flatMap((file) => file.dm_message_id ?? [])
  await sql`select share_access(server_id) from (
    select distinct c.server_id from messages m join channels c on c.id = m.channel_id
    where m.id = any(${message_ids}) order by c.server_id) servers`
  await sql`select lock_pair(low, high) from (
    select distinct c.low, c.high from dm_messages d join conversations c on c.id = d.conversation_id
    where d.id = any(${dm_ids}) order by c.low, c.high) pairs`
  const messages = await sql<{ id: number }[]>`
    select id from messages where id = any(${message_ids}) order by id for update`
  const dms = await sql<{ id: number }[]>`select id from dm_messages where id = any(${dm_ids}) order by id`
  return { messages: messages.map((row) => row.id), dms: dms.map((row) => row.id) }
}

/** Deletes files, clears them where they are pictures, and publishes the messages that carried them. */
export async function removeFiles(sql: Transaction, emit: Emit, files: CarriedFile[]): Promise<void> {
  const ids = files.map((file) => file.id)
  await lockServersShowing(sql, sql`f.id = any(${ids})`)
  const carriers = await lockCarriers(sql, files)
  await clearPictures(sql, emit, sql`f.id = any(${ids})`)
  await sql`delete from files where id = any(${ids})`
  const changed = await sql<{ message: Message; id: number; server_id: number; restricted: boolean }[]>`
    select message_json(m) as message, c.id, c.server_id, c.restricted
    from messages m join channels c on c.id = m.channel_id where m.id = any(${carriers.messages}) order by m.id`
  for (const { message, ...channel } of changed) emit(topic.channel(channel), 'message.updated', message)
  for (const id of carriers.dms) await emitDmUpdated(sql, emit, id)
}

/**
 * Deletes a batch of a deleted account's files, in a transaction of its own.
 * @param user_id the account; any deleted account when absent
 * @returns false when nothing was left to do, or another node does it
 */
async function eraseBatch({ write }: Pick<Parts, 'write'>, user_id?: number): Promise<boolean> {
  return write(async (sql, emit) => {
    // A request that waits for its own account's files does not wait for the background job.
    if (user_id === undefined && !(await claim(sql, 'erasure'))) return false
    // A random account: one that fails must not block the others.
    const [due] = await sql<{ user_id: number }[]>`select user_id from erasures
      ${user_id === undefined ? sql`` : sql`where user_id = ${user_id}`}
      order by random() limit 1 for update skip locked`
    if (!due) return false
    const files = await sql<CarriedFile[]>`select id, message_id, dm_message_id from files
      where uploader_id = ${due.user_id} order by id limit ${BATCH_MAX}`
    await removeFiles(sql, emit, files)
    if (files.length < BATCH_MAX) await sql`delete from erasures where user_id = ${due.user_id}`
    return true
  })
}

/** Deletes files of one deleted account, or of all, in at most `batches_max` batches. */
export async function erase(parts: Pick<Parts, 'write'>, batches_max: number, user_id?: number): Promise<void> {
  for (let batch = 0; batch < batches_max; batch++) if (!(await eraseBatch(parts, user_id))) return
}

/** The background job that deletes the files of deleted accounts; after a crash it goes on. */
export function openErasure({ write, log }: Pick<Parts, 'write' | 'log'>) {
  let running: Promise<void> | undefined
  const once = (): Promise<void> => (running ??= erase({ write }, BATCHES_MAX).finally(() => (running = undefined)))
  const timer = setInterval(() => {
    once().catch((error: unknown) => log('warn', 'erasure', errorFields(error)))
  }, PERIOD_MS)
  return { run: once, stop: () => clearInterval(timer) }
}
