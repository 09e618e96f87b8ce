/** The pitches of a ring, in Hz, and when each begins, in seconds. */
const NOTES = [
  [659.3, 0],
  [784, 0.22],
  [987.8, 0.44],
] as const
const NOTE_SECONDS = 0.4
const PERIOD_MS = 2_500
const GAIN = 0.12

/** The ringtone, synthesised by the browser. Only one of several open pages plays it. */
export class Ringtone {
  #context: AudioContext | undefined
  #timer: ReturnType<typeof setInterval> | undefined
  /** Ends this page's turn to play. */
  #release: (() => void) | undefined

  start(): void {
    if (this.#release) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#release = resolve
    const play = async () => {
      this.#ring()
      this.#timer = setInterval(() => this.#ring(), PERIOD_MS)
      await promise
      clearInterval(this.#timer)
    }
    // Without a secure context there are no locks.
    void (navigator.locks?.request('parley.ringtone', () => this.#release === resolve && play()) ?? play())
  }

  stop(): void {
    this.#release?.()
    this.#release = undefined
    void this.#context?.close()
    this.#context = undefined
  }

  /** Browsers keep silent until somebody has clicked on the page. */
  #ring(): void {
    const context = (this.#context ??= new AudioContext())
    for (const [pitch, at] of NOTES) {
      const from = context.currentTime + at
      const [oscillator, gain] = [context.createOscillator(), context.createGain()]
      oscillator.frequency.value = pitch
      gain.gain.setValueAtTime(0, from)
      gain.gain.linearRampToValueAtTime(GAIN, from + 0.02)
      gain.gain.exponentialRampToValueAtTime(0.001, from + NOTE_SECONDS)
      oscillator.connect(gain).connect(context.destination)
      oscillator.start(from)
      oscillator.stop(from + NOTE_SECONDS)
    }
  }
}
