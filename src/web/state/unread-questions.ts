import { ApiError, type ParleyClient } from '../client/client.ts'
import type { Store } from './store.ts'
import { applyUnread } from './unread.ts'

/** Channels that one request asks for. */
const ASKED_MAX = 100

/** Fetches the unread state that the store lacks; again for channels that an event changed during the request. */
export async function askForUnread(client: ParleyClient, store: Store): Promise<void> {
  const { unread, channels } = store.unknown
  const ids = [...unread].slice(0, ASKED_MAX)
  for (const id of ids) unread.delete(id)
  const since = store.tick
  const response = await client.call('GET /api/unread', { channel_ids: ids.join(',') }).catch((error: unknown) => {
    // Ignore an error: the next `ready` brings the unread channels.
    if (error instanceof ApiError && error.status !== 0) return undefined
    throw error
  })
  if (!response) return
  const answers = new Map(response.map((each) => [each.channel_id, each]))
  for (const id of ids) {
    if (store.isUnchangedSince(`unread:${id}`, since)) applyUnread(store, id, answers.get(id))
    else if (store.state.channels.has(id) || channels.has(id)) unread.add(id)
  }
  store.notify()
}
