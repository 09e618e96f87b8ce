import { channelPath, go, parsePlace, placePath, push } from '../../state/route.ts'
import { state } from '../../state/session.ts'
import { lastVisible, seek } from './scroll.ts'

/** The place that a link leads to, if it leads into this client. */
export function placeOf(href: string): { channel_id: number; message_id: number | undefined } | undefined {
  const url = URL.parse(href, location.origin)
  return url?.origin === location.origin ? parsePlace(url.pathname) : undefined
}

/** Goes to a place, and to a message in it. Back returns to the previous reading position. */
export function jumpTo(channel_id: number, message_id: number | undefined): void {
  rememberReading()
  const channel = state.channels.get(channel_id)
  // The page of a place that the account does not see shows the error.
  if (!channel) return go(placePath(channel_id, message_id))
  if (message_id !== undefined) seek({ channel_id }, message_id)
  push(channel.server_id === null ? placePath(channel_id) : channelPath(channel.server_id, channel_id))
}

/** Notes in the history which message was the last visible one. */
function rememberReading(): void {
  const box = document.querySelector<HTMLElement>('.messages > .scroll')
  const row = box?.querySelector<HTMLElement>('[data-channel]')
  const [channel_id, message_id] = [Number(row?.dataset.channel), lastVisible(box)]
  if (message_id !== undefined && channel_id) history.replaceState({ channel_id, message_id }, '')
}

window.addEventListener('popstate', ({ state: place }: PopStateEvent) => {
  const [channel_id, message_id] = [Number(place?.channel_id), Number(place?.message_id)]
  if (channel_id && message_id) seek({ channel_id }, message_id, 'reading')
})
