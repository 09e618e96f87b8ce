import type { Bytes } from './bytes.ts'
import { type GcmModule, multipleAt, openGcmModule, PLACE, ROUND_BYTES, STEP_BYTES } from './gcm-module.ts'

// AES-128-GCM (NIST SP 800-38D) in this thread. The module's memory has the tables of one key, and one frame: first the
// authenticated bytes, filled up to whole blocks, then the mask of the tag, then the text.

const BLOCK = 16
const ROUNDS = 10
const LAST_KEY = ROUNDS * ROUND_BYTES
/** The tables of a key come before all else. */
const TABLE_BYTES = PLACE.counter
/** The constant of the S-box, which the module leaves to the keys: the other steps of a round do not change it. */
const SBOX_CONSTANT = 0x63

const wholeBlocks = (bytes: number): number => (bytes + BLOCK - 1) & -BLOCK

/** The module of this thread, and the key whose tables it has. */
class Machine {
  readonly memory: Bytes
  readonly view: DataView
  key: SmallGcm | undefined

  constructor(readonly gcm: GcmModule) {
    this.memory = new Uint8Array(gcm.memory.buffer as ArrayBuffer)
    this.view = new DataView(this.memory.buffer)
  }

  /** Encrypts the first block of the counter. */
  firstBlock(last: number): Bytes {
    this.memory.fill(0, PLACE.data, PLACE.data + STEP_BYTES)
    this.gcm.encrypt(PLACE.data, PLACE.data + STEP_BYTES, last)
    return this.memory.slice(PLACE.data, PLACE.data + BLOCK)
  }

  /** The S-box of the four bytes of a word: one round without a key, of a block whose columns are this word. */
  substituted(word: readonly number[]): number[] {
    this.memory.fill(0, PLACE.keys, PLACE.keys + 2 * ROUND_BYTES)
    this.memory.set([...word, ...word, ...word, ...word.toReversed()], PLACE.counter)
    return Array.from(this.firstBlock(ROUND_BYTES).subarray(0, 4), (byte) => byte ^ SBOX_CONSTANT)
  }
}

const gcm = openGcmModule()
const machine = gcm && new Machine(gcm)

/** The round keys of AES-128 (FIPS 197). */
function roundKeys(key: Bytes, substituted: Machine['substituted']): Uint8Array {
  const keys = new Uint8Array(BLOCK * (ROUNDS + 1))
  keys.set(key)
  for (let at = BLOCK, constant = 1; at < keys.length; at += 4) {
    let word = Array.from(keys.subarray(at - 4, at))
    if (at % BLOCK === 0) {
      word = substituted([...word.slice(1), ...word.slice(0, 1)])
      word[0] = (word[0] as number) ^ constant
      constant = (constant << 1) ^ (constant >> 7 ? 0x11b : 0)
    }
    for (let byte = 0; byte < 4; byte++) keys[at + byte] = (word[byte] as number) ^ (keys[at - BLOCK + byte] as number)
  }
  return keys
}

/** Multiplies by x in the field of GCM: shifts all bits by one, and reduces. */
function timesX(block: Uint8Array): void {
  const carry = -((block[BLOCK - 1] as number) & 1)
  for (let at = BLOCK - 1; at > 0; at--)
    block[at] = ((block[at] as number) >> 1) | (((block[at - 1] as number) & 1) << 7)
  block[0] = ((block[0] as number) >> 1) ^ (carry & 0xe1)
}

/** A key of AES-128-GCM, for frames of up to 60,000 bytes together with what is authenticated. */
export class SmallGcm {
  readonly #tables: Bytes

