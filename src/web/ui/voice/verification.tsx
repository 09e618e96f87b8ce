import { useEffect, useState } from 'preact/hooks'
import { dateOf } from '../../state/format.ts'
import { nameOf } from '../../state/names.ts'
import { compareWith, type Comparison, isVerified, verify } from '../../voice/comparison.ts'
import { callWords } from '../../words/call.ts'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog } from '../kit/dialogs.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'

/** The numbers that two people compare, and what this device remembers of it. */
export const VerificationDialog = ({ user_id }: { user_id: number }) => {
  const [comparison, setComparison] = useState<Comparison>()
  const { attempt, busy, error } = useAttempt()
  const load = () => attempt(() => compareWith(user_id)).then((answer) => answer && setComparison(answer))
  useEffect(() => void load(), [])
  const set = async (compared: Comparison | undefined) => {
    await attempt(() => verify(user_id, compared))
    await load()
  }
  const name = nameOf(user_id)
  return (
    <Dialog title={callWords.verification.title(name)} onClose={closeDialog} class="small">
      {comparison ? <Numbers name={name} comparison={comparison} set={set} busy={busy} /> : null}
      <Refusal error={error} />
    </Dialog>
  )
}

interface NumbersProps {
  name: string
  comparison: Comparison
  /** Keeps that the numbers were compared; undefined: forgets it. */
  set: (compared: Comparison | undefined) => Promise<void>
  busy: boolean
}

const Numbers = ({ name, comparison, set, busy }: NumbersProps) => {
  const { groups, keys, ownCount, verification, forked } = comparison
  const says = callWords.verification
  const isSame = isVerified(comparison)
  const date = verification && dateOf(verification.at)
  return (
    <>
      {groups ? (
        <>
          <p>{says.text({ name, own: ownCount, theirs: keys.length })}</p>
          <Digits groups={groups} />
        </>
      ) : (
        <p>{says.none(name)}</p>
      )}
      {forked === undefined ? null : (
        <p class="warned" role="alert">
          {forked === 'own' ? callWords.encryption.ownHistory : says.forked(name)}
        </p>
      )}
      {date === undefined || forked !== undefined ? null : (
        <p class={isSame ? '' : 'warned'} role="status">
          {isSame ? says.verifiedOn(date) : says.changed({ name, date })}
        </p>
      )}
      <div class="footer">
        {verification ? (
          <button type="button" disabled={busy} onClick={() => void set(undefined)}>
            {says.forget}
          </button>
        ) : null}
        {groups && !isSame ? (
          <button type="button" class="primary" disabled={busy} onClick={() => void set(comparison)}>
            {says.same}
          </button>
        ) : null}
      </div>
    </>
  )
}

/** Groups of digits to compare, from left to right in every language. */
export const Digits = ({ groups }: { groups: string[] }) => (
  <p class="digits" dir="ltr">
    {groups.join(' ')}
  </p>
)
