import { type ApiError, isOffline } from '../client/rest.ts'
import type { ParleyClient } from '../client/client.ts'
import type { Store } from './store.ts'

/** Servers that one command opens. Source: docs/gateway.md. */
const OPENED_MAX = 100

/** Delay after a refusal before the servers are opened again. */
const RETRY_MS = 3_000

/** Opens the servers that the store lacks: their snapshots come before the answer. */
export async function openUnknown({ gateway }: ParleyClient, store: Store): Promise<void> {
  const { unknown, state } = store
  const server_ids = [...unknown.servers].slice(0, OPENED_MAX)
  const answer = await gateway.command('server.open', { server_ids }).catch((error: ApiError) => {
    if (isOffline(error)) throw error
    return error.status === 404 ? { server_ids: new Array<number>() } : undefined
  })
  if (!answer) return void (await new Promise((resolve) => setTimeout(resolve, RETRY_MS)))
  for (const id of server_ids) {
    unknown.servers.delete(id)
    // The account has left it.
    if (!answer.server_ids.includes(id)) state.dropServer(id)
  }
  store.touch('shell', 'members')
  store.notify()
}
