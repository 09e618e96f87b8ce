import { encryptBlocks, roundKeys } from './bitsliced-aes.ts'
import type { Bytes } from './bytes.ts'

// AES-128-GCM (NIST SP 800-38D) in this thread, for small frames. Like the cipher, the hash needs no tables: it
// multiplies integers with holes between their bits (BearSSL's ghash_ctmul32).

const BLOCK = 16
const NONCE_BYTES = 12

/** The low half of a product without carries of two words. */
function multiplied(x: number, y: number): number {
  const x0 = x & 0x11111111,
    x1 = x & 0x22222222,
    x2 = x & 0x44444444,
    x3 = x & 0x88888888
  const y0 = y & 0x11111111,
    y1 = y & 0x22222222,
    y2 = y & 0x44444444,
    y3 = y & 0x88888888
  const { imul } = Math
  const z0 = imul(x0, y0) ^ imul(x1, y3) ^ imul(x2, y2) ^ imul(x3, y1)
  const z1 = imul(x0, y1) ^ imul(x1, y0) ^ imul(x2, y3) ^ imul(x3, y2)
  const z2 = imul(x0, y2) ^ imul(x1, y1) ^ imul(x2, y0) ^ imul(x3, y3)
  const z3 = imul(x0, y3) ^ imul(x1, y2) ^ imul(x2, y1) ^ imul(x3, y0)
  return (z0 & 0x11111111) | (z1 & 0x22222222) | (z2 & 0x44444444) | (z3 & 0x88888888)
}

function reversed(word: number): number {
  let x = word
  x = ((x & 0x55555555) << 1) | ((x >>> 1) & 0x55555555)
  x = ((x & 0x33333333) << 2) | ((x >>> 2) & 0x33333333)
  x = ((x & 0x0f0f0f0f) << 4) | ((x >>> 4) & 0x0f0f0f0f)
  x = ((x & 0x00ff00ff) << 8) | ((x >>> 8) & 0x00ff00ff)
  return (x << 16) | (x >>> 16)
}

/** The factors of nine products from which Karatsuba's method makes one of four words each. */
function factors(w: Int32Array, out: Int32Array): void {
  const a = w[0] as number,
    b = w[1] as number,
    c = w[2] as number,
    d = w[3] as number
  out.set([a, b, c, d, a ^ b, c ^ d, a ^ c, b ^ d, a ^ b ^ c ^ d])
}

/** The hash of GCM, of one message. */
class Hash {
  readonly #sum = new Int32Array(4)
  readonly #factors = new Int32Array(9)
  readonly #product = new Int32Array(8)
  readonly #block = new DataView(new ArrayBuffer(BLOCK))

  constructor(private readonly key: HashKey) {}

  /** Adds bytes, and zeros up to a whole block. */
  add(bytes: Uint8Array): void {
    const whole = new Uint8Array(this.#block.buffer)
    for (let at = 0; at < bytes.length; at += BLOCK) {
      if (at + BLOCK > bytes.length) whole.fill(0)
      whole.set(bytes.subarray(at, at + BLOCK))
      this.#addBlock()
    }
  }

  /** Adds the lengths of both parts in bytes. @returns the sum as four words */
  end(authenticated: number, text: number): Int32Array {
    this.#block.setBigUint64(0, BigInt(authenticated) * 8n)
    this.#block.setBigUint64(8, BigInt(text) * 8n)
    this.#addBlock()
    return this.#sum
  }

  #addBlock(): void {
    const sum = this.#sum
    for (let at = 0; at < 4; at++) sum[3 - at] = (sum[3 - at] as number) ^ this.#block.getInt32(4 * at)
    this.#multiply()
  }

  #multiply(): void {
    const { low, high } = this.key
    const f = this.#factors
    factors(this.#sum, f)
    const z = this.#product.fill(0)
    const put = (product: number, ...at: number[]) => {
      const x = f[product] as number
      const lower = multiplied(x, low[product] as number)
      const upper = reversed(multiplied(reversed(x), high[product] as number)) >>> 1
      for (const word of at) {
        z[word] = (z[word] as number) ^ lower
        z[word + 1] = (z[word + 1] as number) ^ upper
      }
    }
    put(0, 0, 1, 2, 3)
    put(1, 1, 2, 3, 4)
    put(2, 2, 3, 4, 5)
    put(3, 3, 4, 5, 6)
    put(4, 1, 3)
    put(5, 3, 5)
    put(6, 2, 3)
    put(7, 3, 4)
    put(8, 3)
    // Bits are in the opposite order, so the product is one to the right of its place.
    for (let at = 7; at > 0; at--) z[at] = ((z[at] as number) << 1) | ((z[at - 1] as number) >>> 31)
    z[0] = (z[0] as number) << 1
    for (let at = 0; at < 4; at++) {
      const word = z[at] as number
      z[at + 4] = (z[at + 4] as number) ^ word ^ (word >>> 1) ^ (word >>> 2) ^ (word >>> 7)
      z[at + 3] = (z[at + 3] as number) ^ (word << 31) ^ (word << 30) ^ (word << 25)
    }
    this.#sum.set(z.subarray(4))
  }
}

