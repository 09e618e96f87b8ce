import { type Family, V4, V6 } from './addresses.ts'
import { Attribute, bytesOf, type Message } from './stun.ts'

const PROTOCOL_UDP = 17

/** The attributes of an Allocate request. RFC 8656 §7.1. */
export interface AllocateRequest {
  families: Family[]
  /** EVEN-PORT. */
  even: boolean
  /** Reserve the next higher port (the R bit of EVEN-PORT). */
  reserve: boolean
  /** RESERVATION-TOKEN in hex. */
  token?: string | undefined
}

/**
 * Reads an Allocate request in the order of RFC 8656 §7.2.
 * @returns the STUN error code of an invalid or unsupported request
 */
export function readAllocateRequest(message: Message): AllocateRequest | 400 | 440 | 442 {
  const transport = bytesOf(message, Attribute.requestedTransport)
  if (transport?.length !== 4) return 400
  // TCP allocations (RFC 6062) are not supported.
  if (transport[0] !== PROTOCOL_UDP) return 442
  const [requestedFamily, additionalFamily, token, even] = [
    bytesOf(message, Attribute.requestedAddressFamily),
    bytesOf(message, Attribute.additionalAddressFamily) ?? bytesOf(message, Attribute.additionalAddressFamilyDraft),
    bytesOf(message, Attribute.reservationToken),
    bytesOf(message, Attribute.evenPort),
  ]
  if ([requestedFamily, additionalFamily].some((family) => family && family.length !== 4)) return 400
  if ((even && even.length !== 1) || (token && token.length !== 8)) return 400
  const reserve = ((even?.[0] ?? 0) & 0x80) !== 0
  if (token && (even || requestedFamily || additionalFamily)) return 400
  // RFC 8656 §7.2: only IPv6 can be added, to the default family, and not together with a reserved port.
  if (additionalFamily && (requestedFamily || additionalFamily[0] !== V6 || reserve)) return 400
  const family = requestedFamily?.[0] ?? V4
  if (family !== V4 && family !== V6) return 440
  const families: Family[] = additionalFamily ? [V4, V6] : [family]
  return { families, even: even !== undefined, reserve, token: token && Buffer.from(token).toString('hex') }
}
