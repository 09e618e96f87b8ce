import { appendFileSync } from 'node:fs'

/** Callbacks of the code that obtains a worker. */
export interface Errand {
  /** Called with each step, in a few words. */
  report: (step: string) => void
  /** Cancels the work, and every process that it started. */
  signal: AbortSignal
}

/**
 * Runs a program at the lowest priority. A child with its own session has its own autogroup, and between autogroups
 * the niceness of processes does not count (sched(7)), so the autogroup is niced too.
 */
const LOWEST_PRIORITY = ['sh', '-c', '{ echo 19 >/proc/self/autogroup; } 2>/dev/null; exec nice -n 19 "$@"', 'sh']

interface Command {
  command: string[]
  cwd?: string
  secondsMax: number
  signal: AbortSignal
  /** Path of the file to which output is appended. */
  log: string
  onLine?: (line: string) => void
}

/**
 * Runs a program at the lowest priority.
 * @throws Error with one sentence if the program fails, takes too long or is aborted; its processes have then ended
 */
export async function run({ command, cwd, secondsMax, signal, log, onLine }: Command): Promise<void> {
  signal.throwIfAborted()
  appendFileSync(log, `\n$ ${command.join(' ')}\n`)
  const child = Bun.spawn([...LOWEST_PRIORITY, ...command], {
    cwd,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    // A separate process group, so that a build's compilers end with it.
    detached: true,
  })
  let isLate = false
  const end = () => endGroup(child.pid)
  const timer = setTimeout(() => {
    isLate = true
    end()
  }, secondsMax * 1000)
  signal.addEventListener('abort', end)
  process.on('exit', end)
  try {
    await Promise.all([follow(child.stdout, log, onLine), follow(child.stderr, log)])
    const code = await child.exited
    signal.throwIfAborted()
    if (isLate) throw new Error(`${command[0]} took more than ${secondsMax} s; see ${log}`)
    if (code !== 0) throw new Error(`${command[0]} failed with code ${code}; see ${log}`)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
    process.off('exit', end)
  }
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}

async function follow(stream: ReadableStream<Uint8Array>, log: string, onLine?: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const text = decoder.decode(chunk, { stream: true })
    appendFileSync(log, text)
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    if (onLine) for (const line of lines) onLine(line)
  }
}
