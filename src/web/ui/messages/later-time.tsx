import { useState } from 'preact/hooks'
import { serverNow } from '../../state/server-clock.ts'
import { laterWords } from '../../words/later.ts'
import { soon } from '../../words/plural.ts'

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400]
/** Times that are offered, seconds from now. */
const OFFERED_S = [20 * MINUTE, HOUR, 3 * HOUR, DAY, 7 * DAY]

interface LaterTimeProps {
  /** The text of the button that takes the time in the field. */
  action: string
  busy: boolean
  set: (time: string) => void
}

/** The choice of a time from now on. */
export const LaterTime = ({ action, busy, set }: LaterTimeProps) => {
  const [at, setAt] = useState('')
  return (
    <>
      <div class="choices">
        {OFFERED_S.map((seconds) => (
          <button
            key={seconds}
            type="button"
            disabled={busy}
            onClick={() => set(new Date(serverNow() + seconds * 1000).toISOString())}
          >
            {soon(seconds)}
          </button>
        ))}
      </div>
      <label class="field">
        <span>{laterWords.at}</span>
        <input type="datetime-local" value={at} onInput={(event) => setAt(event.currentTarget.value)} />
      </label>
      <button type="button" disabled={busy || at === ''} onClick={() => set(new Date(at).toISOString())}>
        {action}
      </button>
    </>
  )
}
