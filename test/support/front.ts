import { connect, createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

/** A proxy in front of a server: it stays while the server restarts, and its network can be cut. */
export interface Front {
  url: string
  /** The port of the server behind it. */
  port: number
  /** Ends all connections, as a network does that fails. */
  cut(): void
  close(): void
}

export async function front(port: number): Promise<Front> {
  const clients = new Set<Socket>()
  const server = createServer((client) => {
    clients.add(client)
    const upstream = connect(proxy.port, '127.0.0.1')
    client.on('error', () => {})
    client.on('close', () => {
      clients.delete(client)
      upstream.destroy()
    })
    upstream.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'))
    upstream.on('close', () => client.end())
    client.pipe(upstream)
    upstream.pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy: Front = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    port,
    cut: () => clients.forEach((client) => client.destroy()),
    close: () => {
      server.close()
      clients.forEach((client) => client.destroy())
    },
  }
  return proxy
}
