/**
 * Measures from now on: milliseconds for which this process has worked, so that other processes on a busy machine do
 * not count.
 */
export function ownTime(): () => number {
  const read = () => {
    const { user, system } = process.cpuUsage()
    return { wall: performance.now(), cpu: (user + system) / 1000 }
  }
  const began = read()
  return () => {
    const now = read()
    return Math.min(now.wall - began.wall, now.cpu - began.cpu)
  }
}

/**
 * Runs the work and measures the longest time for which it kept the event loop of this process, between two turns of
 * the loop.
 * @returns milliseconds
 */
async function longestStall(work: () => Promise<unknown>): Promise<number> {
  let [longest, since] = [0, ownTime()]
  const sample = () => {
    longest = Math.max(longest, since())
    since = ownTime()
  }
  const timer = setInterval(sample, 1)
  try {
    await work()
    sample()
  } finally {
    clearInterval(timer)
  }
  return longest
}

/** The shortest of up to five: the work costs the same each time; a garbage collection comes now and then. */
export async function stallOf(work: () => Promise<unknown>): Promise<number> {
  let shortest = Infinity
  for (let tries = 0; tries < 5 && shortest > 25; tries++) shortest = Math.min(shortest, await longestStall(work))
  return shortest
}
