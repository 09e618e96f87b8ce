import { Sparing } from './sparing.ts'

/** A line that is estimated below this carries no picture but the smallest beside speech. */
const NARROW_BITS = 250_000
/** From this on it carries larger ones. */
const WIDE_BITS = 600_000
/** It is narrow after so many readings in a row, in which at least so many packets of sound were sent again. */
const READINGS = 3
const SENT_AGAIN = 0.02
const SENT_AGAIN_MIN = 5
/** The smallest picture on a narrow line: with the headers of its packets it leaves room for speech sent again. */
const SPARED = { maxBitrate: 60_000, maxFramerate: 15 }

/** The browser's statistics of one connection. */
interface Reading {
  /** Estimated bandwidth, bits per second; undefined if the browser has no estimate. */
  bits: number | undefined
  /** Packets of sound so far, and those of them that were sent again. */
  sent: number
  again: number
}

/**
 * Keeps speech whole on a line too narrow for larger pictures. Chromium fills such a line with padding as long as it
 * would send a larger one if it could, and what is sent again for lost speech waits behind that. So only the smallest
 * picture is sent, and the larger ones are tried again later.
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
    const lost = again - first.again
    const isLossy = lost >= SENT_AGAIN_MIN && lost >= SENT_AGAIN * (sent - first.sent)
    if (!this.#sparing.read(isNarrow && isLossy, bits >= WIDE_BITS)) return
    this.#last = []
    await this.#change(this.#sparing.on)
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
    // A browser that cannot change them sends as before.
    await this.sender.setParameters(parameters).catch(() => undefined)
  }
}
