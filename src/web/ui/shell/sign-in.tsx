import { useState } from 'preact/hooks'
import { call, connectAccount, isNewcomer } from '../../state/session.ts'
import { returnInviteCode, route } from '../../state/route.ts'
import { words } from '../../words/words.ts'
import { Field, PasswordField, Refusal, useAttempt } from '../kit/forms.tsx'
import { Brand } from '../kit/mark.tsx'
import { PasswordRules } from '../kit/password-rules.tsx'

/** The pages for logging in and registering. */
export const SignIn = () => (
  <main class="sign-in">
    <Brand />
    {route.value.page === 'register' ? <Register /> : <Login />}
  </main>
)

const Login = () => {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const { attempt, busy, error } = useAttempt()
  const submit = async (event: Event) => {
    event.preventDefault()
    const login = name.includes('@') ? { email: name.trim() } : { username: name.trim() }
    if (await attempt(() => call('POST /api/auth/login', {}, { ...login, password }))) void connectAccount()
  }
  return (
    <form class="card" onSubmit={submit}>
      <h1>{words.signIn.welcome}</h1>
      <Field label={words.signIn.name} value={name} onInput={setName} autocomplete="username" required autofocus />
      <PasswordField label={words.signIn.password} value={password} onInput={setPassword} />
      <Refusal error={error} />
      <button class="primary" disabled={busy}>
        {words.signIn.login}
      </button>
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
