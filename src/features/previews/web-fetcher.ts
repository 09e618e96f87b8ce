import { Readable, type Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import type { Destinations } from './destinations.ts'
import { type Answer, get, type Trust } from './http-client.ts'
import { Refused } from './refused.ts'

const REDIRECTS_MAX = 5
/** UTF-16 units of a URL, also of one that a redirect names. */
export const URL_UNITS_MAX = 2048
/** Bytes per step of decompression: the limit is checked after each step. */
const INFLATE_BYTES = 16 * 1024
/** RFC 9659: 8 MiB. */
const ZSTD_WINDOW_LOG_MAX = 23

const INFLATERS: Record<string, () => Transform> = {
  gzip: () => createGunzip({ chunkSize: INFLATE_BYTES }),
  'x-gzip': () => createGunzip({ chunkSize: INFLATE_BYTES }),
  deflate: () => createInflate({ chunkSize: INFLATE_BYTES }),
  br: () => createBrotliDecompress({ chunkSize: INFLATE_BYTES }),
  zstd: () =>
    createZstdDecompress({
      chunkSize: INFLATE_BYTES,
      params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG_MAX },
    }),
}

/** The limit for a body of this type, in decompressed bytes; 0 rejects the type. */
export type BytesMax = (type: string) => number

/** A fetched page or picture. */
export interface Found {
  /** After redirects. */
  url: URL
  /** From its Content-Type, in lower case, without parameters. */
  type: string
  charset: string | undefined
  /** Decompressed. Throws Refused beyond the limit. */
  body: AsyncIterable<Buffer>
  /** Closes the connection; must be called. */
  close(): void
}

/** Fetches only from public addresses, whatever a server answers. */
export class WebFetcher {
  constructor(
    private readonly destinations: Destinations,
    private readonly trust: Trust = {},
  ) {}

  /**
   * Fetches a URL. Follows redirects, each checked like the first address.
   * @param accept the Accept header
   * @param signal ends everything, the body included
   * @throws Refused, and errors of connections
   */
  async fetch(url: URL, accept: string, bytesMax: BytesMax, signal: AbortSignal): Promise<Found> {
    let at = url
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
      if (at.href.length > URL_UNITS_MAX) throw new Refused('url')
      const destination = await before(signal, this.destinations.of(at))
      const answer = await get(at, destination, accept, this.trust, signal)
      try {
        const next = redirectOf(answer, at)
        if (!next) return foundOf(answer, at, bytesMax)
        at = next
      } catch (error) {
        answer.close()
        throw error
      }
      answer.close()
    }
    throw new Refused('redirects')
  }
}

/** Rejects when the signal fires, because DNS lookups cannot be aborted. */
export function before<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Refused('time'))
    if (signal.aborted) late()
    signal.addEventListener('abort', late, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', late))
  })
}

function redirectOf({ status, headers }: Answer, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined
  const location = headers.get('location') ?? ''
  const to = location === '' || location.length > URL_UNITS_MAX ? null : URL.parse(location, from)
  if (!to) throw new Refused('location')
  // After a redirect from https to http, anybody on the network path could forge the answer.
  if (from.protocol === 'https:' && to.protocol !== 'https:') throw new Refused('downgrade')
  to.hash = ''
  return to
}

function foundOf({ status, headers, body, close }: Answer, url: URL, bytesMax: BytesMax): Found {
  if (status === 429 || status >= 500) throw new Refused('away')
  if (status !== 200) throw new Refused('status')
  const [first = '', ...parameters] = (headers.get('content-type') ?? '').slice(0, 256).split(';')
  const charset = parameters.map((given) => /^\s*charset\s*=\s*"?([\w:.-]{1,40})/i.exec(given)?.[1]).find(Boolean)
  const type = first.trim().toLowerCase()
  const bytes_max = bytesMax(type)
  if (bytes_max === 0) throw new Refused('type')
  const inflater = inflaterOf(headers.get('content-encoding') ?? '')
  const packed = bounded(body, bytes_max)
  return { url, type, charset, body: inflater ? bounded(inflate(packed, inflater), bytes_max) : packed, close }
}

async function* bounded(body: AsyncIterable<Buffer>, bytes_max: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > bytes_max) throw new Refused('long')
    yield part
  }
}

/** @throws Refused for an unknown or a nested encoding */
function inflaterOf(encoding: string): Transform | undefined {
  const name = encoding.trim().toLowerCase()
  if (name === '' || name === 'identity') return undefined
  const open = Object.hasOwn(INFLATERS, name) ? INFLATERS[name] : undefined
  if (!open) throw new Refused('encoding')
  return open()
}

async function* inflate(body: AsyncGenerator<Buffer>, inflater: Transform): AsyncGenerator<Buffer> {
  const packed = Readable.from(body, { objectMode: false, highWaterMark: INFLATE_BYTES })
  packed.on('error', (error) => inflater.destroy(error))
  packed.pipe(inflater)
  try {
    for await (const part of inflater) yield part
  } finally {
    packed.destroy()
    inflater.destroy()
  }
}
