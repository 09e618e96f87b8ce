/** What still moves may take so many times as long as what stands still. */
const MOVING_TIMES = 4
const LOOK_MS = 100

/**
 * Waits until it holds. A slow machine is no fault: the time counts from when something last moved.
 * @param ms how long nothing may move
 * @param progress what is another value whenever something has moved
 * @returns whether it holds
 */
export async function settles(
  holds: () => boolean | Promise<boolean>,
  ms: number,
  progress: () => number = () => 0,
): Promise<boolean> {
  const end = Date.now() + MOVING_TIMES * ms
  let [moved_at, last] = [Date.now(), progress()]
  while (!(await holds())) {
    const now = Date.now()
    const value = progress()
    if (value !== last) [moved_at, last] = [now, value]
    if (now > Math.min(end, moved_at + ms)) return false
    await Bun.sleep(LOOK_MS)
  }
  return true
}
