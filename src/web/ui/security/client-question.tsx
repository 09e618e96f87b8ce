import { useState } from 'preact/hooks'
import type { Pin } from '../../device/pin-record.ts'
import { changePin, type Offered } from '../../device/pinned-client.ts'
import { securityWords } from '../../words/security.ts'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog, topDialogCloser } from '../kit/dialogs.tsx'
import { useAttempt, Refusal } from '../kit/forms.tsx'

const says = securityWords.files

/** A hash, in groups that eyes can follow. */
export const ClientHash = ({ label, hash }: { label: string; hash: string }) => (
  <p>
    {label}
    <br />
    <code class="totp-secret" dir="ltr">
      {hash.replace(/.{8}(?=.)/g, '$& ')}
    </code>
  </p>
)

/** Asks whether other files take the place of those that this device keeps. */
export const ClientQuestion = ({ former, offered }: { former: Pin; offered: Offered }) => {
  const [fault, setFault] = useState<keyof typeof says.problems>()
  const { attempt, busy, error } = useAttempt()
  const take = async () => {
    const closeThis = topDialogCloser()
    const answer = await attempt(() => changePin({ kind: 'take', ...offered }))
    if (answer === 'mismatch' || answer === 'incomplete') setFault(answer)
    if (answer !== 'taken') return
    closeThis()
    location.reload()
  }
  return (
    <Dialog title={says.question} onClose={closeDialog} class="small">
      <p>{says.questionText({ version: former.version, next: offered.version })}</p>
      <ClientHash label={says.hash} hash={former.hash} />
      <ClientHash label={says.next} hash={offered.hash} />
      {fault ? (
        <p class="warned" role="alert">
          {says.problems[fault]}
        </p>
      ) : null}
      <Refusal error={error} />
      <div class="footer">
        <button type="button" disabled={busy} onClick={() => void take()}>
          {says.take}
        </button>
        <button type="button" class="primary" onClick={closeDialog}>
          {says.keep}
        </button>
      </div>
    </Dialog>
  )
}
