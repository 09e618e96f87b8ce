/**
 * Runs the work and measures the longest time for which it kept the event loop of this process: CPU time between two
 * turns of the loop, so that other processes on a busy machine do not count.
 * @returns milliseconds
 */
async function longestStall(work: () => Promise<unknown>): Promise<number> {
  const read = () => {
    const { user, system } = process.cpuUsage()
    return { wall: performance.now(), cpu: (user + system) / 1000 }
  }
  let [longest, last] = [0, read()]
  const sample = () => {
    const now = read()
    longest = Math.max(longest, Math.min(now.wall - last.wall, now.cpu - last.cpu))
    last = now
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
