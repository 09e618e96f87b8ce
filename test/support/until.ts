/**
 * How long a test waits for what should come at once, ms. Only a fault takes so long: a machine that is slow, or stands
 * still for some seconds, is none.
 */
export const HANG_MS = 60_000
const [PAUSE_MS_MIN, PAUSE_MS_MAX] = [5, 40]

/**
 * Waits until a condition holds that no event announces. Unaffected by a clock that a test has set.
 * @throws Error when the condition has not held within this many milliseconds
 */
export async function until(condition: () => boolean | Promise<boolean>, ms = HANG_MS): Promise<void> {
  const deadline = performance.now() + ms
  for (let pause = PAUSE_MS_MIN; !(await condition()); pause = Math.min(pause * 1.5, PAUSE_MS_MAX)) {
    if (performance.now() > deadline) throw new Error(`The condition did not hold within ${ms} ms`)
    await Bun.sleep(pause)
  }
}
