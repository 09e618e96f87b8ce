import { columns, type Sql, type Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import { found } from '../../core/errors.ts'
import { field } from '../../http/answers.ts'
import { visibleChannel } from '../access/guard.ts'
import { Server } from '../access/model.ts'

/** @throws Problem `validation_failed` unless this is a text channel of the server that the member sees */
export async function demandSystemChannel(sql: Sql, serverId: number, userId: number, id: number): Promise<void> {
  const channel = await visibleChannel(sql, id, userId).catch(() => undefined)
  if (channel?.server_id !== serverId || channel.type !== 'text')
    throw field('system_channel_id', 'Must be a text channel of this server')
}

/** @throws Problem `validation_failed` unless this is a voice channel of the server that the member sees */
export async function demandAfkChannel(sql: Sql, serverId: number, userId: number, id: number): Promise<void> {
  const channel = await visibleChannel(sql, id, userId).catch(() => undefined)
  if (channel?.server_id !== serverId || channel.type !== 'voice')
    throw field('afk_channel_id', 'Must be a voice channel of this server')
}

/** Publishes a server as it is now. */
export async function emitServer(sql: Transaction, emit: Emit, id: number): Promise<void> {
  const [server] = await sql<Server[]>`select ${columns(sql, Server)} from servers where id = ${id}`
  emit(topic.server(id), 'server.updated', found(server))
}
