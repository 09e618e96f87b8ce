import { isOpen, type Socket } from './socket.ts'

/** With more than this in the outbound buffer, the next frame waits. */
const PACE_BYTES = 128 * 1024
const DRAIN_SECONDS_MAX = 60

/** Whether the next frame should wait. */
export const isClogged = (socket: Socket | undefined): boolean => (socket?.getBufferedAmount() ?? 0) > PACE_BYTES

/**
 * Sends frames as fast as the client reads, for what is longer than the outbound buffer.
 * @param textOf called right before each item is sent; undefined leaves the item out
 */
export async function sendPaced<T>(socket: Socket, items: Iterable<T>, textOf: (item: T) => string | undefined) {
  for (const item of items) {
    if (!isOpen(socket)) return
    if (isClogged(socket)) await waitForDrain(socket)
    const text = textOf(item)
    if (text !== undefined && isOpen(socket)) socket.send(text)
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
