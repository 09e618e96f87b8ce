const TICK_MS = 10
let [worked, last]: [worked: number, last: number | undefined] = [0, undefined]

function tick(): void {
  const now = performance.now()
  // A pause between two ticks that is longer is time in which this process did not run.
  worked += Math.min(now - (last ?? now), 2 * TICK_MS)
  last = now
}

/**
 * Measures for a claim that something takes at most some time. Time in which the machine had no processor for this
 * process does not count: on a busy machine a tenth of a second of work may take seconds. Neither does time for which
 * the code under test blocks this process; `stallOf` measures that.
 * @returns the time since, ms
 */
export function stopwatch(): () => number {
  if (last === undefined) setInterval(tick, TICK_MS).unref()
  tick()
  const began = worked
  return () => {
    tick()
    return worked - began
  }
}
