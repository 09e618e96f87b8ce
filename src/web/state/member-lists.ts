import type { Member } from '../../features/members/model.ts'
import type { ParleyClient } from '../client/client.ts'
import type { State } from './state.ts'
import type { Store } from './store.ts'

export const LIST_MAX = 100
/** Above this number of members, a server tells no presence, and a client knows only the members in view. */
export const LARGE_MEMBERS = 1000

/** True if the page knows only some of the server's members. */
export const isLarge = ({ servers }: State, server_id: number): boolean =>
  (servers.get(server_id)?.member_count ?? 0) > LARGE_MEMBERS

/** Adds members to what the page knows. @param since the store's tick when they were asked for */
export function addMembers(store: Store, rows: Member[], since: number): void {
  const { state, unknown } = store
  for (const member of rows) {
    const { server_id, user } = member
    unknown.people.delete(user.id)
    if (store.isUnchangedSince(`user:${user.id}`, since)) state.users.set(user.id, user)
    // A large server announces no presence, so a status of it would never end.
    const row = isLarge(state, server_id) ? { ...member, status: 'offline' as const } : member
    if (store.isUnchangedSince(`member:${server_id}:${user.id}`, since)) state.upsertMember(row)
  }
  store.touch('members')
  store.notify()
}

const fetching = new WeakMap<Store, Map<number, Promise<void>>>()

/** Fetches the members of a server, page by page; of a large one, none. */
export function fetchMembers(client: ParleyClient, store: Store, server_id: number): Promise<void> {
  const { state } = store
  if (isLarge(state, server_id) || state.fetchedLists.members.has(server_id)) return Promise.resolve()
  const ofStore = fetching.get(store) ?? new Map<number, Promise<void>>()
  fetching.set(store, ofStore)
  const running = ofStore.get(server_id) ?? fetchAll(client, store, server_id).finally(() => ofStore.delete(server_id))
  ofStore.set(server_id, running)
  return running
}

async function fetchAll(client: ParleyClient, store: Store, server_id: number): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined;) {
    const since = store.tick
    const query = { server_id, limit: LIST_MAX, ...(after === 0 ? {} : { after }) }
    const rows: Member[] = await client.call('GET /api/servers/:server_id/members', query)
    addMembers(store, rows, since)
    after = rows.length < LIST_MAX ? undefined : rows.at(-1)?.user.id
  }
  store.state.fetchedLists.members.add(server_id)
}
