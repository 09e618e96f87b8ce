import { placeKey } from '../../client/outbox.ts'
import { connection, loader, state } from '../../state/session.ts'

/** Delay between hovering or focusing a link and fetching its messages. */
const POINTED_MS = 80
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Attributes of a link that fetch the place's messages when the link is hovered or focused, before the click.
 * @param serverId the server to open, if it is not
 */
export function prefetching(channel_id: number | undefined, serverId: number | null = null) {
  const stop = () => clearTimeout(timer)
  const start = () => {
    stop()
    timer = setTimeout(() => {
      void loader.openServer(serverId)
      if (channel_id === undefined) return
      const isLoaded = state.timelines.get(placeKey({ channel_id }))?.loaded === true
      if (!isLoaded && connection.value === 'online') loader.openAtUnread({ channel_id }).catch(() => {})
    }, POINTED_MS)
  }
  return { onPointerEnter: start, onPointerLeave: stop, onFocus: start, onBlur: stop }
}
