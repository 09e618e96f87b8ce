import { z } from 'zod'
import { DecimalId } from '../../core/schema.ts'
import { found } from '../../core/errors.ts'
import { lockServersShowing, removeFile } from '../../features/files/access.ts'
import { lockServer } from '../../features/members/membership.ts'
import { lockedLocation, reworkMessage } from '../../features/messages/place.ts'
import { removeMessage } from '../../features/messages/remove.ts'
import { removeServer } from '../../features/servers/remove.ts'
import { command, type CommandContext, Flag, must, type Outcome } from './model.ts'

async function deleteMessage({ sql, emit }: CommandContext, id: number): Promise<Outcome['changes']> {
  await lockServersShowing(sql, sql`f.message_id = ${id}`)
  const place = await lockedLocation(sql, id)
  await removeMessage(sql, emit, id, place)
  return { author_id: place.author_id, channel_id: place.channel_id, server_id: place.server_id }
}

async function deleteDirectMessage({ sql, emit }: CommandContext, id: number): Promise<Outcome['changes']> {
  const place = await lockedLocation(sql, id)
  const recipient_id = found(place.recipient_id)
  await removeMessage(sql, emit, id, place)
  return { sender_id: place.author_id, recipient_id }
}

async function deleteFile({ sql, emit }: CommandContext, id: number): Promise<Outcome['changes']> {
  const [file] = await sql<{ uploader_id: number; message_id: number | null; size: number }[]>`
    select uploader_id, message_id, size from files where id = ${id}`
  const { message_id, ...of } = must(file, 'There is no such file.')
  await lockServersShowing(sql, sql`f.id = ${id}`)
  const place = message_id === null ? undefined : await lockedLocation(sql, message_id)
  // Locked last: the deletion of a server or channel also locks its files last.
  const [same] = await sql`select 1 from files where id = ${id} and message_id is not distinct from ${message_id}
    for update`
  must(same, 'The file has just been attached or deleted; look again.')
  const release = () => removeFile(sql, emit, id)
  if (place && message_id !== null) await reworkMessage(sql, emit, message_id, place, release)
  else await release()
  return { ...of, message_id }
}

async function deleteServer({ sql, emit, notify }: CommandContext, id: number): Promise<Outcome['changes']> {
  const { owner_id, member_count } = await lockServer(sql, id)
  await removeServer(sql, emit, notify, id)
  return { owner_id, member_count }
}

const deletions = { message: deleteMessage, dm: deleteDirectMessage, file: deleteFile, server: deleteServer }

/** Deletions by the operator: with the same events as those by members, without an entry in a server's audit log. */
export const contentCommands = {
  delete: command({
    positionals: ['kind', 'id'],
    args: z.strictObject({ kind: z.enum(['message', 'dm', 'file', 'server']), id: DecimalId, yes: Flag, json: Flag }),
    words: 'message|dm|file|server <id> [--yes] [--json]',
    summary: 'delete content, as its owner would',
    destructive: true,
    run: async (context, { kind, id }) => ({
      changes: await deletions[kind](context, id),
      result: { deleted: kind, id },
      lines: [`The ${kind === 'dm' ? 'direct message' : kind} ${id} is deleted.`],
      target: [kind, id],
    }),
  }),
}
