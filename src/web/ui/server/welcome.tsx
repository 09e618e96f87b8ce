import { effect } from '@preact/signals'
import type { Welcome } from '../../../features/arrival/model.ts'
import { titleOf, withoutBidi } from '../../state/names.ts'
import { channelPath, route } from '../../state/route.ts'
import { call, follow, state } from '../../state/session.ts'
import { arrivalWords } from '../../words/arrival.ts'
import { Emoji } from '../emoji/emoji.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog, closeDialogs, openDialogs, showDialog } from '../kit/dialogs.tsx'

/** Time for the first channel of a server to open, which closes dialogs, ms. */
const OPENING_MS = 300

/** The newest welcome takes the place of one that still waits. */
let newest = 0

/**
 * Shows the welcome of a server to a new member, if it has one, once a channel of the server is open and nothing else
 * is above it.
 */
export async function showWelcome(server_id: number): Promise<void> {
  const turn = ++newest
  const welcome = await call('GET /api/servers/:server_id/welcome', { server_id }).catch(() => undefined)
  if (!welcome || (welcome.content === '' && welcome.channels.length === 0)) return
  const stop = effect(() => {
    const here = route.value
    if (here.page !== 'server' || here.server_id !== server_id || here.channel_id === undefined) return
    if (openDialogs.value.length > 0) return
    const timer = setTimeout(() => {
      stop()
      // Pending members see the rules first, and the welcome once they have accepted them.
      if (turn === newest && state.heldBackIn(server_id) !== 'pending')
        showDialog(() => <WelcomeDialog welcome={welcome} />)
    }, OPENING_MS)
    return () => clearTimeout(timer)
  })
}

const WelcomeDialog = ({ welcome: { server_id, content, channels } }: { welcome: Welcome }) => {
  follow('shell')
  const name = withoutBidi(state.servers.get(server_id)?.name ?? '')
  return (
    <Dialog title={arrivalWords.welcomeTo(name)} onClose={closeDialog} class="small">
      {content ? (
        <p class="welcome" dir="auto">
          {withoutBidi(content)}
        </p>
      ) : null}
      <ul class="welcome-links">
        {channels.map(({ channel_id, emoji, line }) => {
          const channel = state.channels.get(channel_id)
          return channel ? (
            <li key={channel_id}>
              <a href={channelPath(server_id, channel_id)} onClick={closeDialogs}>
                {emoji === null ? null : <Emoji emoji={emoji} />}
                <span>
                  <bdi>{titleOf(channel)}</bdi>
                  {line ? <small dir="auto">{withoutBidi(line)}</small> : null}
                </span>
              </a>
            </li>
          ) : null
        })}
      </ul>
      <div class="footer">
        <button type="button" class="primary" onClick={closeDialog}>
          {arrivalWords.lookAround}
        </button>
      </div>
    </Dialog>
  )
}
