import { useState } from 'preact/hooks'
import type { PendingLogin } from '../../../core/errors.ts'
import { ApiError } from '../../client/rest.ts'
import { call, connectAccount, isNewcomer } from '../../state/session.ts'
import { returnInviteCode, route } from '../../state/route.ts'
import { words } from '../../words/words.ts'
import { Field, PasswordField, Refusal, useAttempt } from '../kit/forms.tsx'
import { Later } from '../kit/later.tsx'
import { PasskeyLogin } from '../security/passkey-login.tsx'
import { PasswordRules } from '../kit/password-rules.tsx'

/** The pages for logging in and registering. */
export const SignIn = () => (
  <main class="sign-in">
    <div class="brand">
      <svg viewBox="0 0 32 32" width="44" height="44" aria-hidden="true">
        <rect width="32" height="32" rx="9" />
        <path d="M8 9.5Q8 7 10.5 7h11Q24 7 24 9.5v7q0 2.5-2.5 2.5H15l-5 4.5V19Q8 19 8 16.5z" />
      </svg>
      <span>Parley</span>
    </div>
    {route.value.page === 'register' ? <Register /> : <Login />}
  </main>
)

/** The login that awaits a second factor. @throws the error, if it is another */
function pendingOf(error: unknown): PendingLogin {
  if (error instanceof ApiError && error.pending) return error.pending
  throw error
}

const Login = () => {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [pending, setPending] = useState<PendingLogin>()
  const { attempt, busy, error } = useAttempt()
  const submit = async (event: Event) => {
    event.preventDefault()
    const login = name.includes('@') ? { email: name.trim() } : { username: name.trim() }
    const logIn = () => call('POST /api/auth/login', {}, { ...login, password })
    const entered = await attempt(() => logIn().catch(pendingOf))
    if (!entered) return
    if (!('pending_token' in entered)) return void connectAccount()
    setPassword('')
    setPending(entered)
  }
  // Loaded when it is first wanted.
  const loadSecondStep = (login: PendingLogin) => async () => {
    const { SecondStep } = await import('../security/second-step.tsx')
    return () => <SecondStep pending={login} onBack={() => setPending(undefined)} />
  }
  if (pending) return <Later key={pending.pending_token} load={loadSecondStep(pending)} />
  return (
    <form class="card" onSubmit={submit}>
      <h1>{words.signIn.welcome}</h1>
      <Field label={words.signIn.name} value={name} onInput={setName} autocomplete="username" required autofocus />
      <PasswordField label={words.signIn.password} value={password} onInput={setPassword} />
      <Refusal error={error} />
      <button class="primary" disabled={busy}>
        {words.signIn.login}
      </button>
      <PasskeyLogin />
      <p class="quiet">
        {words.signIn.noAccount} <a href="/register">{words.signIn.register}</a>
      </p>
    </form>
  )
}

const Register = () => {
  const [username, setUsername] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { attempt, busy, error } = useAttempt()
  const submit = async (event: Event) => {
    event.preventDefault()
    const invite_code = returnInviteCode()
    const draft = { username: username.trim(), email: email.trim(), password }
    const body = invite_code === undefined ? draft : { ...draft, invite_code }
    if (!(await attempt(() => call('POST /api/auth/register', {}, body)))) return
    isNewcomer.value = true
    void connectAccount()
  }
  return (
    <form class="card" onSubmit={submit}>
      <h1>{words.signIn.create}</h1>
      <Field
        label={words.signIn.username}
        value={username}
        onInput={setUsername}
        hint={words.signIn.usernameHint}
        autocomplete="username"
        required
        autofocus
      />
      <Field label={words.signIn.email} value={email} onInput={setEmail} type="email" autocomplete="email" required />
      <PasswordField label={words.signIn.password} value={password} onInput={setPassword} isNew />
      <PasswordRules password={password} />
      <Refusal error={error} />
      <button class="primary" disabled={busy}>
        {words.signIn.register}
      </button>
      <p class="quiet">
        {words.signIn.haveAccount} <a href="/login">{words.signIn.login}</a>
      </p>
    </form>
  )
}
