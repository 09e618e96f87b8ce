import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { asPointer, EPOLL_DATA_AT, EPOLL_EVENT_BYTES, epollAdd, libc, NativeMemory } from './libc.ts'

const EVENTS = 256
const TICK_MS = 1000

/**
 * The epoll descriptor of Bun's event loop on this thread. Our epoll watches that epoll, so that one wait covers Bun's
 * sockets and messages and our own sockets.
 * @throws Error when /proc does not show it
 */
async function findBunEpoll(): Promise<number> {
  const probe = (await Bun.udpSocket({ hostname: '127.0.0.1' })) as Bun.udp.Socket<'buffer'> & { fd: number }
  try {
    for (const name of readdirSync('/proc/self/fd')) {
      if (linkOf(name) !== 'anon_inode:[eventpoll]') continue
      const watchLine = new RegExp(`^tfd:\\s+${probe.fd}\\s`, 'm')
      if (watchLine.test(readFileSync(`/proc/self/fdinfo/${name}`, 'utf8'))) return Number(name)
    }
    throw new Error("Bun's event loop was not found")
  } finally {
    probe.close()
  }
}

/** The target of a descriptor; empty when another thread has closed it meanwhile. */
function linkOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    return ''
  }
}

/** An event loop for UDP sockets. */
export interface EventLoop {
  add(fd: number, ready: () => void): void
  remove(fd: number): void
  /** Runs until `stopped` returns true. Bun's timers run at ticks only. */
  run(isStopped: () => boolean): Promise<void>
  /** Once, after the end of a run or without one. */
  close(): void
}

interface EventLoopHandlers {
  /** Called after each wait, before the events are handled. */
  updateClock(): void
  /** Called with an error that a handler threw, so that one packet does not end everyone's calls. */
  fault(error: unknown): void
  /** Called after all events of one wait have been handled. */
  afterEvents(): void
  /** Called about once a second. */
  tick(): void
}

/**
 * Opens an event loop that runs on this thread in place of Bun's. Bun's loop runs when it has events, and at each tick.
 * @throws Error on a system without epoll or /proc
 */
export async function openEventLoop(handlers: EventLoopHandlers): Promise<EventLoop> {
  const c = libc()
  const bun = await findBunEpoll()
  const epoll = c.epoll_create1(0)
  epollAdd(epoll, bun)
  const events = new NativeMemory(EVENTS * EPOLL_EVENT_BYTES)
  const ready: ((() => void) | undefined)[] = []

  const guard = (step: (() => void) | undefined) => {
    try {
      step?.()
    } catch (error) {
      handlers.fault(error)
    }
  }

  /** @returns whether Bun's loop has events */
  const wait = (ms: number): boolean => {
    const count = c.epoll_wait(epoll, asPointer(events.at), EVENTS, ms)
    handlers.updateClock()
    let isBunReady = false
    for (let event = 0; event < count; event++) {
      const fd = events.words[(event * EPOLL_EVENT_BYTES + EPOLL_DATA_AT) / 4] ?? -1
      if (fd === bun) isBunReady = true
      else guard(ready[fd])
    }
    handlers.afterEvents()
    return isBunReady
  }

  return {
    add(fd, handler) {
      ready[fd] = handler
      epollAdd(epoll, fd)
    },
    // Closing the descriptor removes it from the epoll.
    remove: (fd) => void (ready[fd] = undefined),
    async run(isStopped) {
      let nextTickMs = performance.now() + TICK_MS
      while (!isStopped()) {
        let yields = wait(Math.max(0, Math.ceil(nextTickMs - performance.now())))
        if (performance.now() >= nextTickMs) {
          guard(handlers.tick)
          nextTickMs = performance.now() + TICK_MS
          yields = true
        }
        if (yields) await new Promise((resolve) => setImmediate(resolve))
      }
    },
    close: () => void c.close(epoll),
  }
}
