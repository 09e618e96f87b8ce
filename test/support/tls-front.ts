import { mkdtempSync, readFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type TLSSocket } from 'node:tls'
import { selfSigned } from './turn-client.ts'

/** TLS in front of a server, for libraries that speak nothing else. */
export interface TlsFront {
  /** The number of its port on `localhost`. */
  port: number
  /** The port of the server behind it. */
  behind: number
  close(): void
}

/** @param behind the port of the server; 0 while it has none */
export async function tlsFront(behind = 0): Promise<TlsFront> {
  const paths = selfSigned(mkdtempSync(join(tmpdir(), 'tls-')), 'localhost')
  const certificate = { cert: readFileSync(paths.TURN_TLS_CERT), key: readFileSync(paths.TURN_TLS_KEY) }
  const clients = new Set<TLSSocket>()
  const tls = createServer(certificate, (client) => {
    clients.add(client)
    const upstream = connect(result.behind, '127.0.0.1')
    for (const socket of [client, upstream])
      socket.on('error', () => {
        client.destroy()
        upstream.destroy()
      })
    client.on('close', () => {
      clients.delete(client)
      upstream.destroy()
    })
    upstream.on('close', () => client.destroy())
    client.pipe(upstream).pipe(client)
  })
  await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve))
  const result: TlsFront = {
    port: (tls.address() as AddressInfo).port,
    behind,
    close: () => {
      tls.close()
      for (const client of clients) client.destroy()
    },
  }
  return result
}
