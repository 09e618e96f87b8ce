import { useEffect, useRef, useState } from 'preact/hooks'
import { call, follow, state } from '../../state/session.ts'
import { momentOf } from '../../state/format.ts'
import { accountWords } from '../../words/account.ts'
import { firstWords } from '../../words/first-steps.ts'
import { guestWords } from '../../words/guests.ts'
import { usernameFrom } from '../kit/username.ts'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { faultAt, Field, PasswordField, Refusal, useAttempt } from '../kit/forms.tsx'
import { PasswordRules } from '../kit/password-rules.tsx'
import { useUnsaved } from '../kit/unsaved.ts'

/** When the guest's account ends; undefined until the server has said so. */
function useEnd(): string | undefined {
  const [end, setEnd] = useState<string>()
  const { attempt } = useAttempt()
  useEffect(() => void attempt(() => call('GET /api/auth/me')).then((me) => setEnd(me?.guest_until ?? undefined)), [])
  return end
}

/** Makes a guest's account one that stays, with all that it has written. */
export const KeepAccount = () => {
  follow('shell')
  const end = useEnd()
  const [username, setUsername] = useState(() => usernameFrom(state.user?.display_name ?? ''))
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  useUnsaved(email + password)
  const { attempt, busy, error } = useAttempt()
  const form = useRef<HTMLFormElement>(null)
  const faults = {
    username: faultAt(error, 'username', 'username_taken'),
    email: faultAt(error, 'email', 'email_taken'),
    password: faultAt(error, 'password', 'weak_password'),
  }
  const isAtField = Object.values(faults).some((fault) => fault !== undefined)
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), [error])
  const keep = async (event: Event) => {
    event.preventDefault()
    const body = { username: username.trim(), email: email.trim(), password }
    // The account may do more from here on: begin anew.
    if (await attempt(() => call('POST /api/auth/register/claim', {}, body))) location.reload()
  }
  return (
    <form ref={form} onSubmit={keep}>
      <p>{guestWords.keepText}</p>
      {end === undefined ? null : <p>{guestWords.ends(momentOf(end))}</p>}
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
      <FormFooter submit={guestWords.keep} busy={busy} />
    </form>
  )
}
