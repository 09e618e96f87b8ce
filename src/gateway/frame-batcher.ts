import type { Frame } from '../core/events.ts'

/** Frames wait so long at most. */
const HOLD_MS_MAX = 2

/**
 * Frames on their way to the sockets. Those that leave together cost one write a socket, however many they are; so
 * while sends are under way, theirs are waited for.
 * @param underway how many are
 */
export function openOutbox(publish: (frame: Frame) => void, underway: () => number) {
  const waiting: Frame[] = []
  let since = 0

  const flush = () => {
    for (const frame of waiting.splice(0)) publish(frame)
  }
  const consider = () => {
    if (waiting.length > 0 && underway() > 0 && performance.now() - since < HOLD_MS_MAX) setTimeout(consider, 1)
    else flush()
  }

  return {
    put(frame: Frame) {
      if (waiting.push(frame) > 1) return
      since = performance.now()
      // After the statements of the requests that have just come in, so that the database works meanwhile.
      setImmediate(consider)
    },
    /** Sends what waits, now: before anything changes who receives it. */
    flush,
  }
}
