import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { found, Problem } from '../../core/errors.ts'
import type { Permission } from '../../core/permissions.ts'
import type { Parts } from '../../parts.ts'
import type { Sql } from '../../database/database.ts'
import { field, json } from '../../http/answers.ts'
import { demand } from '../servers/guard.ts'
import { type MessageDraft, mentionsIn } from './model.ts'

/** The problems that send_message's outcomes mean. */
const refusals = {
  nonce_conflict: () => new Problem('nonce_conflict'),
  reply_unknown: () => field('reply_to_id', 'There is no such message in this channel'),
  file_unknown: () => field('file_ids', 'There is no such file of yours'),
  already_attached: () => new Problem('already_attached'),
  missing_permission: () => new Problem('missing_permission'),
  is_category: () => new Problem('forbidden', 'A category takes no messages'),
  cannot_contact: () => new Problem('cannot_contact'),
  not_found: () => new Problem('not_found'),
}

interface Sent {
  outcome: 'created' | 'repeated' | keyof typeof refusals
  missing: Permission
  body: string
  event_ids: number[] | null
  topics: string[]
  bodies: string[]
}

const eventsOf = (channel_id: number | undefined, { event_ids, topics, bodies }: Sent) =>
  (event_ids ?? []).map((event_id, at) => ({
    type: 'message.created',
    event_id,
    channel_id,
    topic: topics[at] as string,
    body: bodies[at] as string,
  }))

const sha256 = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest()

/**
 * Sends a message, by one statement that does everything.
 * @param to the channel, or the person in whose dm it goes; that dm is made if there is none
 * @returns 201 with the message; 200 with the original one when its nonce was used before
 * @throws Problem as the outcomes of send_message say
 */
export async function sendMessage(
  { write, space }: Pick<Parts, 'write' | 'space'>,
  author_id: number,
  to: { channel_id: number } | { recipient_id: number },
  draft: z.infer<typeof MessageDraft>,
): Promise<Response> {
  await space.demand()
  const { content, reply_to_id, file_ids, nonce = null } = draft
  const hash = nonce === null ? null : sha256([content, reply_to_id, file_ids])
  // A direct message that was sent before dms were channels was hashed without a reply.
  const old_hash = nonce === null || reply_to_id !== null ? null : sha256([content, file_ids])
  const target = 'channel_id' in to ? to.channel_id : to.recipient_id
  const send = (sql: Sql) => ('channel_id' in to ? sql`send_message` : sql`send_dm`)
  const [sent] = await write.once(
    (sql) => sql<Sent[]>`select outcome, missing, body, event_ids, topics, bodies from ${send(sql)}(
      ${author_id}, ${target}, ${content}, ${mentionsIn(content)}, ${reply_to_id}, ${file_ids}, ${nonce}, ${hash},
      ${old_hash})`,
    (rows) => rows.flatMap((row) => eventsOf('channel_id' in to ? to.channel_id : undefined, row)),
  )
  const { outcome, body: message, missing } = found(sent, 'internal')
  if (outcome === 'created') return json(message, 201)
  if (outcome === 'repeated') return json(message)
  if (outcome === 'missing_permission') demand(0, missing)
  throw refusals[outcome]()
}
