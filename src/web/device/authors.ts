import { effect } from '@preact/signals'
import { fetchSome } from '../state/large-servers.ts'
import { isLarge } from '../state/member-lists.ts'
import { route } from '../state/route.ts'
import { state, store } from '../state/session.ts'
import { channelHere } from './focus.ts'

/** Authors that come together are fetched together, ms. */
const PAUSE_MS = 200
const AT_ONCE = 100
/** Accounts that were askedKeys for; those that are no members stay unknown. */
const ASKED_MAX = 5_000

/** Fetches the authors of the messages on the page, for their roles and nicknames: of a large server only these. */
export function watchAuthors(): void {
  const askedKeys = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    timer = undefined
    const { id, server_id } = state.channels.get(channelHere() ?? 0) ?? {}
    if (id === undefined || server_id == null || !isLarge(state, server_id)) return
    const members = state.members.get(server_id)
    const authors = new Set(state.timelines.get(`c${id}`)?.entries.map(({ author }) => author.id))
    const keyOf = (author: number) => `${server_id} ${author}`
    const ids = [...authors]
      .filter((author) => !members?.has(author) && !askedKeys.has(keyOf(author)))
      .slice(0, AT_ONCE)
    if (ids.length === 0) return
    if (askedKeys.size + ids.length > ASKED_MAX) askedKeys.clear()
    for (const author of ids) askedKeys.add(keyOf(author))
    // There may be more.
    fetchSome(server_id, ids).then(soon, () => {
      for (const author of ids) askedKeys.delete(keyOf(author))
    })
  }
  const soon = () => (timer ??= setTimeout(look, PAUSE_MS))
  store.watch((parts) => [...parts].some((part) => part.startsWith('timeline ')) && soon())
  effect(() => (void route.value, void soon()))
}
