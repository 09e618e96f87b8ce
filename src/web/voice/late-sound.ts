/** Jitter buffer for audio that waits for retransmitted packets, ms. */
export const WAIT_MS = 300
/** From this share of samples on that were made up, sound waits. */
const MADE_UP = 0.01
/** Keep the longer buffer while at least this share of packets is retransmitted. */
const ASKED_AGAIN = 0.01
/** It stops waiting after so many readings without. */
const CALM_READINGS = 15

interface Counts {
  samples: number
  made_up: number
  packets: number
  asked: number
}

/** Has a member's sound wait for lost packets that are sent again, while they come too late to be heard. */
export class LateSound {
  #before: Counts | undefined
  #calm = 0
  /** For so many readings. */
  #waited = 0

  constructor(private readonly receiver: Pick<RTCRtpReceiver, 'jitterBufferTarget'>) {}

  /**
   * Takes the entries of the receiver's RTCStatsReport.
   * @returns whether it is late even though it waits
   */
  read(stats: Record<string, unknown>[]): boolean {
    const entry = stats.find(({ type }) => type === 'inbound-rtp') ?? {}
    const of = (name: string) => Number(entry[name] ?? 0)
    const now: Counts = {
      samples: of('totalSamplesReceived'),
      made_up: of('concealedSamples') - of('silentConcealedSamples'),
      packets: of('packetsReceived'),
      asked: of('nackCount'),
    }
    const before = this.#before ?? now
    this.#before = now
    const since = (name: keyof Counts) => now[name] - before[name]
    const isLossy = since('asked') > 0 && since('asked') >= ASKED_AGAIN * since('packets')
    const isMadeUp = since('made_up') > 0 && since('made_up') >= MADE_UP * since('samples')
    const isLate = isLossy && isMadeUp
    this.#calm = isLossy ? 0 : this.#calm + 1
    // The buffer takes a moment to fill.
    this.#waited = this.receiver.jitterBufferTarget === WAIT_MS ? this.#waited + 1 : 0
    if (isLate) this.#wait(WAIT_MS)
    else if (this.#calm >= CALM_READINGS) this.#wait(null)
    return isLate && this.#waited > 1
  }

  /** Browsers that cannot wait ignore it. */
  #wait(ms: number | null): void {
    if ((this.receiver.jitterBufferTarget ?? null) !== ms) this.receiver.jitterBufferTarget = ms
  }
}
