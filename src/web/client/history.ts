import type { Client } from './client.ts'
import type { Place } from './outbox.ts'
import { type Entry, PAGE, type Timeline, type Wanted } from '../state/timeline.ts'

function cursorOf({ entries }: Timeline, wanted: Wanted, around: number) {
  if (wanted === 'around') return { around }
  const [first, last] = [entries[0]?.id, entries.at(-1)?.id]
  if (wanted === 'older' && first !== undefined) return { before: first }
  if (wanted === 'newer' && last !== undefined) return { after: last }
  return {}
}

/** Fetches the page of messages that goes on from a timeline, or begins another. */
export function pageOf(client: Client, place: Place, timeline: Timeline, wanted: Wanted, id: number): Promise<Entry[]> {
  const page = { limit: PAGE, ...cursorOf(timeline, wanted, id) }
  return 'user_id' in place
    ? client.call('GET /api/dm/:user_id/messages', { ...place, ...page })
    : client.call('GET /api/channels/:channel_id/messages', { ...place, ...page })
}
