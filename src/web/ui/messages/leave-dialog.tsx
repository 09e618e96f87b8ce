import { useState } from 'preact/hooks'
import { words } from '../../words/words.ts'
import { FormFooter, Switch } from '../kit/dialog-forms.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog } from '../kit/dialogs.tsx'
import { hostOfLink, noteOpened, shownAddress } from './addresses.ts'

/** Asks whether to open a link whose label does not show the host that it leads to. */
export const LeaveDialog = ({ href, label }: { href: string; label: string }) => {
  const [isForever, setForever] = useState(false)
  const host = hostOfLink(href)
  const submit = (event: Event) => {
    event.preventDefault()
    noteOpened(host, isForever)
    closeDialog()
    window.open(href, '_blank', 'noopener,noreferrer')
  }
  const says = words.messages.leave
  return (
    <Dialog title={says.title} onClose={closeDialog} class="small">
      <form onSubmit={submit}>
        <p>{says.text({ label, host })}</p>
        <p>
          <code dir="ltr" class="address">
            {shownAddress(href)}
          </code>
        </p>
        <Switch label={says.forever(host)} on={isForever} onChange={setForever} />
        <FormFooter submit={says.open} busy={false}>
          <button type="button" onClick={closeDialog}>
            {words.cancel}
          </button>
        </FormFooter>
      </form>
    </Dialog>
  )
}
