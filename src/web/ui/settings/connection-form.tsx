import { useState } from 'preact/hooks'
import { type Tried, tryConnection } from '../../voice/connection-test.ts'
import { words } from '../../words/words.ts'
import { Refusal, useAttempt } from '../kit/controls.tsx'

/** "Test my connection": which ways calls can take from here, and which port is closed. */
export const ConnectionTest = () => {
  const [tried, setTried] = useState<Tried[]>()
  const { attempt, busy, error } = useAttempt()
  const test = async () => {
    setTried(undefined)
    setTried(await attempt(tryConnection))
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
      <ul class="table why" aria-live="polite">
        {tried?.map(({ address, transport, open }) => (
          <li key={address + transport} class={`row ${open ? 'yes' : 'no'}`}>
            <b>{transport}</b>
            <span>{address}</span>
            <small>{open ? words.settings.open : words.settings.closed}</small>
          </li>
        ))}
      </ul>
      {tried?.length === 0 ? <p>{words.settings.noRelay}</p> : null}
      {tried?.length && !tried.some(({ open }) => open) ? <p class="refusal">{words.settings.allClosed}</p> : null}
    </>
  )
}
