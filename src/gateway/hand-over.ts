/** Longest time over which a process that stops closes its sockets. */
const SECONDS_MAX = 30
/** Sockets closed a second while there are few. */
const PER_SECOND_MIN = 50
const STEP_MS = 50

/**
 * The number of sockets to close so far, of all that are open when the process begins to stop.
 * @param elapsedMs time since then
 */
export function dueSockets(all: number, elapsedMs: number): number {
  const totalMs = Math.min(SECONDS_MAX, all / PER_SECOND_MIN) * 1000
  return totalMs === 0 ? all : Math.min(all, Math.floor((all * elapsedMs) / totalMs))
}

/**
 * Closes sockets over a time, so that their clients do not all resume on other processes in the same moment.
 * @param close called with the sockets that are due
 * @param signal closes the rest at once
 */
export async function closeOverTime<S>(sockets: S[], close: (due: S[]) => void, signal: AbortSignal): Promise<void> {
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  const startedAt = performance.now()
  for (let closed = 0; closed < sockets.length;) {
    if (!signal.aborted) await Promise.race([Bun.sleep(STEP_MS), aborted])
    const due = signal.aborted ? sockets.length : dueSockets(sockets.length, performance.now() - startedAt)
    if (due > closed) close(sockets.slice(closed, due))
    closed = due
  }
}
