import { useEffect, useState } from 'preact/hooks'
import { changePin, loadPin, offeredNow, pin } from '../../device/pinned-client.ts'
import { watchPin } from '../../device/watch-pin.tsx'
import { dateOf } from '../../state/format.ts'
import { securityWords } from '../../words/security.ts'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { ClientHash } from './client-question.tsx'

const says = securityWords.files

/** The switch by which this browser keeps the files of the app, and asks before it takes others. */
export const ClientFiles = () => {
  const [fault, setFault] = useState<keyof typeof says.problems>()
  const { attempt, busy, error } = useAttempt()
  // A page without a worker loads every file from the server.
  const canPin = navigator.serviceWorker?.controller != null
  useEffect(() => void (canPin && attempt(loadPin)), [])
  const current = pin.value
  const change = async () => {
    setFault(undefined)
    const answer = await attempt(async () =>
      changePin(current ? { kind: 'drop' } : { kind: 'take', ...(await offeredNow()) }),
    )
    if (answer === 'taken') watchPin(await navigator.serviceWorker.ready)
    if (answer === 'mismatch' || answer === 'incomplete') setFault(answer)
  }
  return (
    <section aria-label={says.title}>
      <h3>{says.title}</h3>
      <p class="quiet">{says.text}</p>
      <label class="check">
        <input
          type="checkbox"
          checked={current !== undefined}
          disabled={busy || !canPin}
          onChange={() => void change()}
        />
        {says.pin}
      </label>
      {canPin ? null : <p class="quiet">{says.noWorker}</p>}
      {current ? (
        <>
          <p class="quiet">{says.kept({ version: current.version, date: dateOf(current.at) })}</p>
          <ClientHash label={says.hash} hash={current.hash} />
        </>
      ) : null}
      {fault ? (
        <p class="warned" role="alert">
          {says.problems[fault]}
        </p>
      ) : null}
      <p class="quiet">{says.limits}</p>
      <Refusal error={error} />
    </section>
  )
}
