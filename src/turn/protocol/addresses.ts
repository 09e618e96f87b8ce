import { type AddressKey, ipKey } from '../../core/ip.ts'

/** Address families as STUN numbers them (RFC 8489 §14.1). */
export const V4 = 1
export const V6 = 2
export type Family = typeof V4 | typeof V6

/** A transport address. */
export interface Address {
  family: Family
  ip: Uint8Array
  port: number
  /** Key of the IP address. */
  hostKey: AddressKey
  /** Key of the IP address and port. */
  key: AddressKey
  /** struct sockaddr, made when the first packet is sent to the address. */
  sockaddr?: Uint32Array
}

/** The prefix that limits count as one client: an IPv4 address, or the /64 of an IPv6 address. */
export const clientPrefix = (ip: Uint8Array): Uint8Array => (ip.length === 4 ? ip : ip.subarray(0, 8))

/** A transport address (IP address and port); `ip` is kept, not copied. */
export function transportAddress(ip: Uint8Array, port: number): Address {
  const hostKey = ipKey(ip)
  const key = typeof hostKey === 'number' ? hostKey * 0x10000 + port : hostKey + String.fromCharCode(port)
  return { family: ip.length === 4 ? V4 : V6, ip, port, hostKey, key }
}
