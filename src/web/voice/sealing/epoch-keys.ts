import { FrameKey } from './frame-key.ts'
import type { Soon } from './soon.ts'

/** The secret that an epoch of a call's group exports, and the members who share it. */
export interface Epoch {
  /** Number of the epoch modulo 256, which every frame carries. */
  keyId: number
  /** 32 bytes. */
  secret: Uint8Array<ArrayBuffer>
  /** This member's leaf in the group. */
  leaf: number
  /** The leaves of all members, by voice session. */
  leaves: ReadonlyMap<string, number>
}

/** Maximum number of frames per key. The high bits of a counter are the key's generation. */
const FRAMES_PER_KEY = 2 ** 24
export const COUNTER_MAX = 2 ** 32 - 1

export const generationOf = (counter: number): number => Math.floor(counter / FRAMES_PER_KEY)

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

/** HKDF with SHA-256. @param bytes length of the result */
async function derive(secret: Uint8Array<ArrayBuffer>, label: string, bytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits'])
  const parameters = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: bytesOf(label) }
  return new Uint8Array(await crypto.subtle.deriveBits(parameters, key, bytes * 8))
}

/**
 * The ratchet of one sender in one epoch: each generation's secret is derived from the one before. A reader goes on to
 * the next generation only when a frame has proved it, so that forged counters lose no key.
 */
class SenderRatchet {
  #generation = 0
  #secret: Secret
  readonly #keys = new Map<number, Soon<FrameKey>>()

  constructor(secret: Uint8Array<ArrayBuffer>, leaf: number) {
    this.#secret = derive(secret, `parley call sender ${leaf}`, 32)
  }

  /** The key of this generation, the next one or the one before; else undefined. */
  key(generation: number): Soon<FrameKey> | undefined {
    if (!this.#keys.has(generation)) {
      if (generation === this.#generation) this.#make(generation, this.#secret)
      else if (generation === this.#generation + 1) this.#make(generation, next(this.#secret))
    }
    return this.#keys.get(generation)
  }

  #make(generation: number, secret: Secret): void {
    const key = keyFrom(secret)
    this.#keys.set(generation, key)
    // Later frames get the key itself. A fault is seen by those who wait for the promise.
    const replace = (ready: FrameKey) => this.#keys.get(generation) === key && this.#keys.set(generation, ready)
    void key.then(replace, () => {})
  }

  /** Call when a frame of this generation was sealed, or was genuine. */
  reach(generation: number): void {
    if (generation !== this.#generation + 1) return
    this.#secret = next(this.#secret)
    this.#generation = generation
    // Frames of the generation before may still be on their way.
    this.#keys.delete(generation - 2)
  }
}

type Secret = Promise<Uint8Array<ArrayBuffer>>
const next = async (secret: Secret): Promise<Uint8Array<ArrayBuffer>> => derive(await secret, 'next', 32)
const keyFrom = async (secret: Secret): Promise<FrameKey> => FrameKey.from(await derive(await secret, 'key', 16))

/** The keys of all senders of an epoch, made when first needed. */
export class EpochKeys {
  readonly #ratchets = new Map<number, SenderRatchet>()

  constructor(readonly epoch: Epoch) {}

  /** @returns undefined if the generation is more than one ahead, or gone */
  key(leaf: number, generation: number): Soon<FrameKey> | undefined {
    const ratchet = this.#ratchets.get(leaf) ?? new SenderRatchet(this.epoch.secret, leaf)
    this.#ratchets.set(leaf, ratchet)
    return ratchet.key(generation)
  }

  /** Call when a frame of this generation was sealed, or was genuine. */
  reach(leaf: number, generation: number): void {
    this.#ratchets.get(leaf)?.reach(generation)
  }
}
