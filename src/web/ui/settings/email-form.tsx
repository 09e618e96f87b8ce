import { useState } from 'preact/hooks'
import { call, follow, state } from '../../state/session.ts'
import { mailWords } from '../../words/mail.ts'
import { showNote } from '../kit/dialogs.tsx'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { useUnsaved } from '../kit/unsaved.ts'
import { withProof } from '../security/proof.tsx'

/** The account's e-mail address: its confirmation, and a change of it. */
export const EmailForm = () => {
  follow('shell')
  const [email, setEmail] = useState('')
  useUnsaved(email)
  const { attempt, busy, error } = useAttempt()
  const { current, confirmed, unconfirmed, resend, resent, next, hint, changing, change: submit } = mailWords.own
  const save = async (event: Event) => {
    event.preventDefault()
    const change = () => call('PUT /api/auth/email', {}, { email: email.trim() })
    if (!(await attempt(() => withProof(change)))) return
    setEmail('')
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
      <Refusal error={error} />
      <FormFooter submit={submit} busy={busy} />
    </form>
  )
}
