import { computed, effect } from '@preact/signals'
import type { VoiceCall } from './call.ts'
import { isWriting } from './call-keys.ts'
import { listenInWindows } from './floating.ts'
import { LevelMeter } from './level-meter.ts'
import { talkSettings } from './talk-settings.ts'

// Loaded together.
export { VoiceCall } from './call.ts'

const FOLLOW_MS = 100
/** How long the microphone stays open after the last sound: words end quietly. */
const HOLD_MS = 400

/** Opens and closes the microphone of a call, by the voice or by a key, as the person has set. */
export class TalkGate {
  readonly #end: () => void
  #stopMode = () => {}

  constructor(private readonly call: Pick<VoiceCall, 'gate' | 'microphone'>) {
    // Other settings, as a threshold that is being moved, begin nothing anew.
    const [mode, key] = [computed(() => talkSettings.value.mode), computed(() => talkSettings.value.key)]
    this.#end = effect(() => {
      this.#stopMode()
      call.gate(mode.value === 'open')
      if (mode.value === 'push') this.#stopMode = this.#listenToKey(key.value)
      else this.#stopMode = mode.value === 'voice' ? this.#listenToVoice() : () => {}
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
    let heard = -HOLD_MS
    const hear = (level: number) => {
      const now = performance.now()
      if (level >= talkSettings.peek().threshold) heard = now
      this.call.gate(now - heard < HOLD_MS)
    }
    const follow = () => {
      if (track === this.call.microphone) return
      meter?.stop()
      // Nothing is known of another microphone.
      this.call.gate(false)
      track = this.call.microphone
      meter = track && new LevelMeter(track)
      void meter?.tell(hear)
    }
    follow()
    // Another microphone may be chosen.
    const timer = setInterval(follow, FOLLOW_MS)
    return () => {
      clearInterval(timer)
      meter?.stop()
    }
  }
}

/** Whether the person wants to join calls muted. */
export const joinsMuted = (): boolean => talkSettings.peek().muted
