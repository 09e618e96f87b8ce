/** Not a divisor of a second, so that a periodic sound is not missed every time. */
const LEVELS_MS = 70
const REPORT_MS = 500
/** TURN credentials are valid for 12 hours. */
const REFRESH_MS = 6 * 3_600_000

/** Starts what a call does again and again. @returns a function that ends it */
export function startTimers(readLevels: () => void, report: () => void, refresh: () => void): () => void {
  const timers = [setInterval(readLevels, LEVELS_MS), setInterval(report, REPORT_MS), setInterval(refresh, REFRESH_MS)]
  return () => timers.forEach(clearInterval)
}
