import { call, connectAccount } from '../../state/session.ts'
import { accountWords } from '../../words/account.ts'
import { Refusal, useAttempt } from '../kit/forms.tsx'

/** The button that logs in by a passkey, if the browser supports them. */
export const PasskeyLogin = () => {
  const { attempt, busy, error } = useAttempt()
  if (typeof PublicKeyCredential !== 'function') return null
  const logIn = async () => {
    const answer = await attempt(async () => {
      const { answerByPasskey } = await import('./passkeys.ts')
      const passkey = await answerByPasskey(await call('POST /api/auth/login/passkey/options'))
      return call('POST /api/auth/login/passkey', {}, { passkey })
    })
    if (answer) void connectAccount()
  }
  return (
    <>
      <Refusal error={error} />
      <button type="button" disabled={busy} onClick={() => void logIn()}>
        {accountWords.signIn.passkey}
      </button>
    </>
  )
}
