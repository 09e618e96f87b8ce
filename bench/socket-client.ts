import type { Socket } from 'bun'
import { ANSWER, type FrameListener, type FrameReader, kindOf, newFrameReader, readFrames } from './frames.ts'
import type { Target } from './http-connections.ts'

const SYNCED = kindOf('synced')

/** A WebSocket client over raw TCP that reads only the kind of each frame, so that one process holds thousands. */
export interface SocketClient {
  /** Resolves when the gateway has sent `synced`, the end of the handshake. */
  synced: Promise<void>
  write(frame: Uint8Array): void
  close(): void
}

export interface SocketListener {
  answer(client: SocketClient): void
  lost(why: string): void
}

/** Opens a socket; resolves when the server has accepted the upgrade. */
export async function openSocket(target: Target, path: string, listener: SocketListener): Promise<SocketClient> {
  const upgraded = Promise.withResolvers<void>()
  const synced = Promise.withResolvers<void>()
  let reader: FrameReader | undefined
  let isClosing = false
  const lost = (why: string) => {
    if (isClosing) return
    isClosing = true
    upgraded.reject(new Error(why))
    synced.reject(new Error(why))
    listener.lost(why)
  }
  synced.promise.catch(() => {})
  const socket: Socket = await Bun.connect({
    ...target,
    socket: {
      data(_socket, chunk) {
        if (reader) return readFrames(reader, chunk, frames)
        const end = chunk.indexOf('\r\n\r\n')
        if (!chunk.toString('latin1', 0, 12).endsWith(' 101') || end === -1) return lost(chunk.toString())
        reader = newFrameReader()
        upgraded.resolve()
        readFrames(reader, chunk.subarray(end + 4), frames)
      },
      close: () => lost('The connection was closed'),
    },
  })
  const client: SocketClient = {
    synced: synced.promise,
    write: (frame) => void socket.write(frame),
    close() {
      isClosing = true
      socket.end()
    },
  }
  const frames: FrameListener = {
    text(kind) {
      if (kind === ANSWER) listener.answer(client)
      else if (kind === SYNCED) synced.resolve()
    },
    pong: (frame) => void socket.write(frame),
    closed: () => lost('The server closed the socket'),
  }
  socket.setNoDelay(true)
  socket.write(
    `GET ${path} HTTP/1.1\r\nhost: bench\r\nupgrade: websocket\r\nconnection: upgrade\r\n` +
      'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  await upgraded.promise
  return client
}
