import { connect } from 'node:net'
import { localAddresses } from './addresses.ts'

const CONNECT_MS_MAX = 2_500

/** True if the SFU's TCP port is reachable. Its UDP port only answers members of a room, so it cannot be probed. */
export function reachesSfu(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect({ host, port, timeout: CONNECT_MS_MAX })
  socket.once('connect', () => resolve(true))
  for (const event of ['error', 'timeout'] as const) socket.once(event, () => resolve(false))
  return promise.finally(() => socket.destroy())
}

/** An address where the SFU listens on this machine: not loopback, if there is another one. */
export const ownSfuHost = async (): Promise<string> => {
  const locals = await localAddresses()
  return (locals.find(({ internal }) => !internal) ?? locals[0])?.address ?? 'localhost'
}
