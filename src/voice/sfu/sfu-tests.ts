import { randomUUID } from 'node:crypto'
import type { types } from 'mediasoup'
import { Problem } from '../../core/errors.ts'
import { MediaUnavailable } from './process.ts'
import type { Sfu } from './sfu.ts'

/** Time limit of a test. */
const TEST_SECONDS = 15
/** Concurrent tests of all accounts: each is a transport of the worker. */
const TESTS_MAX = 50
/** No channel has this id. */
const NO_CHANNEL = 0

/** Transports for clients to test whether they can reach the SFU. They carry no media. */
export class SfuTests {
  #running = 0

  constructor(private readonly sfu: Sfu) {}

  /**
   * Opens a transport for a client whose certificate has these fingerprints; it ends after 15 s.
   * @throws Problem `media_unavailable`, `rate_limited` while too many tests run, `validation_failed`
   */
  async open(fingerprints: types.DtlsFingerprint[]) {
    if (this.#running >= TESTS_MAX)
      throw new Problem('rate_limited', 'Too many connections are being tested', { retry_after: TEST_SECONDS })
    this.#running++
    let end = () => {}
    try {
      const room = await this.sfu.room(NO_CHANNEL, () => {})
      const peer = room.peer(randomUUID())
      end = () => {
        peer.close()
        if (this.#running === 0) room.close()
      }
      const offer = await peer.createTransport('send')
      await peer.connect(offer.transport_id, { role: 'client', fingerprints })
      setTimeout(() => this.#end(end), TEST_SECONDS * 1000).unref()
      return { ...offer, router_rtp_capabilities: room.rtp_capabilities }
    } catch (error) {
      this.#end(end)
      throw error instanceof MediaUnavailable ? new Problem('media_unavailable', error.message) : error
    }
  }

  #end(end: () => void): void {
    this.#running--
    end()
  }
}
