import { signal } from '@preact/signals'
import { useLayoutEffect, useState } from 'preact/hooks'
import { clockText } from '../../sound/clock.ts'
import { partsOf } from '../../sound/measure.ts'
import { isVoiceMessage } from '../../sound/recorder.ts'
import { download } from '../../state/download-urls.ts'
import { sizeOf } from '../../state/format.ts'
import { spoken } from '../../words/plural.ts'
import { soundWords } from '../../words/sounds.ts'
import { words } from '../../words/words.ts'
import { IconButton } from '../kit/controls.tsx'
import { nameOfFile } from './media.ts'
import { pauseOthers, useMediaFile } from './media-file.ts'
import type { PlayerProps } from './video-player.tsx'
import { Waveform } from './waveform.tsx'
import { onDevice } from '../../state/stored.ts'

const RATES = [1, 1.5, 2]
const KEY = 'parley.rate'
/** A key moves the position by this part of the sound. */
const STEPS = 40

const storedRate = Number(onDevice.getItem(KEY))
/** Playback speed in this browser. */
const rate = signal(RATES.includes(storedRate) ? storedRate : 1)

function changeRate(): void {
  rate.value = RATES[(RATES.indexOf(rate.value) + 1) % RATES.length] ?? 1
  onDevice.setItem(KEY, String(rate.value))
}

/** Drawn when nothing is known of how loud the sound is. */
const LEVEL = Array<number>(64).fill(0)

/** A sound, as it looks before its bytes are loaded: they are when it is first played. */
export const SoundPlayer = ({ file, otherwise }: PlayerProps) => {
  const { url, element, onError, isBroken, resume } = useMediaFile(file)
  const [at, setAt] = useState(0)
  const [playing, setPlaying] = useState(false)
  const [foundS, setFound] = useState(0)
  /** True if playback starts once the address is loaded. */
  const [isWanted, setWanted] = useState(false)
  const play = () => void element.current?.play().catch(() => {})
  useLayoutEffect(() => {
    if (isWanted && url !== undefined) play()
  }, [isWanted, url])
  if (isBroken) return otherwise
  const isMessage = isVoiceMessage(file.filename)
  const name = isMessage ? soundWords.message : nameOfFile(file)
  const lengthS = file.duration_ms ? file.duration_ms / 1000 : foundS
  const levels = file.waveform ? partsOf(file.waveform) : LEVEL
  const toggle = () => (playing ? element.current?.pause() : url === undefined ? setWanted(true) : play())
  const seek = (seconds: number) => {
    setAt(seconds)
    const audio = element.current
    if (audio && audio.readyState > 0) audio.currentTime = seconds
    else resume(seconds)
  }
  const speed = `${rate.value.toLocaleString(spoken.locale)}×`
  if (element.current) element.current.playbackRate = rate.value
  return (
    <figure class={`player audio ${isMessage ? 'voice-message' : ''}`} aria-label={name}>
      {isMessage ? null : (
        <figcaption>
          <bdi>{name}</bdi>
          <small>{sizeOf(file.size)}</small>
        </figcaption>
      )}
      <div class="sound">
        <IconButton
          icon={playing ? 'pause' : 'play'}
          size={20}
          class="play"
          label={playing ? soundWords.pause(name) : soundWords.play(name)}
          onClick={toggle}
        />
        <Track levels={levels} name={name} at={at} lengthS={lengthS} onSeek={seek} />
        <span class="clock">{clockText(playing || at > 0 ? at : lengthS)}</span>
        <button
          type="button"
          class="bare rate"
          aria-label={soundWords.rate(speed)}
          title={soundWords.rate(speed)}
          onClick={changeRate}
        >
          {speed}
        </button>
        <IconButton
          icon="download"
          size={18}
          label={words.files.downloadOne(name)}
          onClick={() => void download(file.id, nameOfFile(file))}
        />
      </div>
      <audio
        ref={element}
        src={url}
        preload={file.duration_ms ? 'none' : 'metadata'}
        onError={onError}
        onLoadedMetadata={({ currentTarget }) => {
          const { duration } = currentTarget
          if (Number.isFinite(duration)) setFound(duration)
          currentTarget.playbackRate = rate.value
          resume()
        }}
        onPlay={() => {
          pauseOthers(element.current)
          setPlaying(true)
        }}
        onPause={() => setPlaying(false)}
        onTimeUpdate={({ currentTarget }) => setAt(currentTarget.currentTime)}
        onEnded={() => setAt(0)}
      />
    </figure>
  )
}

interface TrackProps {
  levels: number[]
  name: string
  /** Position and duration, s; 0 while unknown. */
  at: number
  lengthS: number
  onSeek: (seconds: number) => void
}

/** The waveform, up to where the sound has been played, and a slider over it. */
const Track = ({ levels, name, at, lengthS, onSeek }: TrackProps) => {
  const percent = lengthS > 0 ? Math.min(100, (100 * at) / lengthS) : 0
  return (
    <div class="track" dir="ltr">
      <Waveform levels={levels} />
      <div class="played" style={{ clipPath: `inset(0 ${100 - percent}% 0 0)` }}>
        <Waveform levels={levels} />
      </div>
      <input
        type="range"
        min={0}
        max={lengthS || 1}
        step={(lengthS || 1) / STEPS}
        value={at}
        disabled={lengthS === 0}
        aria-label={soundWords.position(name)}
        aria-valuetext={soundWords.of({ now: clockText(at), all: clockText(lengthS) })}
        onInput={(event) => onSeek(Number(event.currentTarget.value))}
      />
    </div>
  )
}
