import { useEffect, useState } from 'preact/hooks'
import type { PendingLogin } from '../../../core/errors.ts'
import { ApiError } from '../../client/rest.ts'
import { call, connectAccount, ENDED } from '../../state/session.ts'
import { askOffers, offers, takesRegistrations } from '../../state/offers.ts'
import { returnInviteCode, route, takeSignOn } from '../../state/route.ts'
import { accountWords } from '../../words/account.ts'
import { Field, PasswordField, Refusal, useAttempt } from '../kit/forms.tsx'
import { Later } from '../kit/later.tsx'
import { Brand } from '../kit/mark.tsx'
import { PasskeyLogin } from '../security/passkey-login.tsx'
import { pendingIn, refusalIn } from '../security/provider.ts'
import { ProviderLogin } from '../security/provider-login.tsx'

const register = async () => {
  const { Register } = await import('./register.tsx')
  return () => <Register />
}

const invitedTo = async () => {
  const { InvitedTo } = await import('./invited-to.tsx')
  return () => <InvitedTo />
}

const later = (name: 'ForgottenPassword' | 'ResetPassword' | 'VerifyEmail' | 'ConfirmFirst') => async () => {
  const { [name]: Page } = await import('./link-pages.tsx')
  return () => <Page />
}

/** Lazy pages without login. The login page itself is in the first bundle. */
const PAGES = {
  forgot: later('ForgottenPassword'),
  reset: later('ResetPassword'),
  verify: later('VerifyEmail'),
}

const Page = () => {
  const { page } = route.value
  if (page === 'register') return <Later key={page} load={register} />
  if (page === 'forgot' || page === 'reset' || page === 'verify') return <Later key={page} load={PAGES[page]} />
  return <Login />
}

/** Pages around the login: registration, forgotten passwords, and targets of mailed links. */
export const SignIn = ({ confirmFirst }: { confirmFirst?: boolean }) => (
  <main class="sign-in">
    <Brand />
    {confirmFirst ? <Later key="first" load={later('ConfirmFirst')} /> : <Page />}
  </main>
)

/** The login that awaits a second factor. @throws the error, if it is another */
function pendingOf(error: unknown): PendingLogin {
  if (error instanceof ApiError && error.pending) return error.pending
  throw error
}

const Login = () => {
  useEffect(askOffers, [])
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [came] = useState(takeSignOn)
  const [pending, setPending] = useState<PendingLogin | undefined>(() => pendingIn(came))
  const { attempt, busy, error } = useAttempt()
  const submit = async (event: Event) => {
    event.preventDefault()
    const login = name.includes('@') ? { email: name.trim() } : { username: name.trim() }
    const logIn = () => call('POST /api/auth/login', {}, { ...login, password })
    const answer = await attempt(() => logIn().catch(pendingOf))
    if (!answer) return
    if (!('pending_token' in answer)) return void connectAccount()
    setPassword('')
    setPending(answer)
  }
  // Loaded on first use.
  const loadSecondStep = (login: PendingLogin) => async () => {
    const { SecondStep } = await import('../security/second-step.tsx')
    return () => <SecondStep pending={login} onBack={() => setPending(undefined)} />
  }
  if (pending) return <Later key={pending.pending_token} load={loadSecondStep(pending)} />
  const hasPassword = offers.value?.password_login !== false
  return (
    <form class="card" onSubmit={submit}>
      {returnInviteCode() === undefined ? null : <Later load={invitedTo} />}
      <h1>{accountWords.signIn.welcome}</h1>
      {location.hash === ENDED ? <p role="status">{accountWords.signIn.ended}</p> : null}
      {hasPassword ? (
        <>
          <Field
            label={accountWords.signIn.name}
            value={name}
            onInput={setName}
            autocomplete="username"
            required
            autofocus
          />
          <PasswordField label={accountWords.signIn.password} value={password} onInput={setPassword} />
        </>
      ) : null}
      <Refusal error={error ?? refusalIn(came)} />
      {hasPassword ? (
        <button class="primary" disabled={busy}>
          {accountWords.signIn.login}
        </button>
      ) : null}
      {hasPassword && offers.value?.mail ? <a href="/forgot">{accountWords.signIn.forgot}</a> : null}
      <ProviderLogin />
      {offers.value?.passkeys ? <PasskeyLogin /> : null}
      {takesRegistrations() ? (
        <p class="quiet">
          {accountWords.signIn.noAccount} <a href="/register">{accountWords.signIn.register}</a>
        </p>
      ) : null}
    </form>
  )
}
