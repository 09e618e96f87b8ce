import type { TargetedMouseEvent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { call, leave } from '../../state/session.ts'
import { settingsWords } from '../../words/settings.ts'
import { proveNow, withProof } from '../security/proof.tsx'
import { PasswordField, Refusal, useAttempt } from '../kit/forms.tsx'

/** Exporting the account's data, and deleting the account. */
export const AccountData = () => {
  const [password, setPassword] = useState('')
  const [isOperator, setOperator] = useState(false)
  const [hasPassword, setHasPassword] = useState(true)
  useEffect(() => {
    const look = async () => {
      setOperator((await call('GET /api/auth/me')).operator_since !== null)
      setHasPassword((await call('GET /api/auth/factors')).has_password)
    }
    void look().catch(() => {})
  }, [])
  const { attempt, busy, error } = useAttempt()
  const deleteAccount = async (event: Event) => {
    event.preventDefault()
    const isDeleted = await attempt(() =>
      withProof(async () => {
        await call('DELETE /api/auth/me', {}, hasPassword ? { password } : {})
        return true
      }),
    )
    if (isDeleted) leave()
  }
  const downloadProven = async (event: TargetedMouseEvent<HTMLAnchorElement>) => {
    const { href, download } = event.currentTarget
    event.preventDefault()
    if (await attempt(proveNow)) Object.assign(document.createElement('a'), { href, download }).click()
  }
  return (
    <>
      {isOperator ? (
        <p>
          <a class="button" href="/operator">
            {settingsWords.settings.operator}
          </a>
        </p>
      ) : null}
      <p class="quiet">{settingsWords.settings.exportText}</p>
      <p>
        <a class="button" href="/api/auth/export" download="parley-export.json" onClick={downloadProven}>
          {settingsWords.settings.export}
        </a>
      </p>
      <form class="danger-zone" onSubmit={deleteAccount}>
        <h3>{settingsWords.settings.delete}</h3>
        <p>{settingsWords.settings.deleteText}</p>
        {hasPassword ? (
          <PasswordField label={settingsWords.settings.currentPassword} value={password} onInput={setPassword} />
        ) : null}
        <Refusal error={error} says={{ invalid_credentials: settingsWords.settings.wrongPassword }} />
        <button class="danger" disabled={busy}>
          {settingsWords.settings.delete}
        </button>
      </form>
    </>
  )
}
