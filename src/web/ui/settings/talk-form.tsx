import { useEffect, useRef, useState } from 'preact/hooks'
import { partsOfChord } from '../../voice/call-keys.ts'
import { LevelMeter } from '../../voice/level-meter.ts'
import { openMicrophone } from '../../voice/microphone.ts'
import { changeTalk, talkSettings } from '../../voice/talk-settings.ts'
import { talkWords } from '../../words/talk.ts'
import { callWords } from '../../words/call.ts'
import { SelectField, Switch } from '../kit/dialog-forms.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { KeyButton } from './key-button.tsx'

const MODES = ['open', 'voice', 'push'] as const
const METER_MS = 50

/** When the microphone of a call is sent. */
export const TalkForm = () => {
  const { mode, key, muted, noise, echo, gain } = talkSettings.value
  return (
    <>
      <Switch label={talkWords.muted} on={muted} onChange={(on) => changeTalk({ muted: on })} />
      <SelectField
        label={talkWords.mode}
        value={mode}
        options={MODES.map((name) => [name, talkWords.modes[name]])}
        onChange={(name) => changeTalk({ mode: name })}
      />
      {mode === 'push' ? <TalkKey code={key} /> : null}
      {mode === 'voice' ? <Threshold key={`${noise} ${echo} ${gain}`} /> : null}
    </>
  )
}

/** The push-to-talk key; the next pressed key replaces it. */
const TalkKey = ({ code }: { code: string }) => {
  const take = (event: KeyboardEvent) => {
    changeTalk({ key: event.code })
    return true
  }
  return (
    <>
      <KeyButton label={talkWords.key} keyText={partsOfChord(code).join()} onKey={take} />
      <small class="quiet">{talkWords.keyText}</small>
    </>
  )
}

/** The threshold of voice activity, with the current level during a test. */
const Threshold = () => {
  const [meter, setMeter] = useState<LevelMeter>()
  const bar = useRef<HTMLMeterElement>(null)
  const { attempt, busy, error } = useAttempt()
  const { threshold } = talkSettings.value
  useEffect(() => {
    if (!meter) return
    const timer = setInterval(() => bar.current && (bar.current.value = meter.read()), METER_MS)
    return () => {
      clearInterval(timer)
      meter.stop()
    }
  }, [meter])
  const listen = async () => {
    const track = await openMicrophone()
    if (!track) throw new Error(callWords.noMicrophone)
    setMeter(new LevelMeter(track))
    track.stop()
  }
  return (
    <>
      <label class="field">
        <span>{talkWords.threshold}</span>
        <input
          type="range"
          min={0}
          max={1}
          step={0.01}
          value={threshold}
          onInput={(event) => changeTalk({ threshold: Number(event.currentTarget.value) })}
        />
      </label>
      {meter ? (
        <meter ref={bar} class="level" min={0} max={1} low={threshold} value={0} aria-label={talkWords.level} />
      ) : (
        <p>
          <button type="button" disabled={busy} onClick={() => void attempt(listen)}>
            {talkWords.listen}
          </button>
        </p>
      )}
      <Refusal error={error} />
    </>
  )
}
