import { found, Problem } from '../../core/errors.ts'
import type { Transaction } from '../../database/database.ts'
import { lockServersShowing, removeFile } from '../files/access.ts'
import { removeInvite } from '../invites/remove.ts'
import { lockServer } from '../access/guard.ts'
import { lockedLocation, reworkMessage } from '../access/place.ts'
import { hidePost, removeMessage } from '../messages/remove.ts'
import { removeServer } from '../servers/remove.ts'
import { type Act, type ActContext, type Actor, must } from './act.ts'

async function deleteMessage({ sql, emit }: ActContext, id: number): Promise<Act['changes']> {
  await lockServersShowing(sql, sql`f.message_id = ${id}`)
  const place = await lockedLocation(sql, id)
  await hidePost(sql, place.channel_id, [id], null)
  await removeMessage(sql, emit, id, place)
  return { author_id: place.author_id, channel_id: place.channel_id, server_id: place.server_id }
}

async function deleteDirectMessage({ sql, emit }: ActContext, id: number): Promise<Act['changes']> {
  const place = await lockedLocation(sql, id)
  const recipient_id = found(place.recipient_id)
  await removeMessage(sql, emit, id, place)
  return { sender_id: place.author_id, recipient_id }
}

async function deleteFile({ sql, emit }: ActContext, id: number): Promise<Act['changes']> {
  const [file] = await sql<{ uploader_id: number; message_id: number | null; size: number }[]>`
    select uploader_id, message_id, size from files where id = ${id}`
  const { message_id, ...details } = must(file, 'There is no such file.')
  await lockServersShowing(sql, sql`f.id = ${id}`)
  const place = message_id === null ? undefined : await lockedLocation(sql, message_id)
  // Lock the file last, as the deletion of a server or channel does.
  const [lockedFile] = await sql`select 1 from files where id = ${id} and message_id is not distinct from ${message_id}
    for update`
  must(lockedFile, 'The file has just been attached or deleted; look again.')
  const release = () => removeFile(sql, emit, id)
  if (place && message_id !== null) await reworkMessage(sql, emit, message_id, place, release)
  else await release()
  return { ...details, message_id }
}

/** @throws Problem `forbidden` when an account acts on another operator's content */
async function demandNoOther(sql: Transaction, { me }: Actor, ...owners: (number | null)[]): Promise<void> {
  const [other] = me
    ? await sql`select 1 from users where id = any(${owners}) and id <> ${me.id} and operator_since is not null`
    : []
  if (other) throw new Problem('forbidden', 'Operators can only be changed from the command line')
}

async function deleteServer({ sql, emit, notify, actor }: ActContext, id: number): Promise<Act['changes']> {
  const { owner_id, member_count } = await lockServer(sql, id)
  await demandNoOther(sql, actor, owner_id)
  await removeServer(sql, emit, notify, id)
  return { owner_id, member_count }
}

async function deleteInvite({ sql, emit, actor }: ActContext, id: number): Promise<Act['changes']> {
  const [invite] = await sql<{ server_id: number; creator_id: number }[]>`
    select server_id, creator_id from invites where id = ${id} and deleted_at is null`
  const { server_id, creator_id } = must(invite, 'There is no such invite.')
  const { owner_id } = await lockServer(sql, server_id)
  await demandNoOther(sql, actor, creator_id, owner_id)
  await removeInvite(sql, emit, { id, server_id })
  return { server_id, creator_id }
}

const deletions = {
  message: deleteMessage,
  dm: deleteDirectMessage,
  file: deleteFile,
  server: deleteServer,
  invite: deleteInvite,
}

/** Deletes content with the same events as its owner would, without an entry in a server's audit log. */
export async function deleteContent(context: ActContext, kind: keyof typeof deletions, id: number) {
  const changes = (await deletions[kind](context, id)) ?? {}
  return { result: { deleted: kind, id }, target: [kind, id], changes } satisfies Act
}
