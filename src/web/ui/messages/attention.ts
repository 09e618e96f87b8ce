import type { Channel } from '../../../features/channels/model.ts'
import { call, gateway, state, store } from '../../state/session.ts'
import { type Place, placeKey } from '../../client/outbox.ts'

const IDLE_MS = 10 * 60_000
/** A page may scroll through many messages; the last of them is what counts. */
const ACK_MS = 600

/** Whether somebody can be taken to look at the page. */
export const isWatched = (): boolean => document.visibilityState === 'visible' && document.hasFocus()

/** Says when nobody has been here for a while, and when somebody is back. Returns what ends that. */
export function watchPresence(): () => void {
  let idle = false
  let timer: ReturnType<typeof setTimeout>
  const set = (status: 'online' | 'idle') => void gateway.command('presence.set', { status }).catch(() => {})
  const stir = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      idle = true
      set('idle')
    }, IDLE_MS)
    if (idle) set('online')
    idle = false
  }
  const kinds = ['pointermove', 'keydown', 'focus'] as const
  for (const kind of kinds) window.addEventListener(kind, stir, { passive: true })
  stir()
  return () => {
    clearTimeout(timer)
    for (const kind of kinds) window.removeEventListener(kind, stir)
  }
}

const acking = new Map<string, ReturnType<typeof setTimeout>>()

/** Marks what is shown as read, soon; the newest that is there is what one has seen. */
export function markRead(place: Place, newest_id: number | undefined): void {
  const key = placeKey(place)
  clearTimeout(acking.get(key))
  const mark = () => {
    acking.delete(key)
    if (!isWatched()) return
    if ('user_id' in place) markDirect(place.user_id)
    else markChannel(place.channel_id, newest_id)
  }
  acking.set(key, setTimeout(mark, ACK_MS))
}

function markDirect(user_id: number): void {
  if ((state.conversations.get(user_id)?.unread_count ?? 0) === 0) return
  void call('POST /api/dm/:user_id/read-all', { user_id }).catch(() => {})
}

function markChannel(channel_id: number, newest_id: number | undefined): void {
  const channel: Channel | undefined = state.channels.get(channel_id)
  if (!channel || !state.isUnread(channel)) return
  // The newest message may be deleted: no mark reaches so far.
  state.seen.set(channel_id, channel.last_message_id ?? 0)
  state.mentions.delete(channel_id)
  store.touch('shell')
  store.notify()
  if (newest_id === undefined || newest_id <= (state.readMarks.get(channel_id) ?? 0)) return
  void gateway.command('channel.ack', { channel_id, message_id: newest_id }).catch(() => {})
}
