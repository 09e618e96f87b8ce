import { connect as connectPlainly, isIP, type Socket } from 'node:net'
import { connect as connectByTls } from 'node:tls'
import { VERSION } from '../../core/version.ts'
import type { Destination } from './destinations.ts'
import { FetchRefusal } from './fetch-refusal.ts'

const HEAD_BYTES_MAX = 32 * 1024
const HEADERS_MAX = 200
const HEADER_UNITS_MAX = 8 * 1024
/** Informational answers (RFC 9110 §15.2) before the final one. */
const INTERIM_MAX = 4
/** A line with the size of a chunk, its extensions included (RFC 9112 §7.1.1). */
const SIZE_LINE_BYTES_MAX = 256
const CONNECT_MS_MAX = 4_000
/** Addresses of a name to try. */
const ATTEMPTS_MAX = 3

export interface Answer {
  status: number
  /** By name in lower case. */
  headers: Map<string, string>
  /** The decoded body; can be read once. */
  body: AsyncGenerator<Buffer>
  /** Closes the connection. The owner of the answer must call this, however much was read. */
  close(): void
}

/** Additional trusted certificates for servers in tests, PEM. */
export interface Trust {
  ca?: string
}

/** The parts of a request that vary. */
interface RequestParts {
  method: 'GET' | 'POST'
  /** Values are not checked, so they must be the server's own. */
  headers: Record<string, string>
  body?: Buffer
}

/** A GET request by `exchange`. */
export const get = (url: URL, to: Destination, accept: string, trust: Trust, signal: AbortSignal): Promise<Answer> =>
  exchange(
    url,
    to,
    {
      method: 'GET',
      headers: { 'User-Agent': `Parley/${VERSION} (link preview)`, Accept: accept, 'Accept-Encoding': 'gzip, br' },
    },
    trust,
    signal,
  )

/**
 * Sends a request to a checked address, on its own connection, without cookies, credentials, referrer or proxy. Source:
 * RFC 9112.
 * @param signal ends everything, the body included
 * @throws FetchRefusal, and errors of the connection
 */
