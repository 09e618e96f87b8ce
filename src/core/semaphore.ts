/** Lets so many run at once; the others wait in line. */
export function openGate(at_once: number, queued_max: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return {
    /** Whether one more would have to be turned away. */
    isFull: () => running >= at_once && waiting.length >= queued_max,
    async pass<T>(work: () => Promise<T>): Promise<T> {
      if (running >= at_once) await new Promise<void>((resolve) => waiting.push(resolve))
      else running++
      try {
        return await work()
      } finally {
        // The place goes to the next in line; only with nobody waiting does it become free.
        const next = waiting.shift()
        if (next) next()
        else running--
      }
    },
  }
}
