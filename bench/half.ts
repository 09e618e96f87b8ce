import { availableParallelism } from 'node:os'
import { compile, lines } from './load.ts'
import { end, track } from './processes.ts'
import { median } from './report.ts'

/** Work of a few milliseconds, and how often it is timed. */
const STEPS = 4_000_000
const TIMES = 25

/**
 * Makes the machine half as fast, for the server, PostgreSQL, the references and the load alike (BENCH_HALF=1): a
 * real-time thread takes every other half of a millisecond of each processor. Ends with this process.
 * @returns how many times slower work has become
 * @throws Error without a C compiler, or without the right to real-time priority
 */
export async function halveMachine(): Promise<number> {
  const before = workMs()
  const { program, remove } = compile('half.c', 'pthread')
  const child = track(Bun.spawn([program, `${availableParallelism()}`], { stdio: ['pipe', 'pipe', 'inherit'] }))
  const { value } = await lines(child.stdout).next()
  remove()
  const slower = workMs() / before
  if (value === 'ready' && slower > 1.5) return slower
  await end(child)
  throw new Error(`The machine did not become slower (${slower.toFixed(2)} ×): BENCH_HALF needs real-time priority`)
}

function workMs(): number {
  const ms = Array.from({ length: TIMES }, () => {
    const started = performance.now()
    let sum = 0
    for (let step = 0; step < STEPS; step++) sum = (sum * 31 + step) | 0
    // The result is used, so that the loop is not left out.
    return performance.now() - started + (sum === 1.5 ? 1 : 0)
  })
  return median(ms)
}
