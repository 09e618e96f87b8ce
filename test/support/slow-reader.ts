import { createConnection } from 'node:net'
import { type Person, until } from './harness.ts'

/** Sends a request and reads only the first bytes of its answer, until `rest` is called. */
export async function slowly(who: Person, path: string) {
  const { hostname, port, host } = new URL(who.parley.url)
  const tcp = createConnection(Number(port), hostname)
  const chunks: Buffer[] = []
  let [total, over] = [0, false]
  tcp.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    total += chunk.length
    if (total === chunk.length) tcp.pause()
  })
  tcp.on('close', () => (over = true))
  tcp.on('error', () => (over = true))
  const lines = [`GET ${path} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${who.token}`, 'Connection: close']
  tcp.write(`${lines.join('\r\n')}\r\n\r\n`)
  await until(() => total > 0)
  return {
    /** The bytes read so far, without those that wait in the operating system. */
    bytes: () => total,
    leave: () => tcp.destroy(),
    /** Reads to the end, and returns the body. */
    async rest(): Promise<string> {
      tcp.resume()
      await until(() => over)
      return unchunked(Buffer.concat(chunks))
    },
  }
}

/** The body of a chunked answer. Source: RFC 9112 §7.1. */
function unchunked(answer: Buffer): string {
  const parts: Buffer[] = []
  let at = answer.indexOf('\r\n\r\n') + 4
  while (at < answer.length) {
    const end = answer.indexOf('\r\n', at)
    const size = Number.parseInt(answer.subarray(at, end).toString(), 16)
    if (!(size > 0)) break
    parts.push(answer.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
  return Buffer.concat(parts).toString()
}
