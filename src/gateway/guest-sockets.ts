import type { ServerWebSocket, WebSocketHandler } from 'bun'
import type { AnyData, Guest, SocketData } from './socket.ts'

/** The handlers of the gateway's own sockets, and of guests, which handle their sockets themselves. */
export function withGuests(own: WebSocketHandler<SocketData>): WebSocketHandler<AnyData> {
  const guestOf = ({ data }: ServerWebSocket<AnyData>): Guest['guest'] | undefined =>
    'guest' in data ? data.guest : undefined
  // A socket that is no guest has the gateway's data.
  const ownSocket = (socket: ServerWebSocket<AnyData>) => socket as unknown as ServerWebSocket<SocketData>
  return {
    ...own,
    open: (socket) => {
      const guest = guestOf(socket)
      return guest ? guest.open(socket) : own.open?.(ownSocket(socket))
    },
    close: (socket, code, reason) => {
      const guest = guestOf(socket)
      return guest ? guest.ended(code) : own.close?.(ownSocket(socket), code, reason)
    },
    drain: (socket) => {
      const guest = guestOf(socket)
      return guest ? guest.drained() : own.drain?.(ownSocket(socket))
    },
    ping: (socket, data) => {
      const guest = guestOf(socket)
      return guest ? guest.control('ping') : own.ping?.(ownSocket(socket), data)
    },
    pong: (socket, data) => {
      const guest = guestOf(socket)
      return guest ? guest.control('pong') : own.pong?.(ownSocket(socket), data)
    },
    message: (socket, message) => {
      const guest = guestOf(socket)
      return guest ? guest.message(message) : own.message?.(ownSocket(socket), message)
    },
  }
}
