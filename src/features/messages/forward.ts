import type { z } from 'zod'
import { found, Problem } from '../../core/errors.ts'
import { field } from '../../http/answers.ts'
import { holds } from '../../core/permissions.ts'
import type { Sql } from '../../database/database.ts'
import type { Caller } from '../../http/caller.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { copyFiles, originalsOf } from '../files/copies.ts'
import { FILES_PER_MESSAGE_MAX } from '../files/model.ts'
import { demand, demandSight } from '../access/guard.ts'
import type { MessageDraft } from './model.ts'
import { refusals, sendMessage } from './send.ts'
import type { SendGroups } from './send-groups.ts'
import type { Outgoing } from './send-statements.ts'

/** Low, because a forward copies up to ten files. */
const FORWARDS: BucketPolicy = { name: 'forwards', burst: 10, refillPerS: 0.5 }

/** Accounts whose forwards are copying files on this process. */
const copyingIds = new Set<number>()

/** @throws Problem `validation_failed` for fields that only bots may use */
export function demandOfBot(
  { is_bot }: { is_bot: boolean },
  draft: Partial<Record<(typeof OF_BOTS)[number], unknown>>,
): void {
  if (is_bot) return
  const isGiven = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0)
  for (const name of OF_BOTS) if (isGiven(draft[name])) throw field(name, 'Only messages of bots can have this')
}
const OF_BOTS = ['components', 'embeds', 'allowed_mentions'] as const

/**
 * Sends a message. If it forwards another one, copies that message's files.
 * @param to the channel, or the person in whose dm it goes; the dm is created if there is none
 * @returns as sendMessage
 * @throws Problem as sendMessage and copyFiles; `unavailable` while another forward of the account copies files
 */
export async function sendOrForward(
  parts: Parts,
  groups: SendGroups,
  author: { id: number; is_bot: boolean; caller: Caller },
  to: Outgoing['to'],
  draft: z.infer<typeof MessageDraft>,
): Promise<Response> {
  const { sql, limits } = parts
  demandOfBot(author, draft)
  const send = (copies?: number[]) => sendMessage(parts, groups, author.id, to, draft, copies)
  if (draft.forward_message_id === null) return send()
  const originals = await originalsOf(sql, author.id, draft.forward_message_id)
  if (originals.length === 0 || (await isUsed(sql, author.id, to, draft.nonce))) return send()
  if (draft.file_ids.length + originals.length > FILES_PER_MESSAGE_MAX)
    throw new Problem('too_many_uploads', 'Too many files for one message')
  await limits.take(author.caller, FORWARDS, `user:${author.id}`)
  await demandDestination(sql, author.id, to)
  if (copyingIds.has(author.id))
    throw new Problem('unavailable', 'Another forward of yours is copying files', { retry_after: 1 })
  copyingIds.add(author.id)
  try {
    const copies = await copyFiles(parts, author.id, originals)
    const dropCopies = () => sql`delete from files where id = any(${copies}) and message_id is null`
    try {
      const answer = await send(copies)
      if (answer.status !== 201) await dropCopies()
      return answer
    } catch (error) {
      await dropCopies()
      throw error
    }
  } finally {
    copyingIds.delete(author.id)
  }
}

/** True if the nonce is used and stays so for the next hour: then nothing is sent, so no copies are needed. */
async function isUsed(sql: Sql, authorId: number, to: Outgoing['to'], nonce: string | undefined): Promise<boolean> {
  if (nonce === undefined) return false
  const channel =
    'channel_id' in to
      ? sql`${to.channel_id}::bigint`
      : sql`(select channel_id from participants where user_id = ${authorId} and other_id = ${to.recipient_id})`
  const rows = await sql`select 1 from used_nonce(${authorId}, ${channel}, ${nonce}) used
    where used.created_at > now() - interval '23 hours'`
  return rows.length > 0
}

/**
 * Refuses early what send_message would refuse, so that no file is copied in vain.
 * @throws Problem `not_found`, `forbidden`, `cannot_contact`, `missing_permission`, `slowmode`
 */
async function demandDestination(sql: Sql, authorId: number, to: Outgoing['to']): Promise<void> {
  if ('recipient_id' in to) return demandTaker(sql, authorId, to.recipient_id)
  const [channel] = await sql<
    { permissions: number; type: string; locked: boolean; other_id: number | null; retry_after: number | null }[]
  >`
    select ca.permissions, c.type, c.locked, p.other_id,
      ceil(extract(epoch from sm.sent_at - clock_timestamp()) + c.slowmode_seconds)::int as retry_after
    from channels c cross join lateral channel_access(c.id, ${authorId}) ca
    left join participants p on p.channel_id = c.id and p.user_id = ${authorId}
    left join slowmode_marks sm on sm.channel_id = c.id and sm.user_id = ${authorId}
    where c.id = ${to.channel_id}`
  demandSight(channel?.permissions)
  const { permissions, type, locked, other_id, retry_after } = found(channel)
  if (type === 'category' || type === 'forum') throw refusals.is_category()
  if (other_id !== null) await demandTaker(sql, authorId, other_id)
  demand(permissions, type === 'thread' ? 'send_in_threads' : 'send_messages')
  demand(permissions, 'attach_files')
  if (locked) demand(permissions, 'manage_threads')
  if (retry_after !== null && retry_after > 0 && !holds(permissions, 'manage_messages'))
    throw new Problem('slowmode', undefined, { retry_after })
}

/** Demands that a person exists and accepts direct messages from the author. */
async function demandTaker(sql: Sql, authorId: number, recipientId: number): Promise<void> {
  const [recipient] = await sql<{ takes: boolean }[]>`
    select takes_dm(${authorId}, id) as takes from users where id = ${recipientId}`
  if (!found(recipient).takes) throw refusals.cannot_contact()
}
