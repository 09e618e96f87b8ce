import { useState } from 'preact/hooks'
import { call } from '../../state/session.ts'
import { securityWords } from '../../words/security.ts'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog, topDialogCloser } from '../kit/dialogs.tsx'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { QrCode } from '../kit/qr-code.tsx'
import { withProof } from './proof.tsx'

interface SetupProps {
  secret: string
  uri: string
  /** Called with the recovery codes when the app is on. */
  onDone: (codes: string[]) => void
}

/** Shows the new secret of an authenticator app, and asks for a first code of it. */
export const AuthenticatorSetup = ({ secret, uri, onDone }: SetupProps) => {
  const [code, setCode] = useState('')
  const { attempt, busy, error } = useAttempt()
  const confirm = async (event: Event) => {
    event.preventDefault()
    const closeThis = topDialogCloser()
    const answer = await attempt(() => withProof(() => call('POST /api/auth/totp/confirm', {}, { code })))
    if (!answer) return
    closeThis()
    onDone(answer.recovery_codes)
  }
  return (
    <Dialog title={securityWords.app.title} onClose={closeDialog} class="small">
      <form onSubmit={confirm}>
        <p>{securityWords.app.scan}</p>
        <QrCode text={uri} label={securityWords.app.picture} />
        <p class="quiet">{securityWords.app.type}</p>
        <code class="totp-secret">{secret.replace(/.{4}(?=.)/g, '$& ')}</code>
        <Field
          label={securityWords.app.confirm}
          value={code}
          onInput={setCode}
          autocomplete="one-time-code"
          required
          maxLength={16}
        />
        <Refusal error={error} says={securityWords.problems} />
        <FormFooter submit={securityWords.app.turnOn} busy={busy} />
      </form>
    </Dialog>
  )
}
