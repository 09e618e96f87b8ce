import type { Channel } from '../../../features/channels/model.ts'
import { call, gateway, state, store } from '../../state/session.ts'
import { type Place, placeKey } from '../../client/outbox.ts'

const IDLE_MS = 10 * 60_000
/** While one scrolls, only the last read mark is sent. */
const ACK_MS = 600

/** Whether the page is visible and has the focus. */
export const isPageActive = (): boolean => document.visibilityState === 'visible' && document.hasFocus()

/** Sends `idle` after a time without input, and `online` after the next input. @returns a function that stops this */
export function reportPresence(): () => void {
  let idle = false
  let timer: ReturnType<typeof setTimeout>
  const set = (status: 'online' | 'idle') => void gateway.command('presence.set', { status }).catch(() => {})
  const onInput = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      idle = true
      set('idle')
    }, IDLE_MS)
    if (idle) set('online')
    idle = false
  }
  const kinds = ['pointermove', 'keydown', 'focus'] as const
  for (const kind of kinds) window.addEventListener(kind, onInput, { passive: true })
  onInput()
  return () => {
    clearTimeout(timer)
    for (const kind of kinds) window.removeEventListener(kind, onInput)
  }
}

const ack_timers = new Map<string, ReturnType<typeof setTimeout>>()

/**
 * Marks a place read up to the last message that was seen, after a short delay.
 * @param seen the last message that is visible when the delay has passed, and whether it is the newest
 */
export function markRead(place: Place, seen: () => { id: number | undefined; isNewest: boolean }): void {
  const key = placeKey(place)
  clearTimeout(ack_timers.get(key))
  const mark = () => {
    ack_timers.delete(key)
    if (!isPageActive()) return
    const { id, isNewest } = seen()
    if ('channel_id' in place) markChannel(place.channel_id, id, isNewest)
    else if (isNewest) markDirect(place.user_id)
    else markSeenDirect(place.user_id, id ?? 0)
  }
  ack_timers.set(key, setTimeout(mark, ACK_MS))
}

function markDirect(user_id: number): void {
  if ((state.conversations.get(user_id)?.unread_count ?? 0) === 0) return
  void call('POST /api/dm/:user_id/read-all', { user_id }).catch(() => {})
}

/** Messages that have been marked read one by one. */
const marked = new Set<number>()
const AT_ONCE_MAX = 25

/** Marks the messages of a conversation read up to that one. */
function markSeenDirect(user_id: number, id: number): void {
  const entries = state.timelines.get(`u${user_id}`)?.entries ?? []
  const seen = entries.filter(
    (entry) => entry.id <= id && 'read_at' in entry && !entry.read_at && entry.sender_id === user_id,
  )
  for (const { id: message_id } of seen.filter((entry) => !marked.has(entry.id)).slice(0, AT_ONCE_MAX)) {
    if (marked.size >= AT_ONCE_MAX * 20) marked.clear()
    marked.add(message_id)
    void call('POST /api/dm/messages/:message_id/read', { message_id }).catch(() => marked.delete(message_id))
  }
}

function markChannel(channel_id: number, id: number | undefined, isNewest: boolean): void {
  const channel: Channel | undefined = state.channels.get(channel_id)
  if (!channel) return
  if (state.isUnread(channel)) {
    // The last message may be deleted, and then no read mark can reach it.
    const seen_id = isNewest ? (channel.last_message_id ?? 0) : (id ?? 0)
    state.seen.set(channel_id, Math.max(state.readUntil(channel_id), seen_id))
    state.recountMentions(channel_id)
    store.touch('shell')
    store.notify()
  }
  if (id === undefined || id <= (state.readMarks.get(channel_id) ?? 0)) return
  void gateway.command('channel.ack', { channel_id, message_id: id }).catch(() => {})
}
