import { z } from 'zod'
import { BODY_CODES, found, PLACE_CODES, Problem } from '../../core/errors.ts'
import type { Saying, Settle } from '../../core/judge.ts'
import { answers, DecimalId } from '../../core/schema.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import type { Parts } from '../../parts.ts'
import { demandPartner } from '../access/contact.ts'
import { demand, guarded } from '../access/guard.ts'
import { changeMessage, type MessagePlace } from '../access/place.ts'
import { visibleFile } from '../files/access.ts'
import { AltText, File } from '../files/model.ts'
import type { Sessions } from '../sessions/store.ts'

/** A description counts as an edit, and needs the same permissions. */
async function demandWriting(sql: Transaction, place: MessagePlace, me: number): Promise<void> {
  const { permissions, server_id, is_thread, locked } = place
  if (server_id !== null) demand(permissions, is_thread ? 'send_in_threads' : 'send_messages')
  if (locked) demand(permissions, 'manage_threads')
  await demandPartner(sql, me, place)
}

/** Descriptions of files, for those who do not see them. */
export const altTextRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions).put(
    '/api/files/:file_id',
    async ({ params: { file_id }, me, body }) => {
      const { message_id, uploader_id } = await visibleFile(parts.sql, file_id, me.id)
      if (uploader_id !== me.id) throw new Problem('forbidden', 'Only the uploader can describe this file')
      const alt = body.alt === '' ? null : body.alt
      const settle = await judgeAlt(parts, file_id, me.id, body.alt)
      const file = await parts.write(async (sql, emit) => {
        const describe = async () => {
          const [row] = await sql<{ file: File }[]>`
            update files f set alt = ${alt} where id = ${file_id} and message_id is not distinct from ${message_id}
            returning file_json(f) as file`
          return found(row).file
        }
        if (message_id === null) return describe()
        let described: File | undefined
        await changeMessage(sql, emit, message_id, me.id, undefined, async (place) => {
          await demandWriting(sql, place, me.id)
          described = await describe()
        })
        return found(described, 'internal')
      })
      await settle()
      return File.parse(file)
    },
    {
      params: z.object({ file_id: DecimalId }),
      body: AltText,
      detail: {
        summary: 'Describe a file for those who do not see it (its uploader); an empty text removes that',
        tags: ['Files'],
      },
      response: answers({ 200: File }, 'forbidden', 'automod_blocked', 'cannot_contact', ...PLACE_CODES, ...BODY_CODES),
    },
  )

/**
 * Judges a description by the rules of each server that shows the file: in a message, or as the picture of an event.
 * @throws Problem `automod_blocked`
 */
async function judgeAlt(
  { sql, judge }: Pick<Parts, 'sql' | 'judge'>,
  file_id: number,
  author_id: number,
  alt: string,
): Promise<Settle> {
  const settles: Settle[] = []
  for (const place of judge.isIdle() ? [] : await placesOf(sql, file_id))
    settles.push(await judge.demand({ author_id, place, texts: [alt] }))
  return async () => {
    for (const settle of settles) await settle()
  }
}

/** The channel of a file's message, and the servers of the events whose picture it is. */
async function placesOf(sql: Sql, file_id: number): Promise<Saying['place'][]> {
  const channels = await sql<{ channel_id: number }[]>`
    select m.channel_id from files f join messages m on m.id = f.message_id where f.id = ${file_id}`
  const servers = await sql<{ server_id: number }[]>`
    select distinct e.server_id from event_images i join calendar_events e on e.id = i.event_id
    where i.file_id = ${file_id} and e.cancelled_at is null`
  return [...channels, ...servers]
}
