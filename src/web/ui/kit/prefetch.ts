import { placeKey } from '../../client/outbox.ts'
import { connection, loader, state } from '../../state/session.ts'

/** Delay between hovering or focusing a link and fetching its messages. */
const POINTED_MS = 80
let timer: ReturnType<typeof setTimeout> | undefined

/** The attributes of a link to a place, whose messages are there at the click when it was pointed at before. */
export function prefetching(channel_id: number | undefined) {
  const stop = () => clearTimeout(timer)
  const start = () => {
    stop()
    timer = setTimeout(() => {
      if (channel_id === undefined) return
      const isKnown = state.timelines.get(placeKey({ channel_id }))?.loaded === true
      if (!isKnown && connection.value === 'online') loader.openAtUnread({ channel_id }).catch(() => {})
    }, POINTED_MS)
  }
  return { onPointerEnter: start, onPointerLeave: stop, onFocus: start, onBlur: stop }
}
