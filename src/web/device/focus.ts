import { effect } from '@preact/signals'
import { route } from '../state/route.ts'
import { connection, gateway, state } from '../state/session.ts'
import { isPageActive } from '../ui/messages/attention.ts'

/** After this time without input, the device counts as unattended. */
const AWAY_MS = 2 * 60_000

/** The channel that the address names. */
export function channelHere(): number | null {
  const here = route.value
  if (here.page === 'place') return here.channel_id
  if (here.page === 'server') return here.channel_id ?? null
  if (here.page !== 'direct') return null
  return [...state.channels.values()].find((channel) => state.partnerOf(channel) === here.user_id)?.id ?? null
}

/** Reports the channel in the focused window to the server, which sends no notices for its messages. */
export function reportFocus(): void {
  let reportedId: number | null = null
  let activeAt = Date.now()
  const tell = () => {
    const isHere = isPageActive() && Date.now() - activeAt < AWAY_MS
    const channel_id = isHere ? channelHere() : null
    if (connection.value !== 'online' || channel_id === reportedId) return
    reportedId = channel_id
    void gateway.command('focus.set', { channel_id }).catch(() => {})
  }
  const hear = () => {
    const wasAway = Date.now() - activeAt >= AWAY_MS
    activeAt = Date.now()
    if (wasAway) tell()
  }
  for (const kind of ['pointermove', 'keydown', 'pointerdown'] as const)
    window.addEventListener(kind, hear, { passive: true })
  for (const kind of ['focus', 'blur'] as const) window.addEventListener(kind, () => ((activeAt = Date.now()), tell()))
  document.addEventListener('visibilitychange', tell)
  setInterval(tell, AWAY_MS / 4)
  effect(() => {
    // The server forgets it with the connection.
    if (connection.value !== 'online') reportedId = null
    void route.value
    tell()
  })
}
