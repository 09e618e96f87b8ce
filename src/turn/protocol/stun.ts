import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import { type Address, transportAddress, V4, V6 } from './addresses.ts'

/** RFC 8489 §5. */
export const MAGIC_COOKIE = 0x2112a442
export const HEADER_BYTES = 20
/** A message with more attributes is rejected, which bounds the work per packet. */
const ATTRIBUTES_MAX = 64
const INTEGRITY_BYTES = 20
/** RFC 8489 §14.7. */
const FINGERPRINT_XOR = 0x5354554e

/** RFC 8489 §3 and RFC 8656 §17. */
export const Method = {
  binding: 0x001,
  allocate: 0x003,
  refresh: 0x004,
  send: 0x006,
  data: 0x007,
  createPermission: 0x008,
  channelBind: 0x009,
} as const
/** RFC 8489 §5. */
export const Class = { request: 0, indication: 1, success: 2, error: 3 } as const

/** RFC 8489 §18.3, RFC 8656 §18. */
export const Attribute = {
  mappedAddress: 0x0001,
  username: 0x0006,
  messageIntegrity: 0x0008,
  errorCode: 0x0009,
  unknownAttributes: 0x000a,
  channelNumber: 0x000c,
  lifetime: 0x000d,
  xorPeerAddress: 0x0012,
  data: 0x0013,
  realm: 0x0014,
  nonce: 0x0015,
  xorRelayedAddress: 0x0016,
  requestedAddressFamily: 0x0017,
  evenPort: 0x0018,
  requestedTransport: 0x0019,
  dontFragment: 0x001a,
  xorMappedAddress: 0x0020,
  reservationToken: 0x0022,
  additionalAddressFamily: 0x8000,
  /** ADDITIONAL-ADDRESS-FAMILY of the drafts before RFC 8656, which coturn 4.6 still sends. */
  additionalAddressFamilyDraft: 0x8032,
  addressErrorCode: 0x8001,
  software: 0x8022,
  fingerprint: 0x8028,
} as const

/** Position of an attribute's value in the bytes of its message. */
interface AttributeSpan {
  type: number
  at: number
  length: number
}

/** A decoded message. It refers to the received bytes and is valid as long as they are. */
export interface Message {
  method: number
  class: number
  bytes: Uint8Array
  /** Without those after MESSAGE-INTEGRITY, of which only FINGERPRINT counts (RFC 8489 §14.5). */
  attributes: AttributeSpan[]
}

/** A 16-bit number in network byte order. */
export const u16 = (bytes: Uint8Array, at: number) => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
const u32 = (bytes: Uint8Array, at: number) => ((u16(bytes, at) << 16) | u16(bytes, at + 2)) >>> 0
export const padded = (length: number) => (length + 3) & ~3

/** RFC 8489 §5: a STUN message begins with two zero bits and has the magic cookie. */
const hasStunHeader = (bytes: Uint8Array) =>
  bytes.length >= HEADER_BYTES && (bytes[0] ?? 0xff) < 0x40 && u32(bytes, 4) === MAGIC_COOKIE

/**
 * Decodes a STUN message. RFC 8489 §5, §6.3, §14.
 * @returns undefined unless the bytes are exactly one valid message; never throws
 */
export function decode(bytes: Uint8Array): Message | undefined {
  if (!hasStunHeader(bytes)) return undefined
  // RFC 8489 §5: attributes are padded to 4 bytes, so the length is a multiple of 4.
  if (u16(bytes, 2) % 4 !== 0 || u16(bytes, 2) + HEADER_BYTES !== bytes.length) return undefined
  const attributes: AttributeSpan[] = []
  let hasIntegrity = false
  for (let at = HEADER_BYTES; at < bytes.length;) {
    if (at + 4 > bytes.length) return undefined
    const type = u16(bytes, at)
    const length = u16(bytes, at + 2)
    const next = at + 4 + padded(length)
    if (next > bytes.length || attributes.length === ATTRIBUTES_MAX) return undefined
    if (type === Attribute.fingerprint) {
      // RFC 8489 §14.7: FINGERPRINT is the last attribute and covers everything before it.
      if (length !== 4 || next !== bytes.length || u32(bytes, at + 4) !== fingerprint(bytes, at)) return undefined
    }
    if (!hasIntegrity || type === Attribute.fingerprint) attributes.push({ type, at: at + 4, length })
    if (type === Attribute.messageIntegrity) hasIntegrity = true
    at = next
  }
  const type = u16(bytes, 0)
  // RFC 8489 §5, figure 3: the class bits are between the bits of the method.
  return {
    method: (type & 0x000f) | ((type & 0x00e0) >> 1) | ((type & 0x3e00) >> 2),
    class: ((type & 0x0010) >> 4) | ((type & 0x0100) >> 7),
    bytes,
    attributes,
  }
}

