import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Upper bound for one command of a benchmark. */
const ANSWER_SECONDS_MAX = 180
const STOP_SECONDS_MAX = 15
/** Clock ticks of /proc/<pid>/stat. */
const TICKS_PER_SECOND = 100

/** The child processes that are running. */
const running = new Set<Bun.Subprocess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Registers a child process, which is killed when this process exits. */
export function track<T extends Bun.Subprocess>(child: T): T {
  running.add(child)
  void child.exited.then(() => running.delete(child))
  return child
}

/** Ends a process by a signal, and kills it when it does not end in time. */
export async function end(child: Bun.Subprocess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_SECONDS_MAX * 1000)
  await child.exited
  clearTimeout(timer)
}

/** Pins a process to one processor; its existing children do not move. @returns false without taskset */
export function pin(pid: number, processor: number): boolean {
  return (
    Bun.which('taskset') !== null && spawnSync('taskset', ['-a', '-c', '-p', `${processor}`, `${pid}`]).status === 0
  )
}

/** A program of this folder that runs in its own process and executes commands. */
export interface Child {
  pid: number
  ask<T>(command: string, detail?: unknown): Promise<T>
  stop(): Promise<void>
}

interface Answer {
  id: number
  value?: unknown
  error?: string
}

/** Starts a program of this folder. @param file its file name */
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
        const command = waiting.get(id)
        waiting.delete(id)
        if (error === undefined) command?.resolve(value)
        else command?.reject(new Error(`${file}: ${error}`))
      },
      onExit: (_child, code) => fail(`ended with code ${code}`),
    }),
  )
  let commands = 0
  return {
    pid: child.pid,
    async ask<T>(command: string, detail?: unknown) {
      const id = ++commands
      const promised = Promise.withResolvers<unknown>()
      waiting.set(id, promised)
      const timer = setTimeout(() => fail(`did not answer ${command}`), ANSWER_SECONDS_MAX * 1000)
      child.send({ id, command, detail })
      return (await promised.promise.finally(() => clearTimeout(timer))) as T
    },
    stop: () => end(child),
  }
}

/** In the child process: executes the commands of the parent, and exits with it. */
export function serveCommands(commands: Record<string, (detail: never) => unknown>): void {
  process.on('disconnect', () => process.exit(0))
  process.on('message', async ({ id, command, detail }: { id: number; command: string; detail: never }) => {
    try {
      process.send?.({ id, value: await commands[command]?.(detail) })
    } catch (error) {
      process.send?.({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  })
}

/** Resident memory of a process in bytes. Source: proc(5). */
export function residentBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

/** Processor time of a process so far, in microseconds. Source: proc(5). */
export function cpuMicroseconds(pid: number): number {
  const [, rest = ''] = /\) (.*)$/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8').trim()) ?? []
  const fields = rest.split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1e6) / TICKS_PER_SECOND
}

/**
 * Processor time of an embedded PostgreSQL so far, in microseconds: of its processes that run.
 * @param data directory of its server
 */
export function cpuOfPostgres(data: string): number {
  const postmaster = Number.parseInt(readFileSync(join(data, 'postgres/cluster/postmaster.pid'), 'utf8'), 10)
  const children = readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const [, parent] = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8')) ?? []
      return Number(parent) === postmaster ? [cpuMicroseconds(Number(name))] : []
    } catch {
      // The process has ended.
      return []
    }
  })
  return children.reduce((total, one) => total + one, 0)
}
