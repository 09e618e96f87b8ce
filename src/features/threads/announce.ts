import { ephemeralFrame } from '../../core/events.ts'
import { errorFields } from '../../core/log.ts'
import type { Parts } from '../../parts.ts'
import { botsIn } from '../access/bots.ts'

/** A change of who follows a thread. */
export interface FollowerChange {
  server_id: number
  channel_id: number
  user_id: number
  following: boolean
}

/**
 * Notifies bots that manage threads that somebody follows one, or does so no longer. The event is not logged: whoever
 * missed it lists the followers.
 * @param change undefined if nothing has changed
 */
export async function announceFollower(
  { sql, bus, log }: Pick<Parts, 'sql' | 'bus' | 'log'>,
  change: FollowerChange | undefined,
): Promise<void> {
  if (!change) return
  const { server_id, ...payload } = change
  // The change is committed: it does not fail with the news of it.
  const bots = botsIn(sql, server_id, change.channel_id, 'manage_threads').catch((error: unknown) => {
    log('warn', 'threads.follower', errorFields(error))
    return []
  })
  for (const to of await bots) bus.publish(ephemeralFrame(to, 'thread.follower', payload))
}
