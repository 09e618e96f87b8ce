import { type IpRange, isWithin, parseIp, parseRange } from '../../core/ip.ts'
import { Destinations } from './destinations.ts'
import { type Answer, exchange, type Trust } from './http-client.ts'
import { FetchRefusal } from './fetch-refusal.ts'
import { before } from './web-fetcher.ts'

/**
 * External servers to which this server posts: by https to public addresses, or to addresses that the operator allows.
 */
export class Receivers {
  readonly #allowed: IpRange[]
  readonly #destinations: Destinations

  /** @param allowed addresses or CIDR ranges for which every port and http are permitted */
  constructor(
    environment: ConstructorParameters<typeof Destinations>[0],
    allowed: string[],
    private readonly trust: Trust = {},
  ) {
    this.#allowed = allowed.map(parseRange)
    this.#destinations = new Destinations({ ...environment, PREVIEW_ALLOWED_ADDRESSES: allowed })
  }

  /** True if a text can be the URL of a receiver. Its addresses are checked with each request. */
  isUrl(text: string): boolean {
    const url = URL.parse(text)
    if (!url || url.username !== '' || url.password !== '' || url.hash !== '') return false
    const ip = parseIp(url.hostname.replace(/^\[|\]$/g, ''))
    const isAllowed = ip !== undefined && this.#allowed.some((range) => isWithin(ip, range))
    return isAllowed ? /^https?:$/.test(url.protocol) : url.protocol === 'https:' && url.port === '' && !ip
  }

  /** True if the URL is valid and its host resolves to permitted addresses. */
  async isReachable(text: string, signal: AbortSignal): Promise<boolean> {
    if (!this.isUrl(text)) return false
    return before(signal, this.#destinations.resolve(new URL(text))).then(
      () => true,
      () => false,
    )
  }

  /**
   * Posts to a URL without following redirects.
   * @returns the answer, which the caller closes
   * @throws FetchRefusal, and errors of the connection
   */
  async post(text: string, headers: Record<string, string>, body: Buffer, signal: AbortSignal): Promise<Answer> {
    if (!this.isUrl(text)) throw new FetchRefusal('url')
    const url = new URL(text)
    const destination = await before(signal, this.#destinations.resolve(url))
    return exchange(url, destination, { method: 'POST', headers, body }, this.trust, signal)
  }
}
