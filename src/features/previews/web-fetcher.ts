import { Readable, type Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import type { Destinations } from './destinations.ts'
import { type Answer, get, type Trust } from './http-client.ts'
import { FetchRefusal } from './fetch-refusal.ts'

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
export interface FetchedResource {
  /** After redirects. */
  url: URL
  /** From its Content-Type, in lower case, without parameters. */
  type: string
  charset: string | undefined
  /** Decompressed. Throws FetchRefusal beyond the limit. */
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
   * @throws FetchRefusal, and errors of connections
   */
  async fetch(url: URL, accept: string, bytesMax: BytesMax, signal: AbortSignal): Promise<FetchedResource> {
    let currentUrl = url
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
      if (currentUrl.href.length > URL_UNITS_MAX) throw new FetchRefusal('url')
      const destination = await before(signal, this.destinations.resolve(currentUrl))
      const answer = await get(currentUrl, destination, accept, this.trust, signal)
      try {
        const next = redirectOf(answer, currentUrl)
        if (!next) return resourceOf(answer, currentUrl, bytesMax)
        currentUrl = next
      } catch (error) {
        answer.close()
        throw error
      }
      answer.close()
    }
    throw new FetchRefusal('redirects')
  }
}

/** Rejects when the signal fires, because DNS lookups cannot be aborted. */
export function before<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new FetchRefusal('time'))
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

function redirectOf({ status, headers }: Answer, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined
  const location = headers.get('location') ?? ''
  const to = location === '' || location.length > URL_UNITS_MAX ? null : URL.parse(location, from)
  if (!to) throw new FetchRefusal('location')
  // After a redirect from https to http, anybody on the network path could forge the answer.
  if (from.protocol === 'https:' && to.protocol !== 'https:') throw new FetchRefusal('downgrade')
  to.hash = ''
  return to
}

function resourceOf({ status, headers, body, close }: Answer, url: URL, bytesMax: BytesMax): FetchedResource {
  if (status === 429 || status >= 500) throw new FetchRefusal('away')
  if (status !== 200) throw new FetchRefusal('status')
  const [first = '', ...parameters] = (headers.get('content-type') ?? '').slice(0, 256).split(';')
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([\w:.-]{1,40})/i.exec(parameter)?.[1])
    .find(Boolean)
  const type = first.trim().toLowerCase()
  const bytesAllowed = bytesMax(type)
  if (bytesAllowed === 0) throw new FetchRefusal('type')
  const inflater = inflaterOf(headers.get('content-encoding') ?? '')
  const boundedBody = limitBytes(body, bytesAllowed)
  return {
    url,
    type,
    charset,
    body: inflater ? limitBytes(inflate(boundedBody, inflater), bytesAllowed) : boundedBody,
    close,
  }
}

async function* limitBytes(body: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > bytesMax) throw new FetchRefusal('long')
    yield part
  }
}

/** @throws FetchRefusal for an unknown or a nested encoding */
function inflaterOf(encoding: string): Transform | undefined {
  const name = encoding.trim().toLowerCase()
  if (name === '' || name === 'identity') return undefined
  const open = Object.hasOwn(INFLATERS, name) ? INFLATERS[name] : undefined
  if (!open) throw new FetchRefusal('encoding')
  return open()
}

async function* inflate(body: AsyncGenerator<Buffer>, inflater: Transform): AsyncGenerator<Buffer> {
  const source = Readable.from(body, { objectMode: false, highWaterMark: INFLATE_BYTES })
  source.on('error', (error) => inflater.destroy(error))
  source.pipe(inflater)
  try {
    for await (const part of inflater) yield part
  } finally {
    source.destroy()
    inflater.destroy()
  }
}
