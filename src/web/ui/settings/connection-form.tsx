import { useState } from 'preact/hooks'
import { testConnection, type TestedServer } from '../../voice/connection-test.ts'
import { words } from '../../words/words.ts'
import { Refusal, useAttempt } from '../kit/forms.tsx'

/** "Test my connection": which addresses of the TURN server are reachable from here. */
export const ConnectionTest = () => {
  const [tested, setTested] = useState<TestedServer[]>()
  const { attempt, busy, error } = useAttempt()
  const test = async () => {
    setTested(undefined)
    setTested(await attempt(testConnection))
  }
  return (
    <>
      <p class="quiet">{words.settings.testText}</p>
      <p class="pad">
        <button type="button" class="primary" disabled={busy} onClick={() => void test()}>
          {busy ? words.settings.testing : words.settings.test}
        </button>
      </p>
      <Refusal error={error} />
      <ul class="table checks" aria-live="polite">
        {tested?.map(({ address, transport, open }) => (
          <li key={address + transport} class={`row ${open ? 'yes' : 'no'}`}>
            <b>{transport}</b>
            <span>{address}</span>
            <small>{open ? words.settings.open : words.settings.closed}</small>
          </li>
        ))}
      </ul>
      {tested?.length === 0 ? <p>{words.settings.noRelay}</p> : null}
      {tested?.length && !tested.some(({ open }) => open) ? <p class="refusal">{words.settings.allClosed}</p> : null}
    </>
  )
}