export async function exchange(
  url: URL,
  to: Destination,
  { method, headers, body }: RequestParts,
  trust: Trust,
  signal: AbortSignal,
): Promise<Answer> {
  const target = url.pathname + url.search
  if (!/^[!-~]+$/.test(target + url.host)) throw new FetchRefusal('url')
  const socket = await connect(url, to, trust, signal)
  const abort = () => void socket.destroy(new FetchRefusal('time'))
  signal.addEventListener('abort', abort, { once: true })
  const bytes = new ByteReader(socket)
  const close = () => {
    signal.removeEventListener('abort', abort)
    socket.destroy()
  }
  try {
    signal.throwIfAborted()
    const length = body ? { 'Content-Length': String(body.length) } : {}
    const lines = Object.entries({ Host: url.host, ...headers, ...length, Connection: 'close' })
    const head = `${method} ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
    socket.write(body ? Buffer.concat([Buffer.from(head, 'latin1'), body]) : head)
    const { status, headers: responseHeaders } = await readHead(bytes)
    return { status, headers: responseHeaders, body: bodyOf(bytes, responseHeaders), close }
  } catch (error) {
    close()
    throw error
  }
}

/** Connects to the first of the addresses that answers. */
async function connect(url: URL, to: Destination, trust: Trust, signal: AbortSignal): Promise<Socket> {
  let failure: unknown
  for (const address of to.addresses.slice(0, ATTEMPTS_MAX)) {
    signal.throwIfAborted()
    try {
      return await connectTo(address, url, to, trust, signal)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

function connectTo(address: string, url: URL, { host, port }: Destination, { ca }: Trust, signal: AbortSignal) {
  const isSecure = url.protocol === 'https:'
  return new Promise<Socket>((resolve, reject) => {
    const name = isIP(host) === 0 ? { servername: host } : {}
    const socket = isSecure
      ? connectByTls({ host: address, port, ...name, ca, rejectUnauthorized: true, ALPNProtocols: ['http/1.1'] })
      : connectPlainly({ host: address, port })
    const end = (error?: Error) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onTimeout)
      socket.off('close', onClose)
      if (!error) return resolve(socket)
      socket.destroy()
      reject(error)
    }
    const onTimeout = () => end(new FetchRefusal('time'))
    const onClose = () => end(new FetchRefusal('closed'))
    const timer = setTimeout(onTimeout, CONNECT_MS_MAX)
    signal.addEventListener('abort', onTimeout, { once: true })
    socket.once(isSecure ? 'secureConnect' : 'connect', () => end())
    // Keep listening, so that a later socket error is not uncaught; the reader learns of it from the stream.
    socket.on('error', end)
    socket.once('close', onClose)
  })
}

/** Reads a stream by lines and lengths. Buffers at most one chunk more than requested. */
class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>
  #buffer: Buffer = Buffer.alloc(0)

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]()
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#chunks.next()
    if (done) return false
    this.#buffer = this.#buffer.length === 0 ? value : Buffer.concat([this.#buffer, value])
    return true
  }

  /**
   * The bytes before the mark, which is consumed too.
   * @throws FetchRefusal if they are too long, or the mark never comes
   */
  async readUntil(mark: string, bytesMax: number): Promise<string> {
    for (let from = 0; ;) {
      const at = this.#buffer.indexOf(mark, from, 'latin1')
      if (at > bytesMax || (at < 0 && this.#buffer.length > bytesMax)) throw new FetchRefusal('long')
      if (at >= 0) {
        const text = this.#buffer.toString('latin1', 0, at)
        this.#buffer = this.#buffer.subarray(at + mark.length)
        return text
      }
      from = Math.max(0, this.#buffer.length - mark.length + 1)
      if (!(await this.#more())) throw new FetchRefusal('cut')
    }
  }

  /** The next bytes, at most `bytesMax`; undefined at the end. */
  async readSome(bytesMax: number): Promise<Buffer | undefined> {
    if (this.#buffer.length === 0 && !(await this.#more())) return undefined
    const chunk = this.#buffer.subarray(0, bytesMax)
    this.#buffer = this.#buffer.subarray(chunk.length)
    return chunk
  }
}

async function readHead(bytes: ByteReader): Promise<Pick<Answer, 'status' | 'headers'>> {
  for (let interim = 0; interim <= INTERIM_MAX; interim++) {
    const [first = '', ...lines] = (await bytes.readUntil('\r\n\r\n', HEAD_BYTES_MAX)).split('\r\n')
    const status = Number(/^HTTP\/1\.[01] ([1-5]\d\d)(?: |$)/.exec(first)?.[1] ?? Number.NaN)
    if (Number.isNaN(status)) throw new FetchRefusal('status')
    if (status >= 200) return { status, headers: headersOf(lines) }
    if (status === 101) throw new FetchRefusal('status')
  }
  throw new FetchRefusal('status')
}

function headersOf(lines: string[]): Map<string, string> {
  if (lines.length > HEADERS_MAX) throw new FetchRefusal('headers')
  const headers = new Map<string, string>()
  for (const line of lines) {
    if (line.length > HEADER_UNITS_MAX) throw new FetchRefusal('headers')
    const [, name, rawValue = ''] = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/.exec(line) ?? []
    if (name === undefined) throw new FetchRefusal('headers')
    const [key, value] = [name.toLowerCase(), withoutBlanks(rawValue)]
    const before = headers.get(key)
    // Duplicate lengths or framings let two readers disagree (RFC 9112 §6.3).
    if (before !== undefined && before !== value && /^(content-length|transfer-encoding|location)$/.test(key))
      throw new FetchRefusal('headers')
    headers.set(key, before ?? value)
  }
  return headers
}

/** Trims spaces and tabs. A regular expression for trailing ones would be quadratic. */
function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length]
  const isBlank = (at: number) => text[at] === ' ' || text[at] === '\t'
  while (start < end && isBlank(start)) start++
  while (end > start && isBlank(end - 1)) end--
  return text.slice(start, end)
}

async function* bodyOf(bytes: ByteReader, headers: Map<string, string>): AsyncGenerator<Buffer> {
  const framing = headers.get('transfer-encoding')?.toLowerCase()
  const length = headers.get('content-length')
  if (framing !== undefined && (framing !== 'chunked' || length !== undefined)) throw new FetchRefusal('framing')
  if (framing === 'chunked') yield* chunksOf(bytes)
  else if (length === undefined) for (let part; (part = await bytes.readSome(Infinity));) yield part
  else if (/^\d{1,15}$/.test(length)) yield* exactly(bytes, Number(length))
  else throw new FetchRefusal('framing')
}

async function* chunksOf(bytes: ByteReader): AsyncGenerator<Buffer> {
  for (;;) {
    const [, digits] =
      /^([0-9A-Fa-f]{1,12})[ \t]*(?:;|$)/.exec(await bytes.readUntil('\r\n', SIZE_LINE_BYTES_MAX)) ?? []
    if (digits === undefined) throw new FetchRefusal('framing')
    const size = Number.parseInt(digits, 16)
    if (size === 0) return
    yield* exactly(bytes, size)
    if ((await bytes.readUntil('\r\n', SIZE_LINE_BYTES_MAX)) !== '') throw new FetchRefusal('framing')
  }
}

async function* exactly(bytes: ByteReader, length: number): AsyncGenerator<Buffer> {
  for (let bytesLeft = length; bytesLeft > 0;) {
    const part = await bytes.readSome(bytesLeft)
    if (!part) throw new FetchRefusal('cut')
    bytesLeft -= part.length
    yield part
  }
}
