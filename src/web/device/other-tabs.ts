import { effect } from '@preact/signals'
import { route } from '../state/route.ts'
import { state } from '../state/session.ts'
import { isPageActive } from '../ui/messages/attention.ts'
import { channelHere } from './focus.ts'

/** Interval at which an active tab reports itself. */
const PERIOD_MS = 5_000
/** Trust another tab's report for this long, since a tab that crashed cannot withdraw it. */
const VALID_MS = 12_000

/** A message between tabs: the sender's active channel, or a new tab's request for the others' channels. */
type Said = { tab: string; user_id: number; isActive: boolean; channel_id: number | null } | 'hello'

const tab = String(Math.random())
/** Last reports of the active tabs, by tab. */
const looks = new Map<string, { user_id: number; channel_id: number | null; at: number }>()
// Browsers before 2022 may have no channel: there each tab is for itself.
const tabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel('parley.focus') : undefined

/** Exchanges the active channel with the other tabs of this browser. */
export function shareFocus(): void {
  if (!tabs) return
  const say = (isActive = isPageActive()) => {
    const report: Said = { tab, user_id: state.me(), isActive, channel_id: channelHere() }
    tabs.postMessage(report)
  }
  tabs.addEventListener('message', ({ data }: MessageEvent<Said>) => {
    if (data === 'hello') return say()
    if (data.isActive) looks.set(data.tab, { ...data, at: Date.now() })
    else looks.delete(data.tab)
  })
  tabs.postMessage('hello')
  for (const type of ['focus', 'blur'] as const) window.addEventListener(type, () => say())
  document.addEventListener('visibilitychange', () => say())
  window.addEventListener('pagehide', () => say(false))
  setInterval(() => isPageActive() && say(), PERIOD_MS)
  effect(() => {
    void route.value
    say()
  })
}

/** True if another tab of this browser is active, and shows the channel if one is named. */
export const isLookedAtElsewhere = (channelId?: number): boolean =>
  [...looks.values()].some(
    (look) =>
      look.user_id === state.me() &&
      Date.now() - look.at < VALID_MS &&
      (channelId === undefined || look.channel_id === channelId),
  )
