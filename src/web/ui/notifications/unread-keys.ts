import { route } from '../../state/route.ts'
import { call, gateway, state } from '../../state/session.ts'
import { openMenu } from '../kit/menu.tsx'
import { drawer } from '../kit/pane.tsx'
import { isComposingKey } from '../../state/keyboard.ts'

/** Marks a channel as read, even if it was marked as unread by hand. */
export function readChannel(channel_id: number): void {
  const message_id = state.newest.get(channel_id)
  if (message_id === undefined) return
  state.markedUnread.delete(channel_id)
  void gateway.command('channel.ack', { channel_id, message_id }).catch(() => {})
}

/** Escape marks the current channel as read; with Shift, its whole server. */
function onKey(event: KeyboardEvent): void {
  const here = route.value
  // In a field, in a menu, in a dialog and in the lists over the page, Escape means something else.
  const isBusy = event.target instanceof HTMLTextAreaElement && event.target.value !== '' && !event.shiftKey
  if (
    event.key !== 'Escape' ||
    isComposingKey(event) ||
    event.defaultPrevented ||
    isBusy ||
    openMenu.value ||
    drawer.value
  )
    return
  if (document.querySelector('dialog[open], [popover]:popover-open:not(.leaving)')) return
  if (here.page === 'server' && event.shiftKey)
    void call('POST /api/servers/:server_id/read-all', { server_id: here.server_id }).catch(() => {})
  else if (here.page === 'server' && here.channel_id !== undefined) readChannel(here.channel_id)
  else if (here.page === 'place') readChannel(here.channel_id)
}

export const listenForUnreadKeys = (): void => window.addEventListener('keydown', onKey)
