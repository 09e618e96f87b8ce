import type { OfferedCommand } from '../../../features/interactions/model.ts'
import { call } from '../../state/session.ts'

const FRESH_MS = 30_000
const CHANNELS_MAX = 50
const cache = new Map<number, { at: number; commands: Promise<OfferedCommand[]> }>()

/** The commands that bots offer the account in a channel; none while the server cannot be asked. */
export function commandsIn(channel_id: number): Promise<OfferedCommand[]> {
  const before = cache.get(channel_id)
  if (before && Date.now() - before.at < FRESH_MS) return before.commands
  const commands = call('GET /api/channels/:channel_id/commands', { channel_id }).catch(() => {
    cache.delete(channel_id)
    return []
  })
  cache.set(channel_id, { at: Date.now(), commands })
  for (const oldest of cache.keys()) if (cache.size > CHANNELS_MAX) cache.delete(oldest)
  return commands
}