/** The first attribute of the type; further ones are ignored (RFC 8489 §14). */
export const attributeOf = (message: Message, type: number): AttributeSpan | undefined =>
  message.attributes.find((attribute) => attribute.type === type)

/** The value of an attribute. */
export function bytesOf(message: Message, type: number): Uint8Array | undefined {
  const attribute = attributeOf(message, type)
  return attribute && message.bytes.subarray(attribute.at, attribute.at + attribute.length)
}

/** The value of a 4-byte attribute as a number. */
export function numberOf(message: Message, type: number): number | undefined {
  const attribute = attributeOf(message, type)
  return attribute?.length === 4 ? u32(message.bytes, attribute.at) : undefined
}

const utf8 = new TextDecoder()
/** The value of an attribute as text; undefined when it is longer than RFC 8489 §14 allows. */
export function textOf(message: Message, type: number, bytesMax = 763): string | undefined {
  const bytes = bytesOf(message, type)
  return bytes && bytes.length <= bytesMax ? utf8.decode(bytes) : undefined
}

/** Every address attribute of the type (RFC 8489 §14.2); undefined when one is malformed. */
export function addressesOf(message: Message, type: number): Address[] | undefined {
  const addresses: Address[] = []
  for (const attribute of message.attributes) {
    if (attribute.type !== type) continue
    const address = readAddress(message, attribute)
    if (!address) return undefined
    addresses.push(address)
  }
  return addresses
}

function readAddress({ bytes }: Message, { at, length }: AttributeSpan): Address | undefined {
  const family = bytes[at + 1]
  const size = family === V4 ? 4 : family === V6 ? 16 : 0
  if (size === 0 || length !== 4 + size) return undefined
  const ip = new Uint8Array(size)
  // RFC 8489 §14.2: XOR with the cookie and the transaction id, which follow each other in the header.
  for (let i = 0; i < size; i++) ip[i] = (bytes[at + 4 + i] ?? 0) ^ (bytes[4 + i] ?? 0)
  return transportAddress(ip, u16(bytes, at + 2) ^ (MAGIC_COOKIE >>> 16))
}

const KNOWN = new Set<number>(Object.values(Attribute))
/** Unknown attributes that must be understood: those below 0x8000 (RFC 8489 §6.3.1). */
export function unknownOf(message: Message): number[] {
  const unknown = message.attributes.filter(({ type }) => type < 0x8000 && !KNOWN.has(type))
  return [...new Set(unknown.map(({ type }) => type))]
}

/** RFC 8489 §9.2.2: MD5(username ":" realm ":" password). */
export const longTermKey = (username: string, realm: string, password: string): Buffer =>
  hash('md5', `${username}:${realm}:${password}`, 'buffer')

/** True if MESSAGE-INTEGRITY is present and valid (RFC 8489 §14.5), compared in constant time. */
export function hasValidIntegrity(message: Message, key: Uint8Array): boolean {
  const attribute = attributeOf(message, Attribute.messageIntegrity)
  if (attribute?.length !== INTEGRITY_BYTES) return false
  const { bytes } = message
  return timingSafeEqual(
    messageIntegrity(bytes.subarray(0, attribute.at - 4), key),
    bytes.subarray(attribute.at, attribute.at + INTEGRITY_BYTES),
  )
}

/** The HMAC for MESSAGE-INTEGRITY; the length in the header counts that attribute too (RFC 8489 §14.5). */
export function messageIntegrity(bytes: Uint8Array, key: Uint8Array): Buffer {
  const length = bytes.length + 4 + INTEGRITY_BYTES - HEADER_BYTES
  return createHmac('sha1', key)
    .update(bytes.subarray(0, 2))
    .update(new Uint8Array([length >> 8, length & 0xff]))
    .update(bytes.subarray(4))
    .digest()
}

/** The value of FINGERPRINT (RFC 8489 §14.7): a CRC-32 of the bytes before `end`, XORed. */
export const fingerprint = (bytes: Uint8Array, end: number) =>
  (Bun.hash.crc32(bytes.subarray(0, end)) ^ FINGERPRINT_XOR) >>> 0

/** The transaction id (RFC 8489 §5). */
export const transactionOf = ({ bytes }: Message): Uint8Array => bytes.subarray(8, HEADER_BYTES)
