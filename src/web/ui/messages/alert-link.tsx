import { state } from '../../state/session.ts'
import { automodWords } from '../../words/automod.ts'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog, showDialog } from '../kit/dialogs.tsx'
import { Automod } from '../server/automod.tsx'

/** Opens what moderators do about an alert: raid mode, removals, and the texts that broke rules. */
export const AlertLink = ({ server_id }: { server_id: number }) => {
  if (!state.may(server_id, 'moderate_members')) return null
  const open = () =>
    showDialog(() => (
      <Dialog title={automodWords.tab} onClose={closeDialog} class="alerts">
        <div class="scroll alert-page" tabIndex={0}>
          <div class="page-of-settings">
            <Automod server_id={server_id} />
          </div>
        </div>
      </Dialog>
    ))
  return (
    <button type="button" class="link" onClick={open}>
      {automodWords.open}
    </button>
  )
}
