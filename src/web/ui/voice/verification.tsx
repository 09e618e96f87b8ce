import { useEffect, useState } from 'preact/hooks'
import { dateOf } from '../../state/format.ts'
import { nameOf } from '../../state/names.ts'
import { state } from '../../state/session.ts'
import { compareWith, type Comparison, isVerified, verify } from '../../voice/comparison.ts'
import { codeText, compareCode } from '../../voice/number-code.ts'
import { callWords } from '../../words/call.ts'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog } from '../kit/dialogs.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { Later } from '../kit/later.tsx'
import { QrCode } from '../kit/qr-code.tsx'
import { Digits } from './digits.tsx'

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
      {comparison ? <Numbers user_id={user_id} name={name} comparison={comparison} set={set} busy={busy} /> : null}
      <Refusal error={error} />
    </Dialog>
  )
}

interface NumbersProps {
  user_id: number
  name: string
  comparison: Comparison
  /** Keeps that the numbers were compared; undefined: forgets it. */
  set: (compared: Comparison | undefined) => Promise<void>
  busy: boolean
}

const Numbers = ({ user_id, name, comparison, set, busy }: NumbersProps) => {
  const { groups, keys, ownCount, verification, forked, isUnshared } = comparison
  const says = callWords.verification
  const isSame = isVerified(comparison)
  const date = verification && dateOf(verification.at)
  return (
    <>
      {groups ? (
        <>
          <p>{says.text({ name, own: ownCount, theirs: keys.length })}</p>
          <Digits groups={groups} />
          <ScannedNumber name={name} text={codeText(state.me(), user_id, groups)} onSame={() => void set(comparison)} />
        </>
      ) : (
        <p>{isUnshared ? says.unshared(name) : says.none(name)}</p>
      )}
      {forked === undefined ? null : (
        <p class="warned" role="alert">
          {forked === 'own' ? callWords.encryption.ownHistory : says.forked(name)}
        </p>
      )}
      {date === undefined || forked !== undefined || isUnshared ? null : (
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

interface ScannedProps {
  name: string
  /** The text of this device's code. */
  text: string
  onSame: () => void
}

/** The number as a code that the other person scans, and the scanner for the code of the other person. */
const ScannedNumber = ({ name, text, onSame }: ScannedProps) => {
  const says = callWords.verification
  const [isScanning, setScanning] = useState(false)
  const [result, setResult] = useState<ReturnType<typeof compareCode>>()
  const take = (scanned: string): boolean => {
    const answer = compareCode(text, scanned)
    setResult(answer)
    if (answer !== 'same') return false
    setScanning(false)
    onSame()
    return true
  }
  const load = async () => {
    const { CodeScanner } = await import('./code-scanner.tsx')
    return () => <CodeScanner name={name} onText={take} />
  }
  return (
    <>
      <QrCode text={text} label={says.picture} />
      {result === undefined ? null : (
        <p class={result === 'same' ? '' : 'warned'} role="alert">
          {result === 'same' ? says.scanned : result === 'differs' ? says.differs(name) : says.foreign(name)}
        </p>
      )}
      {isScanning ? (
        <Later load={load} />
      ) : (
        <p class="buttons">
          <button type="button" onClick={() => setScanning(true)}>
            {says.scan}
          </button>
        </p>
      )}
    </>
  )
}
