import { useEffect, useState } from 'preact/hooks'
import type { Privacy } from '../../../features/accounts/model.ts'
import { call } from '../../state/session.ts'
import { keepMetadata, keepsMetadata } from '../../state/upload.ts'
import { settingsWords } from '../../words/settings.ts'
import { words } from '../../words/words.ts'
import { showNote } from '../kit/dialogs.tsx'
import { SelectField } from '../kit/dialog-forms.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'

const CHOICES = {
  dms_from: ['everyone', 'servers', 'friends'],
  friend_requests_from: ['everyone', 'servers', 'nobody'],
} as const

/** Who may send direct messages and friend requests, what becomes of links in private, and what pictures say. */
export const PrivacyForm = () => {
  const [privacy, setPrivacy] = useState<Privacy>()
  const [keeps, setKeeps] = useState(keepsMetadata())
  const { attempt, error } = useAttempt()
  useEffect(() => void attempt(() => call('GET /api/auth/privacy')).then(setPrivacy), [])
  const choose = async (change: Partial<Privacy>) => {
    setPrivacy(privacy && { ...privacy, ...change })
    const changed = await attempt(() => call('PUT /api/auth/privacy', {}, change))
    setPrivacy(changed ?? privacy)
    if (changed) showNote(words.saved)
  }
  const choice = (name: keyof typeof CHOICES, label: string) => (
    <SelectField
      label={label}
      value={privacy?.[name]}
      options={CHOICES[name].map((option) => [option, settingsWords.settings.from[option]])}
      onChange={(option) => void choose({ [name]: option })}
    />
  )
  return (
    <form>
      {privacy ? (
        <>
          {choice('dms_from', settingsWords.settings.dmsFrom)}
          {choice('friend_requests_from', settingsWords.settings.requestsFrom)}
          <label class="check">
            <input
              type="checkbox"
              checked={privacy.link_previews}
              onChange={(event) => void choose({ link_previews: event.currentTarget.checked })}
            />
            <span>
              {settingsWords.settings.previews}
              <small>{settingsWords.settings.previewsText}</small>
            </span>
          </label>
        </>
      ) : null}
      <label class="check">
        <input
          type="checkbox"
          checked={keeps}
          onChange={({ currentTarget: { checked } }) => {
            keepMetadata(checked)
            setKeeps(checked)
          }}
        />
        <span>
          {settingsWords.settings.keepMetadata}
          <small>{settingsWords.settings.keepMetadataText}</small>
        </span>
      </label>
      <Refusal error={error} />
    </form>
  )
}
