import { computed, effect, signal } from '@preact/signals'
import type { VoiceCall } from './call.ts'
import { isWriting } from './call-keys.ts'
import { listenInWindows } from './floating.ts'
import { LevelMeter } from './level-meter.ts'
import { talkSettings } from './talk-settings.ts'
import { isComposingKey } from '../state/keyboard.ts'

// Loaded together.
export { VoiceCall } from './call.ts'
export { deviceStore, noteSealing, prepareSealing } from './device-store.ts'
export { openFrameWorker } from './sealing/open-worker.ts'

const FOLLOW_MS = 100
/** Time that the microphone stays open after the last sound, because words end quietly. */
const HOLD_MS = 400

/** True while the push-to-talk key or button is pressed. */
export const isKeyHeld = signal(false)

/** Opens and closes the microphone of a call by the person's setting: always, by voice activity or by push-to-talk. */
export class TalkGate {
  readonly #end: () => void
  #stopMode = () => {}

  constructor(private readonly call: Pick<VoiceCall, 'gate' | 'microphone'>) {
    // Computed, so that a change of another setting, such as the threshold, does not restart the mode.
    const [mode, key] = [computed(() => talkSettings.value.mode), computed(() => talkSettings.value.key)]
    this.#end = effect(() => {
      this.#stopMode()
      call.gate(mode.value === 'open')
      if (mode.value === 'push') this.#stopMode = this.#listenToHolding(key.value)
      else this.#stopMode = mode.value === 'voice' ? this.#listenToVoice() : () => {}
    })
  }

  stop(): void {
    this.#end()
    this.#stopMode()
  }

  #listenToHolding(key: string): () => void {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.code !== key || isComposingKey(event) || isWriting(event)) return
      event.preventDefault()
      isKeyHeld.value = true
    }
    const letGo = () => void (isKeyHeld.value = false)
    const onKeyUp = (event: KeyboardEvent) => event.code === key && letGo()
    const stopKeys = listenInWindows((to) => {
      to.addEventListener('keydown', onKeyDown)
      to.addEventListener('keyup', onKeyUp)
      // The page gets no keyup if another window has the focus.
      to.addEventListener('blur', letGo)
      return () => {
        to.removeEventListener('keydown', onKeyDown)
        to.removeEventListener('keyup', onKeyUp)
        to.removeEventListener('blur', letGo)
        // A closed window sends no keyup.
        letGo()
      }
    })
    const stopGate = effect(() => this.call.gate(isKeyHeld.value))
    return () => {
      stopGate()
      stopKeys()
    }
  }

  #listenToVoice(): () => void {
    let meter: LevelMeter | undefined
    let track: MediaStreamTrack | undefined
    let heardAt = -HOLD_MS
    const hear = (level: number) => {
      const now = performance.now()
      if (level >= talkSettings.peek().threshold) heardAt = now
      this.call.gate(now - heardAt < HOLD_MS)
    }
    const follow = () => {
      if (track === this.call.microphone) return
      meter?.stop()
      // Nothing is known of another microphone.
      this.call.gate(false)
      track = this.call.microphone
      const next = track && new LevelMeter(track)
      meter = next
      // Without a measurement the person is heard all the time rather than never.
      void next?.tell(hear).then((isMeasuring) => isMeasuring || meter !== next || this.call.gate(true))
    }
    follow()
    // Another microphone may be chosen.
    const timer = setInterval(follow, FOLLOW_MS)
    return () => {
      clearInterval(timer)
      meter?.stop()
      meter = undefined
    }
  }
}

/** True if the person joins calls muted. */
export const joinsMuted = (): boolean => talkSettings.peek().muted
