import { found } from '../../core/errors.ts'
import { topic } from '../../core/events.ts'
import { columns, type Transaction } from '../../database/database.ts'
import type { Emit, Notify } from '../../events/write.ts'
import type { Server } from '../access/model.ts'
import { join } from '../members/membership.ts'
import { demandOpenDoor, noteJoin } from '../members/raids.ts'
import type { Status } from '../status/model.ts'
import { giveRest, givenRole } from './gifts.ts'
import { Invite } from './model.ts'

/** The server that was entered. The caller acts on a raid after the commit. */
export interface Entry {
  server: Server
  isRaid: boolean
}

/**
 * Uses an invite of the locked server once, and makes the account a member. A guest gets no role.
 * @throws Problem `joining_paused`, `invite_gone`, `too_many_servers`
 */
export async function enterBy(
  sql: Transaction,
  emit: Emit,
  notify: Notify,
  { id, server_id }: Pick<Invite, 'id' | 'server_id'>,
  { user_id, status, isGuest = false }: { user_id: number; status: Status; isGuest?: boolean },
): Promise<Entry> {
  await demandOpenDoor(sql, server_id)
  const [usedInvite] = await sql<Invite[]>`update invites i set uses = uses + 1 where id = ${id} and is_live(i)
    returning ${columns(sql, Invite)}`
  const live = found(usedInvite, 'invite_gone')
  emit(topic.invites(server_id), 'invite.created', live)
  const role_id = isGuest ? undefined : await givenRole(sql, live)
  const server = await join(sql, emit, notify, server_id, { user_id, status, role_id })
  await giveRest(sql, live, { user_id, role_id, isGuest })
  return { server, isRaid: await noteJoin(sql, server_id, user_id) }
}
