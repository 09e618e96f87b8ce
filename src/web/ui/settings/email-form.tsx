import { useState } from 'preact/hooks'
import { call, state } from '../../state/session.ts'
import { mailWords } from '../../words/mail.ts'
import { settingsWords } from '../../words/settings.ts'
import { showNote } from '../kit/dialogs.tsx'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Field, PasswordField, Refusal, useAttempt } from '../kit/forms.tsx'

/** The own e-mail address: whether it is confirmed, and a change of it. */
export const EmailForm = () => {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { attempt, busy, error } = useAttempt()
  const { current, confirmed, unconfirmed, resend, resent, next, hint, changing, change: submit } = mailWords.own
  const save = async (event: Event) => {
    event.preventDefault()
    const change = async () => {
      await call('POST /api/auth/proof', {}, { password })
      return call('PUT /api/auth/email', {}, { email: email.trim() })
    }
    if (!(await attempt(change))) return
    setEmail('')
    setPassword('')
    showNote(changing)
  }
  const sendAgain = async () => {
    if (await attempt(() => call('POST /api/auth/email/resend'))) showNote(resent)
  }
  const isConfirmed = state.user?.email_verified_at != null
  return (
    <form onSubmit={save}>
      <dl class="facts">
        <dt>{current}</dt>
        <dd>
          {state.user?.email} ({isConfirmed ? confirmed : unconfirmed})
        </dd>
      </dl>
      {isConfirmed ? null : (
        <button type="button" disabled={busy} onClick={() => void sendAgain()}>
          {resend}
        </button>
      )}
      <Field label={next} value={email} onInput={setEmail} hint={hint} type="email" autocomplete="email" required />
      <PasswordField label={settingsWords.settings.currentPassword} value={password} onInput={setPassword} />
      <Refusal error={error} says={{ invalid_credentials: settingsWords.settings.wrongPassword }} />
      <FormFooter submit={submit} busy={busy} />
    </form>
  )
}
