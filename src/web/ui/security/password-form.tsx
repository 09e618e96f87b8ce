import { useState } from 'preact/hooks'
import { call, state } from '../../state/session.ts'
import { settingsWords } from '../../words/settings.ts'
import { showNote } from '../kit/dialogs.tsx'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { PasswordField, Refusal, useAttempt } from '../kit/forms.tsx'
import { useUnsaved } from '../kit/unsaved.ts'
import { withProof } from './proof.tsx'
import { PasswordRules } from '../kit/password-rules.tsx'

/** Changes the password, or sets the first one. */
export const PasswordForm = ({ hasPassword, onDone }: { hasPassword: boolean; onDone: () => void }) => {
  const [current_password, setCurrent] = useState('')
  const [new_password, setNew] = useState('')
  // The browser fills in the current one.
  useUnsaved(new_password)
  const { attempt, busy, error } = useAttempt()
  const save = async (event: Event) => {
    event.preventDefault()
    const change = hasPassword ? { current_password, new_password } : { new_password }
    if (!(await attempt(() => withProof(() => call('PUT /api/auth/password', {}, change))))) return
    onDone()
    setCurrent('')
    setNew('')
    showNote(settingsWords.settings.passwordChanged)
  }
  return (
    <form onSubmit={save}>
      <input type="text" autocomplete="username" value={state.user?.username} hidden readOnly />
      {hasPassword ? (
        <PasswordField label={settingsWords.settings.currentPassword} value={current_password} onInput={setCurrent} />
      ) : null}
      <PasswordField label={settingsWords.settings.newPassword} value={new_password} onInput={setNew} isNew />
      <PasswordRules password={new_password} />
      <p class="quiet">{settingsWords.settings.passwordHint}</p>
      <Refusal error={error} says={{ invalid_credentials: settingsWords.settings.wrongPassword }} />
      <FormFooter submit={settingsWords.settings.changePassword} busy={busy} />
    </form>
  )
}
