import type { z } from 'zod'
import { copyFiles } from '../files/copies.ts'
import { FILES_PER_MESSAGE_MAX } from '../files/model.ts'
import type { Parts } from '../../parts.ts'
import type { MessageDraft } from './model.ts'
import { sendMessage } from './send.ts'
import type { SendGroups } from './send-groups.ts'
import type { Outgoing } from './send-statements.ts'

/**
 * Sends a message; with what it forwards go copies of the files there.
 * @param to the channel, or the person in whose dm it goes; that dm is made if there is none
 * @returns as sendMessage
 * @throws Problem as sendMessage and copyFiles
 */
export async function sendOrForward(
  parts: Parts,
  groups: SendGroups,
  author_id: number,
  to: Outgoing['to'],
  draft: z.infer<typeof MessageDraft>,
): Promise<Response> {
  if (draft.forward_message_id === null) return sendMessage(parts.sql, groups, author_id, to, draft)
  const copies_max = FILES_PER_MESSAGE_MAX - draft.file_ids.length
  const copies = await copyFiles(parts, author_id, draft.forward_message_id, copies_max)
  const drop = () => parts.sql`delete from files where id = any(${copies}) and message_id is null`
  try {
    const answer = await sendMessage(parts.sql, groups, author_id, to, draft, copies)
    if (answer.status !== 201) await drop()
    return answer
  } catch (error) {
    await drop()
    throw error
  }
}
