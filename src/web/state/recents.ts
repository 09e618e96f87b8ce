import { effect } from '@preact/signals'
import { account, state } from './session.ts'
import { route } from './route.ts'
import { onDevice } from './stored.ts'

const PREFIX = 'parley.recent.'
const RECENT_MAX = 30

/** Channels that the account has viewed in this browser, most recent first. */
export function recentChannels(): number[] {
  try {
    const ids: unknown = JSON.parse(onDevice.getItem(PREFIX + state.me()) ?? '[]')
    return Array.isArray(ids) ? ids.filter((id) => Number.isSafeInteger(id)) : []
  } catch {
    return []
  }
}

/** Notes every channel that is looked at. */
effect(() => {
  const here = route.value
  const id = here.page === 'server' || here.page === 'place' ? here.channel_id : undefined
  if (id === undefined || account.value !== 'logged_in') return
  const otherIds = recentChannels().filter((other) => other !== id)
  onDevice.setItem(PREFIX + state.me(), JSON.stringify([id, ...otherIds].slice(0, RECENT_MAX)))
})
