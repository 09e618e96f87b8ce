import type { Socket } from 'bun'

export interface Target {
  hostname: string
  port: number
}

export const targetOf = (url: string): Target => {
  const { hostname, port } = new URL(url)
  return { hostname, port: Number(port) }
}

/**
 * A keep-alive connection, one request in flight, cheaper than fetch, so that the load takes little processor time.
 */
export interface HttpConnection {
  /** Sends a whole request; resolves with the status when the whole response has arrived. */
  send(request: string): Promise<number>
  close(): void
}

interface ResponseState {
  head: Buffer
  missing: number
  status: number
  answered: ((status: number) => void) | undefined
  failed: ((error: Error) => void) | undefined
}

/** Opens a connection to a server. */
export async function openConnection(target: Target): Promise<HttpConnection> {
  const state: ResponseState = { head: Buffer.alloc(0), missing: 0, status: 0, answered: undefined, failed: undefined }
  const socket: Socket = await Bun.connect({
    ...target,
    socket: {
      data: (_socket, chunk) => receive(state, chunk),
      close: () => state.failed?.(new Error('The server closed the connection')),
      error: (_socket, error) => state.failed?.(error),
    },
  })
  socket.setNoDelay(true)
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        state.answered = resolve
        state.failed = reject
        socket.write(request)
      }),
    close: () => socket.end(),
  }
}

function receive(state: ResponseState, chunk: Buffer): void {
  if (state.missing > 0) {
    state.missing -= chunk.length
  } else {
    state.head = state.head.length > 0 ? Buffer.concat([state.head, chunk]) : chunk
    const end = state.head.indexOf('\r\n\r\n')
    if (end === -1) return
    const head = state.head.toString('latin1', 0, end)
    state.status = Number(head.slice(9, 12))
    const [, length = '0'] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? []
    state.missing = Number(length) - (state.head.length - end - 4)
    state.head = Buffer.alloc(0)
  }
  if (state.missing <= 0) state.answered?.(state.status)
}

/** The text of a request with a token. */
export function requestText(method: string, path: string, token: string, body?: string): string {
  const length =
    body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
  return `${method} ${path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\n${length}\r\n${body ?? ''}`
}

/**
 * Sends requests over several connections, one in flight on each, until the time is over or `next` has none.
 * @param next the text of a request, by the number of its connection and its own number on that connection
 * @returns successful requests per second, other responses by status, and the ms of each successful request
 */
export async function sendInParallel(
  target: Target,
  connections: number,
  seconds: number,
  next: (connection: number, n: number) => string | undefined,
) {
  const opened = await Promise.all(Array.from({ length: connections }, () => openConnection(target)))
  const refused: Record<string, number> = {}
  const ms: number[] = []
  const started = performance.now()
  const until = started + seconds * 1000
  const loop = async (connection: HttpConnection, at: number) => {
    for (let n = 0; ; n++) {
      const askedAt = performance.now()
      const request = askedAt < until ? next(at, n) : undefined
      if (request === undefined) return
      const status = await connection.send(request)
      if (status < 300) ms.push(performance.now() - askedAt)
      else refused[status] = (refused[status] ?? 0) + 1
    }
  }
  await Promise.all(opened.map(loop))
  const tookS = (performance.now() - started) / 1000
  for (const connection of opened) connection.close()
  return { per_s: ms.length / tookS, refused, ms }
}
