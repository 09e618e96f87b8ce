import type { OfferedCommand } from '../../../features/interactions/model.ts'
import { call } from '../../state/session.ts'
import { spoken } from '../../words/plural.ts'

/** The language that the account reads. */
export const spokenLocale = (): string => (spoken.locale ?? navigator.language).slice(0, 35)

interface Named {
  name: string
  name_localizations?: Record<string, string> | undefined
}
interface Described {
  description: string
  description_localizations?: Record<string, string> | undefined
}
/** A name in the language of the list, which has the texts of one language only. */
export const shownName = ({ name, name_localizations = {} }: Named): string =>
  Object.values(name_localizations)[0] ?? name
/** The same of a description. */
export const shownDescription = ({ description, description_localizations = {} }: Described): string =>
  Object.values(description_localizations)[0] ?? description

const FRESH_MS = 30_000
const CHANNELS_MAX = 50
const cache = new Map<string, { at: number; commands: Promise<OfferedCommand[]> }>()

/** The commands that bots offer the account in a channel; none while the server cannot be asked. */
export function commandsIn(channel_id: number): Promise<OfferedCommand[]> {
  const key = `${channel_id} ${spokenLocale()}`
  const before = cache.get(key)
  if (before && Date.now() - before.at < FRESH_MS) return before.commands
  const commands = call('GET /api/channels/:channel_id/commands', { channel_id, locale: spokenLocale() }).catch(() => {
    cache.delete(key)
    return []
  })
  cache.set(key, { at: Date.now(), commands })
  for (const oldest of cache.keys()) if (cache.size > CHANNELS_MAX) cache.delete(oldest)
  return commands
}
