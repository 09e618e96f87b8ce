import { useState } from 'preact/hooks'
import { call, leave } from '../../state/session.ts'
import { words } from '../../words/words.ts'
import { PasswordField, Refusal, useAttempt } from '../kit/forms.tsx'

/** Exporting the account's data, and deleting the account. */
export const AccountData = () => {
  const [password, setPassword] = useState('')
  const { attempt, busy, error } = useAttempt()
  const deleteAccount = async (event: Event) => {
    event.preventDefault()
    const done = await attempt(async () => {
      await call('DELETE /api/auth/me', {}, { password })
      return true
    })
    if (done) leave()
  }
  return (
    <>
      <p class="quiet">{words.settings.exportText}</p>
      <p>
        <a class="button" href="/api/auth/export" download="parley-export.json">
          {words.settings.export}
        </a>
      </p>
      <form class="danger-zone" onSubmit={deleteAccount}>
        <h3>{words.settings.delete}</h3>
        <p>{words.settings.deleteText}</p>
        <PasswordField label={words.settings.currentPassword} value={password} onInput={setPassword} />
        <Refusal error={error} says={{ invalid_credentials: words.settings.wrongPassword }} />
        <button class="danger" disabled={busy}>
          {words.settings.delete}
        </button>
      </form>
    </>
  )
}
