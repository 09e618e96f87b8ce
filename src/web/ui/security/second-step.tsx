import type { PendingLogin } from '../../../core/errors.ts'
import { ApiError } from '../../client/rest.ts'
import { call, connectAccount } from '../../state/session.ts'
import { securityWords } from '../../words/security.ts'
import { FactorForm, type Shown } from './factor-form.tsx'

/** The second step of a login, after the password. */
export const SecondStep = ({ pending, onBack }: { pending: PendingLogin; onBack: () => void }) => {
  const { pending_token, methods } = pending
  const options = async () => {
    const { passkey } = await call('POST /api/auth/login/second/options', {}, { pending_token })
    if (!passkey) throw new ApiError(0, 'invalid_passkey', securityWords.notThere)
    return passkey
  }
  const send = async (proof: Shown) => {
    await call('POST /api/auth/login/second', {}, { pending_token, ...proof })
    void connectAccount()
  }
  return (
    <FactorForm
      class="card"
      methods={methods}
      submit={securityWords.second.login}
      options={options}
      send={send}
      leave={{ text: securityWords.second.back, go: onBack }}
    >
      <h1>{securityWords.second.title}</h1>
      <p class="quiet">{securityWords.second.text}</p>
    </FactorForm>
  )
}
