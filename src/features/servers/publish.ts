import { topic } from '../../core/events.ts'
import type { Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { channelColumns, type ChannelRow } from '../access/channel-rows.ts'
import { channelOf } from '../access/model.ts'

/**
 * Begins the public channels of a server anew when the server becomes public: what was written while it was not stays
 * out, like anything older than a switch.
 */
export async function publishFromNow(sql: Transaction, emit: Emit, serverId: number): Promise<void> {
  const channels = await sql<ChannelRow[]>`
    update channels c set public_since = now(), public_older = false, updated_at = now()
    where c.server_id = ${serverId} and c.public_since is not null returning ${channelColumns(sql)}`
  for (const channel of channels) emit(topic.seers(channel), 'channel.updated', channelOf(channel))
}
