import { useState } from 'preact/hooks'
import { dateOf } from '../../state/format.ts'
import { call, follow, logOut, state } from '../../state/session.ts'
import { accountWords } from '../../words/account.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { settingsWords } from '../../words/settings.ts'
import { words } from '../../words/words.ts'
import { choosePicture } from '../kit/choose-picture.ts'
import { Avatar } from '../kit/controls.tsx'
import { showNote } from '../kit/dialogs.tsx'
import { leaveForm, useUnsaved } from '../kit/unsaved.ts'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { AboutForm } from './about-form.tsx'

/** The profile's forms; the logout is separated from the save buttons. */
export const OwnProfile = () => (
  <>
    <ProfileForm />
    <AboutForm />
    <button type="button" class="apart" onClick={() => leaveForm(() => void logOut(false))}>
      {settingsWords.settings.logOut}
    </button>
  </>
)

/** The account's picture, display name and data. */
const ProfileForm = () => {
  follow('shell')
  const [display_name, setName] = useState(state.user?.display_name ?? '')
  const { attempt, busy, error } = useAttempt()
  const markSaved = useUnsaved(display_name)
  const setAvatar = (avatar_file_id: number | null) =>
    attempt(() => call('PUT /api/auth/avatar', {}, { avatar_file_id }))
  const save = async (event: Event) => {
    event.preventDefault()
    if (!(await attempt(() => call('PUT /api/auth/display-name', {}, { display_name })))) return
    markSaved()
    showNote(words.saved)
  }
  return (
    <form onSubmit={save}>
      <div class="row">
        <Avatar id={state.me()} size={72} />
        <span class="choices">
          <button type="button" onClick={() => choosePicture(setAvatar, attempt)}>
            {dialogWords.picture.choose}
          </button>
          {state.user?.avatar_file_id ? (
            <button type="button" onClick={() => void setAvatar(null)}>
              {dialogWords.picture.remove}
            </button>
          ) : null}
        </span>
      </div>
      <Field
        label={settingsWords.settings.displayName}
        value={display_name}
        onInput={setName}
        maxLength={32}
        required
      />
      <dl class="facts">
        <dt>{accountWords.signIn.username}</dt>
        <dd>{state.user?.username}</dd>
        <dt>{accountWords.signIn.email}</dt>
        <dd>{state.user?.email}</dd>
        <dt>{settingsWords.settings.since}</dt>
        <dd>{dateOf(state.user?.created_at ?? '')}</dd>
      </dl>
      <p class="quiet">{settingsWords.settings.privateHint}</p>
      <Refusal error={error} />
      <FormFooter submit={words.save} busy={busy} />
    </form>
  )
}
