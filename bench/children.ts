import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Longer than any single order of a benchmark takes. */
const ANSWER_SECONDS_MAX = 180
const STOP_SECONDS_MAX = 15

/** Everything that this run has started and not ended yet. */
const living = new Set<Bun.Subprocess>()
process.on('exit', () => {
  for (const child of living) child.kill('SIGKILL')
})

/** Notes a process, so that it does not outlive the run. */
export function track<T extends Bun.Subprocess>(child: T): T {
  living.add(child)
  void child.exited.then(() => living.delete(child))
  return child
}

/** Asks a process to end, then makes it. */
export async function end(child: Bun.Subprocess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_SECONDS_MAX * 1000)
  await child.exited
  clearTimeout(timer)
}

/** Binds a process to one processor, where that can be done; children that it has already keep theirs. */
export function pin(pid: number, processor: number): boolean {
  return (
    Bun.which('taskset') !== null && spawnSync('taskset', ['-a', '-c', '-p', `${processor}`, `${pid}`]).status === 0
  )
}

/** A program of this folder in a process of its own, which does what it is asked. */
export interface Child {
  pid: number
  ask<T>(order: string, detail?: unknown): Promise<T>
  stop(): Promise<void>
}

interface Answer {
  id: number
  value?: unknown
  error?: string
}

/** Starts a program of this folder. */
export function openChild(file: string): Child {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  const fail = (reason: string) => {
    for (const { reject } of waiting.values()) reject(new Error(`${file}: ${reason}`))
    waiting.clear()
  }
  const child = track(
    Bun.spawn([process.execPath, join(import.meta.dir, file)], {
      stdio: ['ignore', 'inherit', 'inherit'],
      ipc({ id, value, error }: Answer) {
        const order = waiting.get(id)
        waiting.delete(id)
        if (error === undefined) order?.resolve(value)
        else order?.reject(new Error(`${file}: ${error}`))
      },
      onExit: (_child, code) => fail(`ended with code ${code}`),
    }),
  )
  let orders = 0
  return {
    pid: child.pid,
    async ask<T>(order: string, detail?: unknown) {
      const id = ++orders
      const promised = Promise.withResolvers<unknown>()
      waiting.set(id, promised)
      const timer = setTimeout(() => fail(`did not answer ${order}`), ANSWER_SECONDS_MAX * 1000)
      child.send({ id, order, detail })
      return (await promised.promise.finally(() => clearTimeout(timer))) as T
    },
    stop: () => end(child),
  }
}

/** The other side: answers the orders of the process that started this one, and ends with it. */
export function obey(orders: Record<string, (detail: never) => unknown>): void {
  process.on('disconnect', () => process.exit(0))
  process.on('message', async ({ id, order, detail }: { id: number; order: string; detail: never }) => {
    try {
      process.send?.({ id, value: await orders[order]?.(detail) })
    } catch (error) {
      process.send?.({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  })
}
