import type { OnlineMemberPage } from '../../features/members/model.ts'
import { addMembers, LIST_MAX } from './member-lists.ts'
import { call, store } from './session.ts'

/** Members that one search adds. */
const FOUND_MAX = 25

/** Fetches some members by their ids, at most 100. */
export async function fetchSome(server_id: number, ids: number[]): Promise<void> {
  const since = store.tick
  const query = { server_id, ids: ids.join(), limit: LIST_MAX }
  addMembers(store, await call('GET /api/servers/:server_id/members', query), since)
}

const searching = new Map<string, Promise<void>>()

/** Finds members by a part of their names. Fields that look for the same share a request. */
export function searchMembers(server_id: number, q: string): Promise<void> {
  const key = `${server_id} ${q}`
  const running = searching.get(key) ?? findMembers(server_id, q).finally(() => searching.delete(key))
  searching.set(key, running)
  return running
}

async function findMembers(server_id: number, q: string): Promise<void> {
  const since = store.tick
  addMembers(store, await call('GET /api/servers/:server_id/members', { server_id, q, limit: FOUND_MAX }), since)
}

/** Fetches a page of who is online. */
export async function fetchOnline(server_id: number, from: number): Promise<OnlineMemberPage> {
  const since = store.tick
  const page = await call('GET /api/servers/:server_id/members/online', { server_id, from })
  addMembers(store, page.members, since)
  return page
}
