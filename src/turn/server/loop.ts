import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { at, EPOLL_DATA_AT, EPOLL_EVENT_BYTES, libc, Memory, watch } from './libc.ts'

const EVENTS = 256
const TICK_MS = 1000

/**
 * The poll that Bun waits in on this thread, so that one wait can cover Bun's sockets and messages and our own
 * sockets: a poll can be watched by another one.
 * @throws Error when /proc does not tell
 */
async function pollOfBun(): Promise<number> {
  const probe = (await Bun.udpSocket({ hostname: '127.0.0.1' })) as Bun.udp.Socket<'buffer'> & { fd: number }
  try {
    for (const name of readdirSync('/proc/self/fd')) {
      if (linkOf(name) !== 'anon_inode:[eventpoll]') continue
      const watched = new RegExp(`^tfd:\\s+${probe.fd}\\s`, 'm')
      if (watched.test(readFileSync(`/proc/self/fdinfo/${name}`, 'utf8'))) return Number(name)
    }
    throw new Error("Bun's event loop was not found")
  } finally {
    probe.close()
  }
}

/** Descriptors of other threads come and go while they are listed. */
function linkOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    return ''
  }
}

/** Watches sockets by their descriptors and hands over those that have something. */
export interface Loop {
  add(fd: number, ready: () => void): void
  remove(fd: number): void
  /** Runs until `stopped` says so. Bun's timers have their turn at each tick only. */
  run(stopped: () => boolean): Promise<void>
}

interface LoopWork {
  /** Called before anything is handed over. */
  wake(): void
  /** Called with what was thrown while a packet was handed over: one packet must not end everyone's calls. */
  fault(error: unknown): void
  /** Called when all of one wait has been handed over. */
  settle(): void
  /** Called about once a second. */
  tick(): void
}

/**
 * The loop of this thread, in place of Bun's, which has its turn whenever it has something and at each tick.
 * @throws Error on a system without what it needs
 */
export async function openLoop(work: LoopWork): Promise<Loop> {
  const c = libc()
  const epoll = c.epoll_create1(0)
  const bun = await pollOfBun()
  watch(epoll, bun)
  const events = new Memory(EVENTS * EPOLL_EVENT_BYTES)
  const ready: ((() => void) | undefined)[] = []

  const guard = (step: (() => void) | undefined) => {
    try {
      step?.()
    } catch (error) {
      work.fault(error)
    }
  }

  /** @returns whether Bun has something to do */
  const wait = (ms: number): boolean => {
    const count = c.epoll_wait(epoll, at(events.at), EVENTS, ms)
    work.wake()
    let bunIsReady = false
    for (let event = 0; event < count; event++) {
      const fd = events.words[(event * EPOLL_EVENT_BYTES + EPOLL_DATA_AT) / 4] as number
      if (fd === bun) bunIsReady = true
      else guard(ready[fd])
    }
    work.settle()
    return bunIsReady
  }

  return {
    add(fd, handler) {
      ready[fd] = handler
      watch(epoll, fd)
    },
    // Closing the descriptor takes it out of the poll.
    remove: (fd) => void (ready[fd] = undefined),
    async run(stopped) {
      let next_tick_ms = performance.now() + TICK_MS
      while (!stopped()) {
        let yields = wait(Math.max(0, Math.ceil(next_tick_ms - performance.now())))
        if (performance.now() >= next_tick_ms) {
          guard(work.tick)
          next_tick_ms = performance.now() + TICK_MS
          yields = true
        }
        if (yields) await new Promise((resolve) => setImmediate(resolve))
      }
      c.close(epoll)
    },
  }
}
