import { isRunning } from '../voice/audio-context.ts'

/** Events of a person on the page, in which browsers allow sound. */
const GESTURES = ['click', 'keydown'] as const
/** Time after the last chime until the context rests, ms: a running one costs a phone its battery. */
const REST_MS = 3_000

/** A note: its pitch in Hz, and when it begins, in seconds. */
export type Note = readonly [pitch: number, at: number]

let context: AudioContext | undefined
let resting: ReturnType<typeof setTimeout> | undefined

/** Wakes the one context of all chimes. @returns undefined if the browser keeps it silent */
async function wake(): Promise<AudioContext | undefined> {
  const one = (context ??= new AudioContext())
  clearTimeout(resting)
  // It is pending until a click where the browser demands one, and rejects during a phone call.
  one.resume().catch(() => {})
  const isAwake = await isRunning(one)
  clearTimeout(resting)
  resting = setTimeout(() => void one.suspend(), REST_MS)
  return isAwake ? one : undefined
}

/**
 * Lets later chimes sound by themselves. Safari runs only contexts that began in a click or a key press, and lets these
 * rest and go on at any time; other browsers demand one click on the page.
 */
export function allowChimes(page: EventTarget = document): void {
  const begin = () => {
    for (const gesture of GESTURES) page.removeEventListener(gesture, begin, true)
    void wake()
  }
  for (const gesture of GESTURES) page.addEventListener(gesture, begin, true)
}

/**
 * Plays notes, unless the browser keeps the page silent: they do not sound later.
 * @param seconds the length of each
 * @param signal ends them
 */
export async function chime(
  notes: readonly Note[],
  seconds: number,
  gain: number,
  signal?: AbortSignal,
): Promise<void> {
  const one = await wake()
  if (!one || signal?.aborted) return
  for (const [pitch, at] of notes) {
    const from = one.currentTime + at
    const [oscillator, volume] = [one.createOscillator(), one.createGain()]
    oscillator.frequency.value = pitch
    volume.gain.setValueAtTime(0, from)
    volume.gain.linearRampToValueAtTime(gain, from + 0.01)
    volume.gain.exponentialRampToValueAtTime(0.001, from + seconds)
    oscillator.connect(volume).connect(one.destination)
    oscillator.start(from)
    oscillator.stop(from + seconds)
    signal?.addEventListener('abort', () => oscillator.stop())
  }
}