interface HashKey {
  low: Int32Array
  /** The same with reversed bits. */
  high: Int32Array
}

/** A key of AES-128-GCM. */
export class SmallGcm {
  readonly #keys: Int32Array
  readonly #hashKey: HashKey

  /** @param key 16 bytes */
  constructor(key: Bytes) {
    this.#keys = roundKeys(key)
    const zero = new Int32Array(8)
    encryptBlocks(zero, this.#keys)
    const view = new DataView(new ArrayBuffer(BLOCK))
    for (let at = 0; at < 4; at++) view.setInt32(4 * at, zero[2 * at] as number, true)
    const words = Int32Array.from({ length: 4 }, (_, at) => view.getInt32(4 * (3 - at)))
    const [low, high] = [new Int32Array(9), new Int32Array(9)]
    factors(words, low)
    factors(words.map(reversed), high)
    this.#hashKey = { low, high }
  }

  /** @returns the ciphertext, then the tag */
  encrypt(nonce: Bytes, authenticated: Bytes, text: Bytes, tagBytes: number): Bytes {
    const out = new Uint8Array(text.length + tagBytes)
    const mask = this.#crypt(nonce, text, out)
    const tag = this.#tag(mask, authenticated, out.subarray(0, text.length))
    out.set(tag.subarray(0, tagBytes), text.length)
    return out
  }

  /** @returns undefined if the ciphertext or the authenticated bytes are not genuine */
  decrypt(nonce: Bytes, authenticated: Bytes, sealed: Bytes, tagBytes: number): Bytes | undefined {
    if (sealed.length < tagBytes) return undefined
    const text = sealed.subarray(0, sealed.length - tagBytes)
    const out = new Uint8Array(text.length)
    const mask = this.#crypt(nonce, text, out)
    const tag = this.#tag(mask, authenticated, text)
    let difference = 0
    for (let at = 0; at < tagBytes; at++) difference |= (tag[at] as number) ^ (sealed[text.length + at] as number)
    return difference === 0 ? out : undefined
  }

  /** Encrypts or decrypts. @returns the first block of the key stream, which masks the tag */
  #crypt(nonce: Bytes, from: Bytes, to: Uint8Array): Uint8Array {
    const q = new Int32Array(8)
    const stream = new DataView(new ArrayBuffer(2 * BLOCK))
    const bytes = new Uint8Array(stream.buffer)
    const start = new DataView(nonce.buffer, nonce.byteOffset, NONCE_BYTES)
    let mask = bytes
    // The first block is for the tag, the next ones for the text.
    for (let block = 0; block === 0 || (block - 1) * BLOCK < from.length; block += 2) {
      for (let at = 0; at < 3; at++) q[2 * at] = q[2 * at + 1] = start.getInt32(4 * at, true)
      stream.setUint32(0, block + 1)
      stream.setUint32(4, block + 2)
      q[6] = stream.getInt32(0, true)
      q[7] = stream.getInt32(4, true)
      encryptBlocks(q, this.#keys)
      for (let at = 0; at < 8; at++) stream.setInt32(BLOCK * (at & 1) + 4 * (at >> 1), q[at] as number, true)
      if (block === 0) mask = bytes.slice(0, BLOCK)
      const first = (block - 1) * BLOCK
      for (let at = Math.max(0, first); at < Math.min(from.length, first + 2 * BLOCK); at++)
        to[at] = (from[at] as number) ^ (bytes[at - first] as number)
    }
    return mask
  }

  #tag(mask: Uint8Array, authenticated: Bytes, text: Uint8Array): Uint8Array {
    const hash = new Hash(this.#hashKey)
    hash.add(authenticated)
    hash.add(text)
    const sum = hash.end(authenticated.length, text.length)
    const view = new DataView(new ArrayBuffer(BLOCK))
    for (let at = 0; at < 4; at++) view.setInt32(4 * at, sum[3 - at] as number)
    return new Uint8Array(view.buffer).map((byte, at) => byte ^ (mask[at] as number))
  }
}
