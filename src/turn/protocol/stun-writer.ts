import type { Address } from './addresses.ts'
import { Attribute, fingerprint, HEADER_BYTES, MAGIC_COOKIE, padded, messageIntegrity } from './stun.ts'

/** Writes STUN messages, one after another, into one buffer. */
export class StunWriter {
  readonly bytes: Uint8Array
  private end = 0

  /** @param memory the buffer; the caller ensures that `length` bytes from `start` fit the message */
  constructor(memory: ArrayBuffer, start = 0, length = memory.byteLength) {
    this.bytes = new Uint8Array(memory, start, length)
  }

  /** Begins a message. @param transaction for a response, the transaction id of its request */
  begin(method: number, class_: number, transaction: Uint8Array): this {
    const { bytes } = this
    const type =
      (method & 0x000f) |
      ((method & 0x0070) << 1) |
      ((method & 0x0f80) << 2) |
      ((class_ & 1) << 4) |
      ((class_ & 2) << 7)
    this.end = HEADER_BYTES
    bytes[0] = type >> 8
    bytes[1] = type & 0xff
    bytes[4] = 0x21
    bytes[5] = 0x12
    bytes[6] = 0xa4
    bytes[7] = 0x42
    bytes.set(transaction, 8)
    return this
  }

  add(type: number, value: Uint8Array): this {
    const { bytes, end } = this
    bytes[end] = type >> 8
    bytes[end + 1] = type & 0xff
    bytes[end + 2] = value.length >> 8
    bytes[end + 3] = value.length & 0xff
    bytes.set(value, end + 4)
    this.end = end + 4 + padded(value.length)
    bytes.fill(0, end + 4 + value.length, this.end)
    return this
  }

  number(type: number, value: number): this {
    return this.add(type, new Uint8Array([value >>> 24, (value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff]))
  }

  text(type: number, value: string): this {
    return this.add(type, Buffer.from(value))
  }

  /** An XOR-…-ADDRESS. RFC 8489 §14.2. */
  address(type: number, { family, ip, port }: Address): this {
    const { bytes } = this
    const value = new Uint8Array(4 + ip.length)
    const xorPort = port ^ (MAGIC_COOKIE >>> 16)
    value[1] = family
    value[2] = xorPort >> 8
    value[3] = xorPort & 0xff
    for (let i = 0; i < ip.length; i++) value[4 + i] = (ip[i] ?? 0) ^ (bytes[4 + i] ?? 0)
    return this.add(type, value)
  }

  /** RFC 8489 §14.8: the hundreds in three bits, the rest in a byte. */
  error(code: number, reason = ''): this {
    const text = Buffer.from(reason)
    return this.add(
      Attribute.errorCode,
      Buffer.concat([new Uint8Array([0, 0, Math.floor(code / 100), code % 100]), text]),
    )
  }

  /** RFC 8489 §14.5. */
  integrity(key: Uint8Array): this {
    return this.add(Attribute.messageIntegrity, messageIntegrity(this.bytes.subarray(0, this.end), key))
  }

  /** Ends the message with FINGERPRINT (RFC 8489 §14.7). The bytes are valid until the next begin(). */
  finish(): Uint8Array {
    const { bytes, end } = this
    this.setLength(end + 8 - HEADER_BYTES)
    this.number(Attribute.fingerprint, fingerprint(bytes, end))
    return bytes.subarray(0, this.end)
  }

  /**
   * Ends the message with an attribute whose value is already in the buffer; pads it with zeros.
   * @returns the length of the message in bytes
   */
  finishInPlace(type: number, length: number): number {
    const { bytes, end } = this
    const whole = end + 4 + padded(length)
    bytes[end] = type >> 8
    bytes[end + 1] = type & 0xff
    bytes[end + 2] = length >> 8
    bytes[end + 3] = length & 0xff
    bytes.fill(0, end + 4 + length, whole)
    this.setLength(whole - HEADER_BYTES)
    return whole
  }

  private setLength(length: number): void {
    this.bytes[2] = length >> 8
    this.bytes[3] = length & 0xff
  }
}
