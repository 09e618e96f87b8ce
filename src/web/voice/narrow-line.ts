import { Sparing } from './sparing.ts'

/** Below this estimated bandwidth, only the smallest video layer fits next to speech. */
const NARROW_BITS = 250_000
/** From this estimated bandwidth on, larger layers fit. */
const WIDE_BITS = 600_000
/** Video is reduced after this many readings below NARROW_BITS with this share and number of retransmitted packets. */
const READINGS = 3
const SENT_AGAIN = 0.02
const SENT_AGAIN_MIN = 5
/** Limits of the smallest layer on a slow connection: with packet headers, retransmitted speech still fits. */
const SPARED = { maxBitrate: 60_000, maxFramerate: 15 }

/** The browser's statistics of one connection. */
interface Reading {
  /** Estimated bandwidth, bits per second; undefined if the browser has no estimate. */
  bits: number | undefined
  /** Audio packets sent so far, and the retransmitted ones among them. */
  sent: number
  again: number
}

/**
 * Protects speech on a connection that is too slow for larger video layers. Chromium fills that connection with
 * padding while a larger layer is active, and retransmitted speech waits behind the padding. So only the smallest layer
 * is sent, and the larger ones are tried again later.
 */
export class NarrowLine {
  readonly #sparing = new Sparing()
  #last: Reading[] = []
  /** Encoding of the smallest layer while all layers are sent. */
  #smallest: RTCRtpEncodingParameters | undefined

  constructor(private readonly sender: Pick<RTCRtpSender, 'getParameters' | 'setParameters'>) {}

  async read(reading: Reading): Promise<void> {
    const { bits, sent, again } = reading
    if (bits === undefined) return
    this.#last = [...this.#last, reading].slice(-READINGS - 1)
    const [first = reading, ...later] = this.#last
    const isNarrow = later.length === READINGS && later.every((each) => (each.bits ?? Infinity) < NARROW_BITS)
    const resent = again - first.again
    const isLossy = resent >= SENT_AGAIN_MIN && resent >= SENT_AGAIN * (sent - first.sent)
    if (!this.#sparing.read(isNarrow && isLossy, bits >= WIDE_BITS)) return
    this.#last = []
    await this.#change(this.#sparing.isOn)
  }

  async #change(isSpared: boolean): Promise<void> {
    const parameters = this.sender.getParameters()
    const [first, ...larger] = parameters.encodings
    if (!first || larger.length === 0) return
    this.#smallest ??= { ...first }
    const { maxBitrate, maxFramerate } = this.#smallest
    Object.assign(first, isSpared ? SPARED : { maxBitrate, maxFramerate })
    if (first.maxFramerate === undefined) delete first.maxFramerate
    for (const encoding of larger) encoding.active = !isSpared
    // A browser that cannot change the encodings sends as before.
    await this.sender.setParameters(parameters).catch(() => undefined)
  }
}
