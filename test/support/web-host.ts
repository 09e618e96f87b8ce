import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

/** Answers a request on its connection, however it likes. */
export type Answering = (socket: Socket, head: string) => void | Promise<void>

/** A web server on loopback that answers byte by byte what a test says, and notes what it was asked. */
export class WebHost {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #answers = new Map<string, Answering>()
  /** Heads of the requests, as they came. */
  readonly requests: string[] = []
  /** Bytes that were taken from this server. */
  sent = 0

  constructor(tls?: { key: string; cert: string }) {
    const serve = (socket: Socket) => {
      this.#sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        this.#sockets.delete(socket)
        this.sent += socket.bytesWritten
      })
      let head = ''
      socket.on('data', (data) => {
        head += data.toString('latin1')
        if (!head.endsWith('\r\n\r\n')) return
        this.requests.push(head)
        const [, path = ''] = head.split(' ')
        const answer = this.#answers.get(path) ?? ((to: Socket) => void to.end(response(404, {}, 'nothing')))
        void answer(socket, head)
      })
    }
    this.#server = tls ? createTlsServer(tls, serve) : createServer(serve)
    this.#server.on('tlsClientError', () => {})
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', () => resolve()))
    return this
  }

  get port(): number {
    const address = this.#server.address()
    return typeof address === 'object' && address ? address.port : 0
  }

  url = (path: string): string => `http://127.0.0.1:${this.port}${path}`

  /** Says what a path answers. @returns its URL */
  on(path: string, answer: Answering | string | Uint8Array): string {
    const answering = typeof answer === 'function' ? answer : (socket: Socket) => void socket.end(answer)
    this.#answers.set(path, answering)
    return this.url(path)
  }

  /** How often a path was asked for. */
  count = (path: string): number => this.requests.filter((head) => head.split(' ')[1] === path).length

  /** Connections that are open. */
  get open(): number {
    return this.#sockets.size
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
  }
}

/** An answer as bytes, with its length. */
export function response(status: number, headers: Record<string, string>, body: string | Uint8Array = ''): Uint8Array {
  const bytes = Buffer.from(body)
  const lines = Object.entries({ 'content-length': String(bytes.length), ...headers }).map(([n, v]) => `${n}: ${v}\r\n`)
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Said\r\n${lines.join('')}\r\n`, 'latin1'), bytes])
}

/** A page of HTML. */
export const page = (html: string | Uint8Array, headers: Record<string, string> = {}): Uint8Array =>
  response(200, { 'content-type': 'text/html', ...headers }, html)

/** Writes for as long as the other side takes it. */
export const endlessly =
  (head: string, part: string | Uint8Array): Answering =>
  (socket) => {
    const go = () => {
      while (!socket.destroyed && socket.write(part));
      if (!socket.destroyed) socket.once('drain', go)
    }
    socket.write(head)
    go()
  }

/** Writes a byte now and then, and never ends. */
export const dripping =
  (head: string, part: string, everyMs = 50): Answering =>
  async (socket) => {
    socket.write(head)
    while (!socket.destroyed) {
      socket.write(part)
      await Bun.sleep(everyMs)
    }
  }
