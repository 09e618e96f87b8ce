import type { Packed } from './compression.ts'
import { isOpen, type Socket } from './socket.ts'

/** With more than this in the outbound buffer, the next frame waits. */
const PACE_BYTES = 128 * 1024
const DRAIN_SECONDS_MAX = 60

/** True if the next frame should wait. */
export const isClogged = (socket: Socket | undefined): boolean => (socket?.getBufferedAmount() ?? 0) > PACE_BYTES

/** Approximate size of one write. */
const WRITE_CHARACTERS = 64 * 1024

/**
 * Sends frames as fast as the client reads, for data larger than the outbound buffer.
 * @param frameOf called right before each item is sent; undefined skips the item
 */
export async function sendPaced<T>(socket: Socket, items: Iterable<T>, frameOf: (item: T) => Packed | undefined) {
  const remaining = items[Symbol.iterator]()
  const sendSome = (): boolean => {
    for (let characters = 0; characters < WRITE_CHARACTERS && isOpen(socket);) {
      const next = remaining.next()
      if (next.done) return false
      const frame = frameOf(next.value)
      if (frame === undefined) continue
      socket.send(frame)
      characters += frame.length
    }
    return isOpen(socket)
  }
  for (let more = isOpen(socket); more;) {
    if (isClogged(socket)) await waitForDrain(socket)
    if (!isOpen(socket)) return
    socket.cork(() => (more = sendSome()))
  }
}

/** Waits until the client has read enough; drops a client that does not. Several senders may wait at once. */
async function waitForDrain(socket: Socket): Promise<void> {
  const { data } = socket
  data.draining ??= Promise.withResolvers<void>()
  const timer = setTimeout(() => socket.terminate(), DRAIN_SECONDS_MAX * 1000)
  await data.draining.promise
  clearTimeout(timer)
}

/** Resumes waiting senders. Call when the outbound buffer has drained or the socket is closed. */
export function drained({ data }: Socket): void {
  data.draining?.resolve()
  data.draining = undefined
}
