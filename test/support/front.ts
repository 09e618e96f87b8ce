import { connect, createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

/** A proxy in front of a server: it stays while the server restarts, and its network can be cut. */
export interface Front {
  url: string
  /** The port of the server behind it. */
  port: number
  /** Ends all connections, as a network does that fails. */
  cut(): void
  /** Ends all connections by RST. */
  reset(): void
  /** Keeps all connections open, and carries nothing more on them. New connections work. */
  hush(): void
  close(): void
}

/** @param altered changes what the server sends, in chunks */
export async function front(port: number, altered?: (chunk: Buffer) => Buffer): Promise<Front> {
  const clients = new Set<Socket>()
  const silent = new WeakSet<Socket>()
  const server = createServer((client) => {
    clients.add(client)
    const upstream = connect(proxy.port, '127.0.0.1')
    client.on('error', () => {})
    client.on('close', () => {
      clients.delete(client)
      upstream.destroy()
    })
    upstream.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'))
    upstream.on('close', () => void (silent.has(client) || client.end()))
    client.on('data', (chunk: Buffer) => void (silent.has(client) || upstream.write(chunk)))
    upstream.on('data', (chunk: Buffer) => void (silent.has(client) || client.write(altered ? altered(chunk) : chunk)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy: Front = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    port,
    cut: () => clients.forEach((client) => client.destroy()),
    reset: () => clients.forEach((client) => client.resetAndDestroy()),
    hush: () => clients.forEach((client) => silent.add(client)),
    close: () => {
      server.close()
      clients.forEach((client) => client.destroy())
    },
  }
  return proxy
}
