/** Jitter buffer target while audio waits for retransmitted packets, ms. */
export const WAIT_MS = 300
/** From this share of concealed samples on, audio waits, if packets are requested again as well. */
const MADE_UP = 0.01
/** A path is lossy from this number of retransmission requests per received packet on. */
const ASKED_AGAIN = 0.01
/** Lossless readings after which the browser chooses the buffer again. */
const CALM_READINGS = 15

interface Counts {
  samples: number
  madeUp: number
  packets: number
  requests: number
}

/** Enlarges the jitter buffer of a member's audio while retransmitted packets arrive too late to be played. */
export class LateSound {
  #before: Counts | undefined
  #calm = 0
  /** Readings with the larger buffer so far. */
  #readings = 0

  constructor(private readonly receiver: Pick<RTCRtpReceiver, 'jitterBufferTarget'>) {}

  /**
   * Takes the entries of the receiver's RTCStatsReport.
   * @returns true if packets are late in spite of the larger buffer
   */
  read(stats: Record<string, unknown>[]): boolean {
    const entry = stats.find(({ type }) => type === 'inbound-rtp') ?? {}
    const counter = (name: string) => Number(entry[name] ?? 0)
    const now: Counts = {
      samples: counter('totalSamplesReceived'),
      madeUp: counter('concealedSamples') - counter('silentConcealedSamples'),
      packets: counter('packetsReceived'),
      requests: counter('nackCount'),
    }
    const before = this.#before ?? now
    this.#before = now
    const since = (name: keyof Counts) => now[name] - before[name]
    const isLossy = since('requests') > 0 && since('requests') >= ASKED_AGAIN * since('packets')
    const isMadeUp = since('madeUp') > 0 && since('madeUp') >= MADE_UP * since('samples')
    const isLate = isLossy && isMadeUp
    this.#calm = isLossy ? 0 : this.#calm + 1
    // The buffer takes a moment to fill.
    this.#readings = this.receiver.jitterBufferTarget === WAIT_MS ? this.#readings + 1 : 0
    if (isLate) this.#wait(WAIT_MS)
    else if (this.#calm >= CALM_READINGS) this.#wait(null)
    return isLate && this.#readings > 1
  }

  /** Browsers without jitterBufferTarget ignore it. */
  #wait(ms: number | null): void {
    if ((this.receiver.jitterBufferTarget ?? null) !== ms) this.receiver.jitterBufferTarget = ms
  }
}

/** True if an entry of the statistics belongs to a received track. */
export const isOf =
  ({ id }: MediaStreamTrack) =>
  ({ trackIdentifier }: Record<string, unknown>): boolean =>
    trackIdentifier === id
