import { appendFileSync } from 'node:fs'

/** What an errand on behalf of the worker is given. */
export interface Errand {
  /** Hears of each step, in a few words. */
  report: (step: string) => void
  /** Ends it, with everything that it has started. */
  signal: AbortSignal
}

/**
 * After everything else: a child with a session of its own is in an autogroup of its own too, and among those the
 * niceness of the processes in them does not count (sched(7)).
 */
const GENTLY = ['sh', '-c', '{ echo 19 >/proc/self/autogroup; } 2>/dev/null; exec nice -n 19 "$@"', 'sh']

interface Command {
  command: string[]
  cwd?: string
  seconds_max: number
  signal: AbortSignal
  /** Path of the file that everything it says is appended to. */
  log: string
  onLine?: (line: string) => void
}

/**
 * Runs a program at the machine's leisure: whatever else the machine does comes first.
 * @throws Error in one sentence when the program fails, takes too long or is not wanted any more; nothing of it stays
 */
export async function run({ command, cwd, seconds_max, signal, log, onLine }: Command): Promise<void> {
  signal.throwIfAborted()
  appendFileSync(log, `\n$ ${command.join(' ')}\n`)
  const child = Bun.spawn([...GENTLY, ...command], {
    cwd,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    // A group of its own, so that a build's compilers end with it.
    detached: true,
  })
  let late = false
  const end = () => endGroup(child.pid)
  const timer = setTimeout(() => {
    late = true
    end()
  }, seconds_max * 1000)
  signal.addEventListener('abort', end)
  process.on('exit', end)
  try {
    await Promise.all([follow(child.stdout, log, onLine), follow(child.stderr, log)])
    const code = await child.exited
    signal.throwIfAborted()
    if (late) throw new Error(`${command[0]} took more than ${seconds_max} s; see ${log}`)
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
    // It has ended by itself.
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
