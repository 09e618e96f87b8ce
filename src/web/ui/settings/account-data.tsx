import { useEffect, useState } from 'preact/hooks'
import type { Privacy } from '../../../features/accounts/model.ts'
import { call, leave } from '../../state/session.ts'
import { words } from '../../words/words.ts'
import { Field, Refusal, useAttempt } from '../kit/controls.tsx'
import { tell } from '../kit/dialogs.tsx'

const CHOICES = {
  dms_from: ['everyone', 'servers', 'friends'],
  friend_requests_from: ['everyone', 'servers', 'nobody'],
} as const

/** Who may write to one, and ask for friendship. */
export const PrivacyForm = () => {
  const [privacy, setPrivacy] = useState<Privacy>()
  const { attempt, error } = useAttempt()
  useEffect(() => void attempt(() => call('GET /api/auth/privacy')).then(setPrivacy), [])
  const choose = async (change: Partial<Privacy>) => {
    const changed = await attempt(() => call('PUT /api/auth/privacy', {}, change))
    if (!changed) return
    setPrivacy(changed)
    tell(words.saved)
  }
  const choice = (name: keyof Privacy, label: string) => (
    <label class="field">
      <span>{label}</span>
      <select value={privacy?.[name]} onChange={(event) => void choose({ [name]: event.currentTarget.value })}>
        {CHOICES[name].map((option) => (
          <option key={option} value={option}>
            {words.settings.from[option]}
          </option>
        ))}
      </select>
    </label>
  )
  return (
    <form>
      {privacy ? (
        <>
          {choice('dms_from', words.settings.dmsFrom)}
          {choice('friend_requests_from', words.settings.requestsFrom)}
        </>
      ) : null}
      <Refusal error={error} />
    </form>
  )
}

/** Taking along what is one's own, and leaving. */
export const OwnData = () => {
  const [password, setPassword] = useState('')
  const { attempt, busy, error } = useAttempt()
  const remove = async (event: Event) => {
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
      <form class="grave" onSubmit={remove}>
        <h3>{words.settings.delete}</h3>
        <p>{words.settings.deleteText}</p>
        <Field
          label={words.settings.currentPassword}
          value={password}
          onInput={setPassword}
          type="password"
          autocomplete="current-password"
          required
        />
        <Refusal error={error} />
        <button class="danger" disabled={busy}>
          {words.settings.delete}
        </button>
      </form>
    </>
  )
}
