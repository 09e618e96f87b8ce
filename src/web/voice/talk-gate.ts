import { effect } from '@preact/signals'
import type { VoiceCall } from './call.ts'
import { isWriting } from './call-keys.ts'
import { listenInWindows } from './floating.ts'
import { LevelMeter } from './level-meter.ts'
import { talkSettings } from './talk-settings.ts'

// Loaded together.
export { VoiceCall } from './call.ts'

const PERIOD_MS = 30
/** How long the microphone stays open after the last sound: words end quietly. */
const HOLD_MS = 400

/** Opens and closes the microphone of a call, by the voice or by a key, as the person has set. */
export class TalkGate {
  readonly #end: () => void
  #stopMode = () => {}

  constructor(private readonly call: Pick<VoiceCall, 'gate' | 'microphone'>) {
    this.#end = effect(() => {
      const { mode, key } = talkSettings.value
      this.#stopMode()
      call.gate(mode === 'open')
      this.#stopMode = mode === 'push' ? this.#listenToKey(key) : mode === 'voice' ? this.#listenToVoice() : () => {}
    })
  }

  stop(): void {
    this.#end()
    this.#stopMode()
  }

  #listenToKey(key: string): () => void {
    const held = (event: KeyboardEvent) => {
      if (event.code !== key || isWriting(event)) return
      event.preventDefault()
      this.call.gate(true)
    }
    const released = (event: KeyboardEvent) => event.code === key && this.call.gate(false)
    // The page does not hear of a key that is released elsewhere.
    const left = () => this.call.gate(false)
    return listenInWindows((to) => {
      to.addEventListener('keydown', held)
      to.addEventListener('keyup', released)
      to.addEventListener('blur', left)
      return () => {
        to.removeEventListener('keydown', held)
        to.removeEventListener('keyup', released)
        to.removeEventListener('blur', left)
        // A window that is gone tells of no key.
        left()
      }
    })
  }

  #listenToVoice(): () => void {
    let meter: LevelMeter | undefined
    let track: MediaStreamTrack | undefined
    let heard = 0
    const timer = setInterval(() => {
      if (track !== this.call.microphone) {
        // Another microphone was chosen.
        meter?.stop()
        track = this.call.microphone
        meter = track && new LevelMeter(track)
      }
      const now = performance.now()
      if ((meter?.read() ?? 0) >= talkSettings.peek().threshold) heard = now
      this.call.gate(heard > 0 && now - heard < HOLD_MS)
    }, PERIOD_MS)
    return () => {
      clearInterval(timer)
      meter?.stop()
    }
  }
}

/** Whether the person wants to join calls muted. */
export const joinsMuted = (): boolean => talkSettings.peek().muted
