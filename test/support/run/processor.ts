import { cpus } from 'node:os'

/** How long the processor is watched, ms. */
const WATCH_MS = 3000
/** The part of its time that has to be left over for another test file. */
const IDLE_MIN = 0.3

interface Times {
  idle: number
  all: number
}

/** The part of the processor's time between two moments in which it had nothing to do. */
export const idleBetween = (before: Times, after: Times): number =>
  after.all > before.all ? (after.idle - before.idle) / (after.all - before.all) : 0

/** Processor time since the machine started, ms over all cores. */
function times(): Times {
  const cores = cpus().map((core) => core.times)
  const idle = cores.reduce((sum, core) => sum + core.idle, 0)
  return { idle, all: cores.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, idle) }
}

let last: Promise<void> = Promise.resolve()

/**
 * Waits until the processor has had time for another test file: one caller after the other, since each fills some.
 * @param isNeeded whether the caller still wants it
 */
export function idleProcessor(isNeeded: () => boolean): Promise<void> {
  const found = last.then(async () => {
    for (let [before, isIdle] = [times(), false]; isNeeded() && !isIdle;) {
      await Bun.sleep(WATCH_MS)
      const after = times()
      isIdle = idleBetween(before, after) >= IDLE_MIN
      before = after
    }
  })
  last = found
  return found
}
