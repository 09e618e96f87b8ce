import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import type { Database } from '../../database/database.ts'
import { membership } from '../../features/access/guard.ts'
import { soundColumns } from '../../features/sounds/change.ts'
import type { Sound } from '../../features/sounds/model.ts'
import type { Facts } from '../facts.ts'
import type { Ids } from '../ids.ts'
import { soundOf } from '../shapes/sounds.ts'

/** Servers in a request. */
const GUILDS_MAX = 100

export const SoundsRequest = z.object({ guild_ids: z.array(z.string()).max(GUILDS_MAX) })

/** The sounds of a server. */
export const soundsOf = (sql: Database, serverId: number) => sql<Sound[]>`
  select ${soundColumns(sql)} from sounds s where s.server_id = ${serverId} order by s.id`

/**
 * Answers a bot's request for the sounds of servers. It is silent about servers that the bot is not in.
 * @param send sends the sounds of one server, and waits until the next may follow
 */
export async function sendSounds(
  sql: Database,
  { guild_ids }: z.infer<typeof SoundsRequest>,
  { user_id, facts, ids }: { user_id: number; facts: Facts; ids: Ids },
  send: (body: object) => Promise<void>,
): Promise<void> {
  for (const guild_id of new Set(guild_ids)) {
    const serverId = await ids.find('server', guild_id)
    const isMember = serverId !== undefined && (await membership(sql, serverId, user_id).then(() => true, isAbsent))
    if (!isMember) continue
    const sounds = await soundsOf(sql, serverId)
    await send(
      await facts.resolve((of) => ({ guild_id, soundboard_sounds: sounds.map((sound) => soundOf(of, sound)) })),
    )
  }
}

/** @throws the error, if it is another one */
function isAbsent(error: unknown): false {
  if (error instanceof Problem) return false
  throw error
}
