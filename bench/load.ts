import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Target } from './http-connections.ts'
import { end, track } from './processes.ts'

/** Compiles a C source of this folder. @throws Error without a C compiler, or without a library */
export function compile(file: string, ...libraries: string[]): { program: string; remove(): void } {
  const directory = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const program = join(directory, 'program')
  const built = Bun.spawnSync([
    'cc',
    '-O2',
    '-o',
    program,
    join(import.meta.dir, file),
    ...libraries.map((name) => `-l${name}`),
  ])
  if (built.exitCode !== 0) throw new Error(built.stderr.toString())
  return { program, remove: () => rmSync(directory, { recursive: true }) }
}

/** A POST of a message, and its target; several take turns. */
export interface Way {
  target: Target
  request: string
}

/** Channels with consecutive ids. */
export interface Channels {
  first: number
  count: number
}

export interface Rate {
  per_s: number
  refused: number
  p50_ms: number
  p99_ms: number
}

/** The program load.c: many sockets that count messages, and POSTs, for little processor time. */
export interface Load {
  pid: number
  /** Opens sockets. @param hasSynced the server sends `synced` at the end of a handshake */
  open(target: Target, paths: string[], hasSynced: boolean): Promise<void>
  /** Sends messages with at most `inFlight` concurrent POSTs, until every socket has received every message. */
  flood(ways: Way[], messages: number, inFlight: number): Promise<{ deliveries_per_s: number }>
  /** Sends messages at a steady rate. @returns milliseconds from each message's due time until its last delivery */
  paced(ways: Way[], messages: number, perS: number): Promise<{ ms: number[] }>
  /** Sends messages over one connection per token, one in flight on each, into the channels in turn. */
  posts(target: Target, tokens: string[], seconds: number, channels: Channels, hasNonce: boolean): Promise<Rate>
  stop(): Promise<void>
}

/** Builds and starts the load. Commands run one after another. @throws Error without a C compiler */
export function openLoad(): Load {
  const { program, remove } = compile('load.c')
  const child = track(Bun.spawn([program], { stdio: ['pipe', 'pipe', 'inherit'] }))
  const answers = lines(child.stdout)
  const ask = async (command: (string | number)[], more = '') => {
    void child.stdin.write(`${command.join(' ')}\n${more}`)
    await child.stdin.flush()
    const { value } = await answers.next()
    if (value === undefined) throw new Error(`load.c ended at ${command[0]}`)
    return JSON.parse(value)
  }
  const text = (all: string[]) => all.map((line) => `${line}\n`).join('')
  return {
    pid: child.pid,
    open: ({ port }, paths, hasSynced) => ask(['open', port, hasSynced ? 1 : 0, paths.length], text(paths)),
    flood: (ways, messages, inFlight) => ask(['flood', inFlight, messages, ways.length], textOf(ways)),
    paced: (ways, messages, perS) => ask(['paced', perS, messages, ways.length], textOf(ways)),
    posts: ({ port }, tokens, seconds, channels, hasNonce) =>
      ask(['posts', port, tokens.length, seconds, channels.first, channels.count, hasNonce ? 1 : 0], text(tokens)),
    async stop() {
      await end(child)
      remove()
    },
  }
}

const textOf = (ways: Way[]) =>
  ways.map(({ target, request }) => `${target.port} ${Buffer.byteLength(request)}\n${request}`).join('')

export async function* lines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const whole = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = whole.pop() ?? ''
    yield* whole
  }
  return undefined
}
