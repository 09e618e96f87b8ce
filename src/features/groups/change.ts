import type { z } from 'zod'
import type { Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { field } from '../../http/answers.ts'
import type { Channel, ChannelPatch } from '../access/model.ts'
import { lockPicture } from '../files/access.ts'
import { sendNotice } from '../messages/notice.ts'
import { visibleChannel } from '../access/guard.ts'
import { emitGroup } from './participants.ts'

/**
 * Changes a group's name or picture, and publishes the group. Any participant may do so.
 * @throws Problem `not_found`, `validation_failed` for fields that only a server's channel has
 */
export async function changeGroup(
  sql: Transaction,
  emit: Emit,
  id: number,
  me: number,
  { name, icon_file_id, ...others }: z.infer<typeof ChannelPatch>,
): Promise<Channel> {
  for (const key of Object.keys(others)) throw field(key, 'Only a channel of a server has this')
  const changes = { ...(name !== undefined && { name }), ...(icon_file_id !== undefined && { icon_file_id }) }
  await sql`select share_group(${id})`
  await visibleChannel(sql, id, me)
  // Lock the group before the file, in the same order as its deletion.
  const [before] = await sql<{ name: string }[]>`select name from channels where id = ${id} for no key update`
  if (icon_file_id) await lockPicture(sql, icon_file_id, me)
  await sql`update channels set ${sql({ ...changes, updated_at: new Date() })} where id = ${id}`
  const group = await emitGroup(sql, emit, 'channel.updated', id)
  if (group.name !== before?.name) await sendNotice(sql, emit, id, me, 'renamed', { name: group.name })
  return group
}
