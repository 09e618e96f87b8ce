import { createCipheriv, createDecipheriv } from 'node:crypto'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { layoutOf, readRtp, type Rtp, rtpHeader } from './rtp.ts'

/**
 * Discord's encryption of voice packets, in its two modes `…_rtpsize`. The header, up to and including the head of the
 * header extension, is authenticated; everything after it is encrypted. The tag follows, and then the first four bytes
 * of the nonce, which count the sender's packets; the other bytes of the nonce are zero.
 */

export const MODES = ['aead_aes256_gcm_rtpsize', 'aead_xchacha20_poly1305_rtpsize'] as const
export type Mode = (typeof MODES)[number]

export const KEY_BYTES = 32
const TAG_BYTES = 16
const COUNTER_BYTES = 4
const COUNTERS = 2 ** 32
/** Opus has up to 1,275 bytes in a frame (RFC 6716 §3.2.1); the packet has to fit into an Ethernet frame. */
export const PACKET_BYTES_MAX = 1_472
/** Packets that may arrive in another order. Earlier ones count as replayed. */
const WINDOW = 128

interface Cipher {
  /** @returns the ciphertext with its tag */
  seal(nonce: Buffer, header: Buffer, plaintext: Buffer): Uint8Array
  /** @returns undefined if the tag is wrong */
  open(nonce: Buffer, header: Buffer, sealed: Buffer): Buffer | undefined
}

const aes = (key: Uint8Array): Cipher => ({
  seal(nonce, header, plaintext) {
    const cipher = createCipheriv('aes-256-gcm', key, nonce.subarray(0, 12))
    cipher.setAAD(header)
    return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
  },
  open(nonce, header, sealed) {
    const cut = sealed.length - TAG_BYTES
    const decipher = createDecipheriv('aes-256-gcm', key, nonce.subarray(0, 12), { authTagLength: TAG_BYTES })
    decipher.setAAD(header)
    decipher.setAuthTag(sealed.subarray(cut))
    try {
      return Buffer.concat([decipher.update(sealed.subarray(0, cut)), decipher.final()])
    } catch {
      return undefined
    }
  },
})

const chacha = (key: Uint8Array): Cipher => ({
  seal: (nonce, header, plaintext) => xchacha20poly1305(key, nonce, header).encrypt(plaintext),
  open(nonce, header, sealed) {
    try {
      return Buffer.from(xchacha20poly1305(key, nonce, header).decrypt(sealed))
    } catch {
      return undefined
    }
  },
})

const CIPHERS: Record<Mode, (key: Uint8Array) => Cipher> = {
  aead_aes256_gcm_rtpsize: aes,
  aead_xchacha20_poly1305_rtpsize: chacha,
}

/** Remembers which packets have arrived, by their counters. */
export class ReplayWindow {
  #newest = -1
  /** Bit n is set if the packet n before the newest one has arrived. */
  #seen = 0n

  /** True if no packet with this counter has arrived, and it is not too old to tell. */
  isNew(counter: number): boolean {
    const age = this.#newest - counter
    return age < 0 || (age < WINDOW && ((this.#seen >> BigInt(age)) & 1n) === 0n)
  }

  /** Call for a new packet, once it is authenticated. */
  note(counter: number): void {
    const ahead = counter - this.#newest
    if (ahead > 0) {
      this.#seen = ahead >= WINDOW ? 1n : BigInt.asUintN(WINDOW, this.#seen << BigInt(ahead)) | 1n
      this.#newest = counter
    } else this.#seen |= 1n << BigInt(-ahead)
  }
}

/** The encryption of one connection: its own key and counters in each direction. */
export class Encryption {
  readonly #cipher: Cipher
  readonly #window = new ReplayWindow()
  #sent = 0

  constructor(
    readonly mode: Mode,
    readonly key: Buffer,
  ) {
    this.#cipher = CIPHERS[mode](key)
  }

  /**
   * Decrypts a bot's packet.
   * @returns undefined if it is malformed, not authentic or replayed
   */
  open(packet: Buffer): Rtp | undefined {
    const layout = packet.length <= PACKET_BYTES_MAX ? layoutOf(packet) : undefined
    const end = packet.length - COUNTER_BYTES
    if (!layout || layout.head + TAG_BYTES > end) return undefined
    const counter = packet.readUInt32BE(end)
    if (!this.#window.isNew(counter)) return undefined
    const body = this.#cipher.open(nonceOf(counter), packet.subarray(0, layout.head), packet.subarray(layout.head, end))
    if (!body) return undefined
    this.#window.note(counter)
    return readRtp(packet, layout, body)
  }

  /** Encrypts a packet for the bot. @returns undefined if the key is used up: no nonce may be used twice */
  seal(rtp: Rtp): Buffer | undefined {
    if (this.#sent === COUNTERS - 1) return undefined
    const nonce = nonceOf(++this.#sent)
    const header = rtpHeader(rtp)
    return Buffer.concat([header, this.#cipher.seal(nonce, header, rtp.payload), nonce.subarray(0, COUNTER_BYTES)])
  }
}

function nonceOf(counter: number): Buffer {
  const nonce = Buffer.alloc(24)
  nonce.writeUInt32BE(counter, 0)
  return nonce
}
