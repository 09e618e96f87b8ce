import type { ServerWebSocket, WebSocketHandler } from 'bun'
import type { AnyData, Foreign, SocketData } from './socket.ts'

/** The handlers of the gateway's own sockets, and of those with a foreign protocol, which another module handles. */
export function withForeign(own: WebSocketHandler<SocketData>): WebSocketHandler<AnyData> {
  const foreignOf = ({ data }: ServerWebSocket<AnyData>): Foreign['foreign'] | undefined =>
    'foreign' in data ? data.foreign : undefined
  // Every other socket has the gateway's data.
  const ownSocket = (socket: ServerWebSocket<AnyData>) => socket as unknown as ServerWebSocket<SocketData>
  return {
    ...own,
    open: (socket) => {
      const foreign = foreignOf(socket)
      return foreign ? foreign.open(socket) : own.open?.(ownSocket(socket))
    },
    close: (socket, code, reason) => {
      const foreign = foreignOf(socket)
      return foreign ? foreign.ended(code) : own.close?.(ownSocket(socket), code, reason)
    },
    drain: (socket) => {
      const foreign = foreignOf(socket)
      return foreign ? foreign.drained() : own.drain?.(ownSocket(socket))
    },
    ping: (socket, data) => {
      const foreign = foreignOf(socket)
      return foreign ? foreign.control('ping') : own.ping?.(ownSocket(socket), data)
    },
    pong: (socket, data) => {
      const foreign = foreignOf(socket)
      return foreign ? foreign.control('pong') : own.pong?.(ownSocket(socket), data)
    },
    message: (socket, message) => {
      const foreign = foreignOf(socket)
      return foreign ? foreign.message(message) : own.message?.(ownSocket(socket), message)
    },
  }
}
