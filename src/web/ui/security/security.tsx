import { useEffect, useState } from 'preact/hooks'
import type { Factors } from '../../../features/factors/model.ts'
import { askOffers, offers } from '../../state/offers.ts'
import { call } from '../../state/session.ts'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { Later } from '../kit/later.tsx'
import { Authenticator } from './authenticator.tsx'
import { LinkedIdentities } from './linked-identities.tsx'
import { PasskeyList } from './passkey-list.tsx'
import { PasswordForm } from './password-form.tsx'

const clientFiles = async () => {
  const { ClientFiles } = await import('./client-files.tsx')
  return () => <ClientFiles />
}

/** Login methods of the account: password, authenticator app, passkeys, single sign-on; and the files of this app. */
export const Security = () => {
  const [factors, setFactors] = useState<Factors>()
  const { attempt, error } = useAttempt()
  const load = () => void attempt(() => call('GET /api/auth/factors')).then((answer) => answer && setFactors(answer))
  useEffect(() => {
    load()
    askOffers()
  }, [])
  return (
    <div class="security">
      <Refusal error={error} />
      {factors && offers.value?.password_login ? (
        <PasswordForm hasPassword={factors.has_password} onDone={load} />
      ) : null}
      {factors ? <Authenticator factors={factors} reload={load} /> : null}
      {offers.value?.passkeys ? <PasskeyList reload={load} /> : null}
      {offers.value?.oidc ? <LinkedIdentities name={offers.value.oidc.name} reload={load} /> : null}
      <Later load={clientFiles} silent />
    </div>
  )
}
