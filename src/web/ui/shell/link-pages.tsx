import { useState } from 'preact/hooks'
import { call, connectAccount, logOut, state } from '../../state/session.ts'
import { linkToken } from '../../state/route.ts'
import { accountWords } from '../../words/account.ts'
import { mailWords } from '../../words/mail.ts'
import { settingsWords } from '../../words/settings.ts'
import { Note } from '../kit/dialogs.tsx'
import { Field, PasswordField, Refusal, useAttempt } from '../kit/forms.tsx'
import { PasswordRules } from '../kit/password-rules.tsx'
import { EmailForm } from '../settings/email-form.tsx'

const GONE = { link_gone: mailWords.linkGone, email_taken: mailWords.verify.taken }

/** Confirmation, and a link onwards. */
const Done = ({ title, text, to, action }: { title: string; text: string; to: string; action: string }) => (
  <div class="card">
    <h1>{title}</h1>
    <p role="status">{text}</p>
    <a href={to}>{action}</a>
  </div>
)

/** A page of a link that was opened without its token. */
const Gone = ({ title }: { title: string }) => (
  <Done title={title} text={mailWords.linkGone} to="/login" action={mailWords.backToLogin} />
)

/** Asks for a link by which a new password is chosen. */
export const ForgottenPassword = () => {
  const [email, setEmail] = useState('')
  const [isSent, setSent] = useState(false)
  const { attempt, busy, error } = useAttempt()
  const submit = async (event: Event) => {
    event.preventDefault()
    if (await attempt(() => call('POST /api/auth/password/forgot', {}, { email: email.trim() }))) setSent(true)
  }
  const { title, text, send, sent: sentText } = mailWords.forgot
  if (isSent) return <Done title={title} text={sentText} to="/login" action={mailWords.backToLogin} />
  return (
    <form class="card" onSubmit={submit}>
      <h1>{title}</h1>
      <p class="quiet">{text}</p>
      <Field
        label={accountWords.signIn.email}
        value={email}
        onInput={setEmail}
        type="email"
        autocomplete="email"
        required
        autofocus
      />
      <Refusal error={error} />
      <button class="primary" disabled={busy}>
        {send}
      </button>
      <a href="/login">{mailWords.backToLogin}</a>
    </form>
  )
}

/** Sets a new password by the link that led here. */
export const ResetPassword = () => {
  const [password, setPassword] = useState('')
  const [isDone, setDone] = useState(false)
  const { attempt, busy, error } = useAttempt()
  const submit = async (event: Event) => {
    event.preventDefault()
    const body = { token: linkToken.value, password }
    if (await attempt(() => call('POST /api/auth/password/reset', {}, body))) setDone(true)
  }
  const { title, text, save } = mailWords.reset
  if (linkToken.value === '') return <Gone title={title} />
  if (isDone) return <Done title={title} text={mailWords.reset.done} to="/login" action={accountWords.signIn.login} />
  return (
    <form class="card" onSubmit={submit}>
      <h1>{title}</h1>
      <p class="quiet">{text}</p>
      <PasswordField label={settingsWords.settings.newPassword} value={password} onInput={setPassword} isNew />
      <PasswordRules password={password} />
      <Refusal error={error} says={GONE} />
      <button class="primary" disabled={busy}>
        {save}
      </button>
    </form>
  )
}

/** Confirms an e-mail address by the link that led here, after a click: a program that opens links confirms nothing. */
export const VerifyEmail = () => {
  const [isDone, setDone] = useState(false)
  const { attempt, busy, error } = useAttempt()
  const submit = async (event: Event) => {
    event.preventDefault()
    if (!(await attempt(() => call('POST /api/auth/email/verify', {}, { token: linkToken.value })))) return
    setDone(true)
    void connectAccount()
  }
  const { title, text, confirm, go } = mailWords.verify
  if (linkToken.value === '') return <Gone title={title} />
  if (isDone) return <Done title={title} text={mailWords.verify.done} to="/app" action={go} />
  return (
    <form class="card" onSubmit={submit}>
      <h1>{title}</h1>
      <p class="quiet">{text}</p>
      <Refusal error={error} says={GONE} />
      <button class="primary" disabled={busy} autofocus>
        {confirm}
      </button>
    </form>
  )
}

/** Shown until the account confirms its e-mail address, which may be mistyped. */
export const ConfirmFirst = () => {
  const [note, setNote] = useState('')
  const { title, text, done, notYet } = mailWords.confirmFirst
  const goOn = async () => {
    await connectAccount()
    setNote(notYet)
  }
  return (
    <div class="card">
      <h1>{title}</h1>
      <p>{text(state.user?.email ?? '')}</p>
      <p class="quiet" role="status">
        {note}
      </p>
      <button type="button" class="primary" onClick={() => void goOn()}>
        {done}
      </button>
      <EmailForm />
      <button type="button" onClick={() => void logOut(false)}>
        {settingsWords.settings.logOut}
      </button>
      <Note />
    </div>
  )
}
