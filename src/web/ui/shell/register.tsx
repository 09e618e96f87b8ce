import { useEffect, useRef, useState } from 'preact/hooks'
import { askOffers, offers, takesRegistrations } from '../../state/offers.ts'
import { call, connectAccount } from '../../state/session.ts'
import { returnInviteCode } from '../../state/route.ts'
import { accountWords } from '../../words/account.ts'
import { firstWords } from '../../words/first-steps.ts'
import { showNote } from '../kit/dialogs.tsx'
import { faultAt, Field, PasswordField, Refusal, useAttempt } from '../kit/forms.tsx'
import { PasswordRules } from '../kit/password-rules.tsx'
import { ProviderLogin } from '../security/provider-login.tsx'
import { InvitedTo } from './invited-to.tsx'
import { usernameFrom } from '../kit/username.ts'

/** Duration of the notice that a display name was not saved. */
const NOTE_MS = 12_000

/** The registration page: the form if it creates accounts, otherwise the alternative. */
export const Register = () => {
  useEffect(askOffers, [])
  return takesRegistrations() ? <Form /> : <NoForm />
}

/** Shown if registration is closed, or if only the identity provider creates accounts. */
const NoForm = () => (
  <section class="card">
    <h1>{firstWords.register.title}</h1>
    {offers.value?.registration === 'closed' ? <p>{firstWords.register.closed}</p> : <ProviderLogin />}
    <HaveAccount />
  </section>
)

const HaveAccount = () => (
  <p class="quiet">
    {accountWords.signIn.haveAccount} <a href="/login">{accountWords.signIn.login}</a>
  </p>
)

/** The form for registering. The name that others see is set once the account exists. */
const Form = () => {
  const [displayName, setName] = useState('')
  const [typedName, setUsername] = useState<string>()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { attempt, busy, error } = useAttempt()
  const username = typedName ?? usernameFrom(displayName)
  const form = useRef<HTMLFormElement>(null)
  const faults = {
    username: faultAt(error, 'username', 'username_taken'),
    email: faultAt(error, 'email', 'email_taken'),
    password: faultAt(error, 'password', 'weak_password'),
  }
  const isAtField = Object.values(faults).some((fault) => fault !== undefined)
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), [error])
  const submit = async (event: Event) => {
    event.preventDefault()
    const invite_code = returnInviteCode()
    const draft = { username: username.trim(), email: email.trim(), password }
    const body = invite_code === undefined ? draft : { ...draft, invite_code }
    const name = { display_name: displayName.trim() }
    await attempt(async () => {
      await call('POST /api/auth/register', {}, body)
      await call('PUT /api/auth/display-name', {}, name).catch(() => showNote(firstWords.register.nameNotKept, NOTE_MS))
      await connectAccount()
    })
  }
  return (
    <form ref={form} class="card" onSubmit={submit}>
      <InvitedTo />
      <h1>{firstWords.register.title}</h1>
      <Field
        label={firstWords.register.name}
        value={displayName}
        onInput={setName}
        hint={firstWords.register.nameHint}
        autocomplete="nickname"
        maxLength={32}
        required
        autofocus
      />
      <Field
        label={accountWords.signIn.username}
        value={username}
        onInput={setUsername}
        hint={firstWords.register.usernameHint}
        fault={faults.username}
        autocomplete="username"
        maxLength={32}
        required
      />
      <Field
        label={accountWords.signIn.email}
        value={email}
        onInput={setEmail}
        type="email"
        fault={faults.email}
        autocomplete="email"
        required
      />
      <PasswordField
        label={accountWords.signIn.password}
        value={password}
        onInput={setPassword}
        fault={faults.password}
        isNew
      />
      <PasswordRules password={password} />
      <Refusal error={isAtField ? undefined : error} />
      <button class="primary" disabled={busy}>
        {accountWords.signIn.register}
      </button>
      <ProviderLogin />
      <HaveAccount />
    </form>
  )
}
