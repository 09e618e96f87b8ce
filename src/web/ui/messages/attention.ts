import type { Channel } from '../../../features/access/model.ts'
import { gateway, state, store } from '../../state/session.ts'
import type { ChannelPlace } from '../../state/place.ts'
import { placeKey } from '../../client/outbox.ts'

/** Delay of a read mark: during scrolling only the last one is sent. */
const ACK_MS = 600

/** True if the page is visible and has the focus. */
export const isPageActive = (): boolean => document.visibilityState === 'visible' && document.hasFocus()

/** The places whose read mark is about to be sent. */
const marking = new Map<string, { timer: ReturnType<typeof setTimeout>; mark: () => void }>()

/**
 * Marks a place as read up to the last visible message, after a short delay.
 * @param lastVisible returns the last visible message after the delay, and whether it is the newest
 */
export function markRead(place: ChannelPlace, lastVisible: () => { id: number | undefined; isNewest: boolean }): void {
  const key = placeKey(place)
  clearTimeout(marking.get(key)?.timer)
  const mark = () => {
    marking.delete(key)
    if (!isPageActive()) return
    const { id, isNewest } = lastVisible()
    markChannel(place.channel_id, id, isNewest)
  }
  marking.set(key, { timer: setTimeout(mark, ACK_MS), mark })
}

/** Sends the read mark of a place that is left without waiting for the delay. */
export function markLeft(place: ChannelPlace): void {
  const pending = marking.get(placeKey(place))
  clearTimeout(pending?.timer)
  pending?.mark()
}

function markChannel(channel_id: number, id: number | undefined, isNewest: boolean): void {
  const channel: Channel | undefined = state.channels.get(channel_id)
  if (!channel || state.markedUnread.has(channel_id)) return
  const unread = state.isUnread(channel)
  if (unread) {
    const seenId = isNewest ? (state.newest.get(channel_id) ?? 0) : (id ?? 0)
    state.newestSeen.set(channel_id, Math.max(state.readUntil(channel_id), seenId))
    store.touch('shell')
    store.notify()
  }
  // In a dm, unread messages decide, not the read mark.
  const isBehind = channel.type === 'dm' ? unread : (id ?? 0) > (state.readMarks.get(channel_id) ?? 0)
  if (id === undefined || !isBehind) return
  void gateway.command('channel.ack', { channel_id, message_id: id }).catch(() => {})
}
