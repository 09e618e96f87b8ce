import qrcode from 'qrcode-generator'
import { useMemo, useState } from 'preact/hooks'
import { call } from '../../state/session.ts'
import { securityWords } from '../../words/security.ts'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog, topDialogCloser } from '../kit/dialogs.tsx'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { withProof } from './proof.tsx'

/** Light modules that surround a QR code: ISO/IEC 18004 §6.3.8. */
const QUIET_MODULES = 4

/** A text as a QR code. It is dark on light in every theme: cameras read no other. */
const QrCode = ({ text, label }: { text: string; label: string }) => {
  const { path, size } = useMemo(() => {
    const code = qrcode(0, 'M')
    code.addData(text)
    code.make()
    const modules = code.getModuleCount()
    const rows = Array.from({ length: modules }, (_, row) =>
      Array.from({ length: modules }, (__, column) =>
        code.isDark(row, column) ? `M${column + QUIET_MODULES} ${row + QUIET_MODULES}h1v1h-1z` : '',
      ).join(''),
    )
    return { path: rows.join(''), size: modules + 2 * QUIET_MODULES }
  }, [text])
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <path d={path} />
    </svg>
  )
}

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
