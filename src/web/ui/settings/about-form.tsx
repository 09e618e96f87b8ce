import { useEffect, useState } from 'preact/hooks'
import type { Profile } from '../../../features/profiles/model.ts'
import { call, state } from '../../state/session.ts'
import { settingsWords } from '../../words/settings.ts'
import { words } from '../../words/words.ts'
import { choosePicture } from '../kit/choose-picture.ts'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { showNote } from '../kit/dialogs.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { useUnsaved } from '../kit/unsaved.ts'

const says = settingsWords.about
const BIO_MAX = 300
const BIO_LINES_MAX = 10
const PRONOUNS_MAX = 40
const TYPES = 'image/png,image/jpeg,image/gif,image/webp'

/** The form of the account's pronouns, bio and banner. */
export const AboutForm = () => {
  const [profile, setProfile] = useState<Profile>()
  const { attempt, error } = useAttempt()
  const user_id = state.me()
  useEffect(() => void attempt(() => call('GET /api/users/:user_id/profile', { user_id })).then(setProfile), [user_id])
  // The fields begin as they are saved.
  return profile ? <AboutFields profile={profile} onChanged={setProfile} /> : <Refusal error={error} />
}

const AboutFields = ({ profile, onChanged }: { profile: Profile; onChanged: (profile: Profile) => void }) => {
  const [bio, setBio] = useState(profile.bio)
  const [pronouns, setPronouns] = useState(profile.pronouns ?? '')
  const { attempt, busy, error } = useAttempt()
  const banner = useAttempt()
  const markSaved = useUnsaved(`${bio}\n${pronouns}`)
  const setBanner = (file_id: number | null) => call('PUT /api/auth/banner', {}, { file_id }).then(onChanged)
  const enterBio = (text: string) => setBio(text.split('\n').slice(0, BIO_LINES_MAX).join('\n'))
  const save = async (event: Event) => {
    event.preventDefault()
    const body = { bio, pronouns: pronouns.trim() === '' ? null : pronouns }
    const changed = await attempt(() => call('PUT /api/auth/profile', {}, body))
    if (!changed) return
    markSaved()
    onChanged(changed)
    showNote(words.saved)
  }
  return (
    <form onSubmit={save}>
      <h3>{says.title}</h3>
      <p class="quiet">{says.hint}</p>
      {profile.banner_url ? <img class="banner" src={profile.banner_url} alt="" /> : null}
      <span class="choices">
        <button type="button" disabled={banner.busy} onClick={() => choosePicture(setBanner, banner.attempt, TYPES)}>
          {says.chooseBanner}
        </button>
        {profile.banner_url ? (
          <button type="button" disabled={banner.busy} onClick={() => void banner.attempt(() => setBanner(null))}>
            {says.removeBanner}
          </button>
        ) : null}
      </span>
      {banner.error?.code === 'validation_failed' ? (
        <div class="refusal" role="alert">
          {says.bannerRefused}
        </div>
      ) : (
        <Refusal error={banner.error} />
      )}
      <Field label={says.pronouns} value={pronouns} onInput={setPronouns} maxLength={PRONOUNS_MAX} />
      <Field label={says.bio} value={bio} onInput={enterBio} maxLength={BIO_MAX} multiline />
      <Refusal error={error} />
      <FormFooter submit={words.save} busy={busy} />
    </form>
  )
}
