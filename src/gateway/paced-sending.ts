import { isOpen, type Socket } from './socket.ts'

/** With more than this in the outbound buffer, the next frame waits. */
const PACE_BYTES = 128 * 1024
const DRAIN_SECONDS_MAX = 60

/** Whether the next frame should wait. */
export const isClogged = (socket: Socket | undefined): boolean => (socket?.getBufferedAmount() ?? 0) > PACE_BYTES

/** Frames that are written together, about. */
const WRITE_CHARACTERS = 64 * 1024

/**
 * Sends frames as fast as the client reads, for what is longer than the outbound buffer.
 * @param textOf called right before each item is sent; undefined leaves the item out
 */
export async function sendPaced<T>(socket: Socket, items: Iterable<T>, textOf: (item: T) => string | undefined) {
  const left = items[Symbol.iterator]()
  const sendSome = (): boolean => {
    for (let characters = 0; characters < WRITE_CHARACTERS && isOpen(socket);) {
      const next = left.next()
      if (next.done) return false
      const text = textOf(next.value)
      if (text === undefined) continue
      socket.send(text)
      characters += text.length
    }
    return isOpen(socket)
  }
  for (let more = isOpen(socket); more;) {
    if (isClogged(socket)) await waitForDrain(socket)
    if (!isOpen(socket)) return
    socket.cork(() => (more = sendSome()))
  }
}

/** Waits until the client has read on, and drops one that does not. Several senders may wait at once. */
async function waitForDrain(socket: Socket): Promise<void> {
  const { data } = socket
  data.draining ??= Promise.withResolvers<void>()
  const timer = setTimeout(() => socket.terminate(), DRAIN_SECONDS_MAX * 1000)
  await data.draining.promise
  clearTimeout(timer)
}

/** To be called when the outbound buffer has drained or the socket is closed: waiting senders continue. */
export function drained({ data }: Socket): void {
  data.draining?.resolve()
  data.draining = undefined
}
