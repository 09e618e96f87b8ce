import { hasNewRules } from '../../state/arrival.ts'
import { useEffect } from 'preact/hooks'
import { route } from '../../state/route.ts'
import { follow, state } from '../../state/session.ts'
import { arrivalWords } from '../../words/arrival.ts'
import { openDialogs, showDialog } from '../kit/dialogs.tsx'
import { RulesDialog } from './rules-dialog.tsx'

/** Servers whose rules this tab has opened by itself. */
const opened = new Set<number>()

const showRules = (server_id: number) => showDialog(() => <RulesDialog server_id={server_id} />)

/** The line that leads to the rules of a server, until the account has accepted them. */
export const ArrivalBar = ({ server_id }: { server_id: number }) => {
  follow('shell', 'members')
  const isWaiting = state.heldBackIn(server_id) === 'pending'
  const here = route.value
  // The change to the first channel of a server closes dialogs.
  const isOpen = here.page === 'server' && here.channel_id !== undefined
  useEffect(() => {
    if (!isOpen || !isWaiting || opened.has(server_id) || openDialogs.value.length > 0) return
    opened.add(server_id)
    showRules(server_id)
  }, [server_id, isWaiting, isOpen])
  if (!hasNewRules(state, server_id)) return null
  return (
    <div class="viewed-as">
      <span role="status">{isWaiting ? arrivalWords.waiting : arrivalWords.changed}</span>
      <button type="button" onClick={() => showRules(server_id)}>
        {arrivalWords.read}
      </button>
    </div>
  )
}
