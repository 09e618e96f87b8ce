import { chime, type Note } from '../sound/chime.ts'

const NOTES: Note[] = [
  [659.3, 0],
  [784, 0.22],
  [987.8, 0.44],
]
const NOTE_SECONDS = 0.4
const PERIOD_MS = 2_500
const GAIN = 0.12

/** The ringtone, synthesised by the browser. Only one of several open pages plays it. */
export class Ringtone {
  /** Ends this page's turn to play, and its notes. */
  #turn: AbortController | undefined

  start(): void {
    if (this.#turn) return
    const { signal } = (this.#turn = new AbortController())
    const play = async () => {
      if (signal.aborted) return
      const ring = () => void chime(NOTES, NOTE_SECONDS, GAIN, signal)
      ring()
      const timer = setInterval(ring, PERIOD_MS)
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      clearInterval(timer)
    }
    // Without a secure context there are no locks.
    void (navigator.locks?.request('parley.ringtone', play) ?? play())
  }

  stop(): void {
    this.#turn?.abort()
    this.#turn = undefined
  }
}
