import { useEffect, useState } from 'preact/hooks'
import type { Privacy } from '../../../features/accounts/model.ts'
import { call } from '../../state/session.ts'
import { onDevice } from '../../state/stored.ts'
import { KEEPS_METADATA } from '../../state/upload.ts'
import { publicWords } from '../../words/public-pages.ts'
import { settingsWords } from '../../words/settings.ts'
import { words } from '../../words/words.ts'
import { showNote } from '../kit/dialogs.tsx'
import { SelectField } from '../kit/dialog-forms.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { settled } from '../kit/settled.ts'

const CHOICES = {
  dms_from: ['everyone', 'servers', 'friends'],
  friend_requests_from: ['everyone', 'servers', 'nobody'],
} as const

/**
 * Privacy settings: senders of direct messages and friend requests, previews of private links, metadata of pictures.
 */
export const PrivacyForm = () => {
  const [privacy, setPrivacy] = useState<Privacy>()
  const [keeps, setKeeps] = useState(onDevice.getItem(KEEPS_METADATA) !== null)
  const { attempt, error } = useAttempt()
  useEffect(() => void attempt(() => call('GET /api/auth/privacy')).then(setPrivacy), [])
  const choose = async (change: Partial<Privacy>) => {
    setPrivacy((now) => now && { ...now, ...change })
    const answer = await attempt(() => call('PUT /api/auth/privacy', {}, change))
    const result = answer ?? privacy
    if (result) setPrivacy((now) => now && settled(now, change, result))
    if (answer) showNote(words.saved)
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
          <label class="check">
            <input
              type="checkbox"
              checked={privacy.requests}
              onChange={(event) => void choose({ requests: event.currentTarget.checked })}
            />
            <span>
              {settingsWords.settings.messageRequests}
              <small>{settingsWords.settings.messageRequestsText}</small>
            </span>
          </label>
          {privacy.requests ? null : choice('dms_from', settingsWords.settings.dmsFrom)}
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
          <label class="check">
            <input
              type="checkbox"
              checked={privacy.public_name}
              onChange={(event) => void choose({ public_name: event.currentTarget.checked })}
            />
            <span>
              {publicWords.name}
              <small>{publicWords.nameText}</small>
            </span>
          </label>
        </>
      ) : null}
      <label class="check">
        <input
          type="checkbox"
          checked={keeps}
          onChange={({ currentTarget: { checked } }) => {
            if (checked) onDevice.setItem(KEEPS_METADATA, 'yes')
            else onDevice.removeItem(KEEPS_METADATA)
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