  private constructor(
    key: Bytes,
    private readonly machine: Machine,
  ) {
    const { memory } = machine
    machine.key = undefined
    const keys = roundKeys(key, (word) => machine.substituted(word))
    for (const [at, byte] of keys.entries()) {
      const mixed = byte ^ (at < BLOCK ? 0 : SBOX_CONSTANT)
      const vectors = PLACE.keys + ROUND_BYTES * Math.floor(at / BLOCK) + (at % BLOCK)
      for (let bit = 0; bit < 8; bit++) memory[vectors + BLOCK * bit] = -((mixed >> bit) & 1)
    }
    memory.fill(0, PLACE.counter, PLACE.counter + BLOCK)
    const multiple = machine.firstBlock(LAST_KEY)
    for (let bit = 0; bit < 8 * BLOCK; bit++) {
      memory.set(multiple, PLACE.multiples + multipleAt(bit))
      timesX(multiple)
    }
    this.#tables = memory.slice(0, TABLE_BYTES)
    machine.key = this
  }

  /**
   * @param key 16 bytes
   * @returns undefined in a browser without vectors in WebAssembly
   */
  static from(key: Bytes): SmallGcm | undefined {
    return machine && new SmallGcm(key, machine)
  }

  /** @returns the ciphertext, then the tag */
  encrypt(nonce: Bytes, authenticated: Bytes, text: Bytes, tagBytes: number): Bytes {
    const { gcm, memory } = this.machine
    const begin = this.#load(nonce, authenticated, text)
    const end = begin + text.length
    gcm.encrypt(begin - BLOCK, end, LAST_KEY)
    this.#hash(authenticated.length, begin, end)
    const mask = begin - BLOCK
    for (let at = 0; at < tagBytes; at++)
      memory[end + at] = (memory[PLACE.sum + at] as number) ^ (memory[mask + at] as number)
    return memory.slice(begin, end + tagBytes)
  }

  /** @returns undefined if the ciphertext or the authenticated bytes are not genuine */
  decrypt(nonce: Bytes, authenticated: Bytes, sealed: Bytes, tagBytes: number): Bytes | undefined {
    if (sealed.length < tagBytes) return undefined
    const { gcm, memory } = this.machine
    const length = sealed.length - tagBytes
    const begin = this.#load(nonce, authenticated, sealed.subarray(0, length))
    const end = begin + length
    this.#hash(authenticated.length, begin, end)
    gcm.encrypt(begin - BLOCK, end, LAST_KEY)
    const mask = begin - BLOCK
    let difference = 0
    for (let at = 0; at < tagBytes; at++)
      difference |= (memory[PLACE.sum + at] as number) ^ (memory[mask + at] as number) ^ (sealed[length + at] as number)
    return difference === 0 ? memory.slice(begin, end) : undefined
  }

  /** Writes a frame into the memory. @returns where its text begins, after the mask of the tag, which is still zero */
  #load(nonce: Bytes, authenticated: Bytes, text: Bytes): number {
    const { machine } = this
    const { memory, view } = machine
    if (machine.key !== this) memory.set(this.#tables)
    machine.key = this
    memory.set(nonce, PLACE.counter)
    // The first block of the key stream is the mask, the next ones are for the text.
    view.setUint32(PLACE.counter + nonce.length, 1, true)
    const begin = PLACE.data + wholeBlocks(authenticated.length) + BLOCK
    memory.fill(0, PLACE.data, begin)
    memory.set(authenticated, PLACE.data)
    memory.set(text, begin)
    return begin
  }

  /** Computes the sum of the authenticated bytes, the ciphertext and both lengths. */
  #hash(authenticated: number, begin: number, end: number): void {
    const { gcm, memory, view } = this.machine
    const lengths = begin + wholeBlocks(end - begin)
    memory.fill(0, PLACE.sum, PLACE.sum + BLOCK)
    memory.fill(0, end, lengths + BLOCK)
    view.setUint32(lengths + 4, 8 * authenticated)
    view.setUint32(lengths + 12, 8 * (end - begin))
    if (authenticated > 0) gcm.hash(PLACE.data, begin - BLOCK, 0)
    gcm.hash(begin, lengths + BLOCK, 0)
  }
}
