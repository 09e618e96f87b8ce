import { useState } from 'preact/hooks'
import { testConnection, type TestedServer } from '../../voice/connection-test.ts'
import { settingsWords } from '../../words/settings.ts'
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
      <p class="quiet">{settingsWords.settings.testText}</p>
      <p class="pad">
        <button type="button" class="primary" disabled={busy} onClick={() => void test()}>
          {busy ? settingsWords.settings.testing : settingsWords.settings.test}
        </button>
      </p>
      <Refusal error={error} />
      <ul class="table checks" aria-live="polite">
        {tested?.map(({ address, transport, open }) => (
          <li key={address + transport} class={`row ${open ? 'yes' : 'no'}`}>
            <b>{transport}</b>
            <span>{address}</span>
            <small>{open ? settingsWords.settings.open : settingsWords.settings.closed}</small>
          </li>
        ))}
      </ul>
      {tested?.length === 0 ? <p>{settingsWords.settings.noRelay}</p> : null}
      {tested?.length && !tested.some(({ open }) => open) ? (
        <p class="refusal">{settingsWords.settings.allClosed}</p>
      ) : null}
    </>
  )
}
