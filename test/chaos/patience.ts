/** Something that still moves may take this multiple of the time for something that stands still. */
const MOVING_TIMES = 4
const LOOK_MS = 100

/**
 * Waits for a condition. A slow machine is no fault: the time counts from the last movement.
 * @param ms limit without movement
 * @param progress a value that differs after every movement
 * @returns the condition was met
 */
export async function settles(
  holds: () => boolean | Promise<boolean>,
  ms: number,
  progress: () => number = () => 0,
): Promise<boolean> {
  const end = Date.now() + MOVING_TIMES * ms
  let [movedAt, last] = [Date.now(), progress()]
  while (!(await holds())) {
    const now = Date.now()
    const value = progress()
    if (value !== last) [movedAt, last] = [now, value]
    if (now > Math.min(end, movedAt + ms)) return false
    await Bun.sleep(LOOK_MS)
  }
  return true
}
