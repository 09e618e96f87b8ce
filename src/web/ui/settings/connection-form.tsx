import { useState } from 'preact/hooks'
import { canCall } from '../../voice/shown-call.ts'
import { testConnection, type TestedDoor } from '../../voice/connection-test.ts'
import { settingsWords } from '../../words/settings.ts'
import { callWords } from '../../words/call.ts'
import { Refusal, useAttempt } from '../kit/forms.tsx'

/** "Test my connection": which addresses of STUN, TURN and the SFU can be reached from here. */
export const ConnectionTest = () => {
  const [results, setResults] = useState<TestedDoor[]>()
  const { attempt, busy, error } = useAttempt()
  const test = async () => {
    setResults(undefined)
    setResults(await attempt(testConnection))
  }
  if (!canCall()) return <p class="quiet">{callWords.noCalls}</p>
  const isMissing = (part: TestedDoor['service']) =>
    results !== undefined && !results.some(({ service }) => service === part)
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
        {results?.map(({ service, address, transport, open }) => (
          <li key={service + address + transport} class={`row ${open ? 'yes' : 'no'}`}>
            <b>
              {service} {transport}
            </b>
            <span>{address}</span>
            <small>{open ? settingsWords.settings.open : settingsWords.settings.closed}</small>
          </li>
        ))}
      </ul>
      {isMissing('TURN') ? <p>{settingsWords.settings.noRelay}</p> : null}
      {isMissing('SFU') ? <p>{settingsWords.settings.noSfu}</p> : null}
      {results?.length && !results.some(({ open }) => open) ? (
        <p class="refusal">{settingsWords.settings.allClosed}</p>
      ) : null}
    </>
  )
}
