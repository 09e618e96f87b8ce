import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { clockText } from '../../sound/clock.ts'
import { Recorder, RECORDING_MS_MAX } from '../../sound/recorder.ts'
import { soundWords } from '../../words/sounds.ts'
import { IconButton } from '../kit/controls.tsx'
import { showNote } from '../kit/dialogs.tsx'
import { Icon } from '../kit/icons.tsx'
import { Waveform } from './waveform.tsx'
import { isComposingKey } from '../../state/keyboard.ts'

const METER_MS = 80
/** Levels shown, the newest last. */
const LEVELS = 60
/** The remaining time is shown below this one. */
const SHOWN_LEFT_MS_MAX = 30_000

interface RecordingProps {
  /** Takes the recording. @param isSend whether the person wants it sent */
  onDone: (file: File, isSend: boolean) => void
  onDiscard: () => void
}

/** Recorder of a voice message, shown instead of the field. Starts at once. */
export const Recording = ({ onDone, onDiscard }: RecordingProps) => {
  const [recorder, setRecorder] = useState<Recorder>()
  const [levels, setLevels] = useState<number[]>(() => Array(LEVELS).fill(0))
  const sending = useRef<HTMLButtonElement>(null)
  const isDone = useRef(false)
  const starting = useRef<Promise<Recorder> | undefined>(undefined)
  const discard = () => {
    isDone.current = true
    starting.current?.then((one) => one.discard()).catch(() => {})
    onDiscard()
  }
  const finish = async (isSend: boolean) => {
    if (!recorder || isDone.current) return
    isDone.current = true
    const file = await recorder.stop()
    if (file.size > 0) onDone(file, isSend)
    else onDiscard()
  }
  useLayoutEffect(() => {
    const recording = Recorder.start()
    starting.current = recording
    recording.then(setRecorder, () => {
      showNote(soundWords.noMicrophone)
      onDiscard()
    })
    const stay = (event: Event) => event.preventDefault()
    addEventListener('beforeunload', stay)
    // Leaving the place stops the recording and attaches it to the draft there. The meter may run once more.
    return () => {
      removeEventListener('beforeunload', stay)
      if (isDone.current) return
      isDone.current = true
      const keep = async (one: Recorder) => {
        const file = await one.stop()
        if (file.size > 0) onDone(file, false)
      }
      void recording.then(keep).catch(() => {})
    }
  }, [])
  useLayoutEffect(() => sending.current?.focus(), [recorder])
  useEffect(() => {
    if (!recorder) return
    const timer = setInterval(() => {
      setLevels((all) => [...all.slice(1), recorder.level()])
      if (!recorder.isOver || isDone.current) return
      showNote(soundWords.over)
      void finish(false)
    }, METER_MS)
    return () => clearInterval(timer)
  }, [recorder])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || isComposingKey(event)) return
    event.preventDefault()
    discard()
  }
  const leftMs = RECORDING_MS_MAX - (recorder?.lengthMs ?? 0)
  return (
    <div class="writing recording" role="group" aria-label={soundWords.message} onKeyDown={onKeyDown}>
      <IconButton icon="trash" size={20} label={soundWords.discard} onClick={discard} />
      <span class="light" />
      <span class="clock" role="timer">
        {clockText((recorder?.lengthMs ?? 0) / 1000)}
      </span>
      <Waveform levels={levels} />
      {leftMs < SHOWN_LEFT_MS_MAX ? <small class="over">−{clockText(leftMs / 1000)}</small> : null}
      <p class="hidden" role="status">
        {recorder ? soundWords.recording : ''}
      </p>
      <IconButton
        icon="check"
        size={20}
        label={soundWords.keep}
        disabled={!recorder}
        onClick={() => void finish(false)}
      />
      <button
        ref={sending}
        type="button"
        class="bare send"
        aria-label={soundWords.send}
        title={soundWords.send}
        disabled={!recorder}
        onClick={() => void finish(true)}
      >
        <Icon name="send" />
      </button>
    </div>
  )
}
