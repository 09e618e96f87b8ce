import { useEffect, useState } from 'preact/hooks'
import type { Privacy } from '../../../features/accounts/model.ts'
import { call } from '../../state/session.ts'
import { words } from '../../words/words.ts'
import { showNote } from '../kit/dialogs.tsx'
import { Refusal, SelectField, useAttempt } from '../kit/forms.tsx'

const CHOICES = {
  dms_from: ['everyone', 'servers', 'friends'],
  friend_requests_from: ['everyone', 'servers', 'nobody'],
} as const

/** Who may send direct messages and friend requests, and what becomes of links in private. */
export const PrivacyForm = () => {
  const [privacy, setPrivacy] = useState<Privacy>()
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
      options={CHOICES[name].map((option) => [option, words.settings.from[option]])}
      onChange={(option) => void choose({ [name]: option })}
    />
  )
  return (
    <form>
      {privacy ? (
        <>
          {choice('dms_from', words.settings.dmsFrom)}
          {choice('friend_requests_from', words.settings.requestsFrom)}
          <label class="check">
            <input
              type="checkbox"
              checked={privacy.link_previews}
              onChange={(event) => void choose({ link_previews: event.currentTarget.checked })}
            />
            <span>
              {words.settings.previews}
              <small>{words.settings.previewsText}</small>
            </span>
          </label>
        </>
      ) : null}
      <Refusal error={error} />
    </form>
  )
}
