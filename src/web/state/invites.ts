import type { ParleyClient } from '../client/client.ts'
import type { Store } from './store.ts'

const LIST_MAX = 100

/** Fetches the invites of a server, once; events bring later changes. @throws ApiError */
export async function fetchInvites({ call }: Pick<ParleyClient, 'call'>, store: Store, server_id: number) {
  const { state } = store
  if (state.fetchedLists.invites.has(server_id)) return
  // The store applies invite events only after this.
  state.fetchedLists.invites.add(server_id)
  const since = store.tick
  const rows = await call('GET /api/servers/:server_id/invites', { server_id, limit: LIST_MAX })
  for (const invite of rows)
    if (store.isUnchangedSince(`invite:${invite.id}`, since)) state.invites.set(invite.id, invite)
  store.touch('shell')
  store.notify()
}
