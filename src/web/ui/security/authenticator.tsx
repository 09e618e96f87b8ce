import type { Factors } from '../../../features/factors/model.ts'
import { momentOf } from '../../state/format.ts'
import { call } from '../../state/session.ts'
import { securityWords } from '../../words/security.ts'
import { askToConfirm } from '../kit/ask.tsx'
import { showDialog, showLater, showNote } from '../kit/dialogs.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { withProof } from './proof.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

const { app } = securityWords
const showCodes = (codes: string[]) => showDialog(() => <RecoveryCodes codes={codes} />)

/** The authenticator app: setting it up, turning it off, new recovery codes. */
export const Authenticator = ({ factors, reload }: { factors: Factors; reload: () => void }) => {
  const { attempt, busy, error } = useAttempt()
  const setUp = async () => {
    const totpSecret = await attempt(() => withProof(() => call('POST /api/auth/totp')))
    if (!totpSecret) return
    const onDone = (codes: string[]) => {
      showCodes(codes)
      reload()
    }
    // Imported here, because it brings the library that draws QR codes.
    await showLater(async () => {
      const { AuthenticatorSetup } = await import('./authenticator-setup.tsx')
      return () => <AuthenticatorSetup {...totpSecret} onDone={onDone} />
    })
  }
  const turnOff = () =>
    withProof(async () => {
      await call('DELETE /api/auth/totp')
      showNote(app.isOff)
      reload()
    })
  const renew = async () => {
    const answer = await attempt(() => withProof(() => call('POST /api/auth/recovery-codes')))
    if (!answer) return
    showCodes(answer.recovery_codes)
    reload()
  }
  const askToTurnOff = () =>
    askToConfirm({ title: app.turnOff, text: app.turnOffText, action: app.turnOff, work: turnOff })
  return (
    <section aria-label={app.title}>
      <h3>{app.title}</h3>
      {factors.totp_since === null ? (
        <p class="quiet">{app.off}</p>
      ) : (
        <p class="quiet">
          {app.since(momentOf(factors.totp_since))} {app.left(factors.recovery_codes_left)}.
        </p>
      )}
      <Refusal error={error} says={securityWords.problems} />
      <p class="buttons">
        {factors.totp_since === null ? (
          <button type="button" disabled={busy} onClick={() => void setUp()}>
            {app.setUp}
          </button>
        ) : (
          <>
            <button type="button" disabled={busy} onClick={() => void renew()}>
              {app.newCodes}
            </button>
            <button type="button" class="danger" disabled={busy} onClick={askToTurnOff}>
              {app.turnOff}
            </button>
          </>
        )}
      </p>
    </section>
  )
}
