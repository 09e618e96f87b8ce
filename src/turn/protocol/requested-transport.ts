import { type Family, V4, V6 } from './addresses.ts'
import type { Wanted } from '../server/relay-ports.ts'
import { Attribute, bytesOf, type Message } from './stun.ts'

const PROTOCOL_UDP = 17

/**
 * What an Allocate asks for, judged in the order of RFC 8656 §7.2.
 * @returns the STUN error code when it cannot be asked
 */
export function wantedOf(message: Message): Wanted | 400 | 440 | 442 {
  const transport = bytesOf(message, Attribute.requested_transport)
  if (transport?.length !== 4) return 400
  // RFC 6062's TCP relays are not served.
  if (transport[0] !== PROTOCOL_UDP) return 442
  const [requested, additional, token, even] = [
    bytesOf(message, Attribute.requested_address_family),
    bytesOf(message, Attribute.additional_address_family) ??
      bytesOf(message, Attribute.additional_address_family_draft),
    bytesOf(message, Attribute.reservation_token),
    bytesOf(message, Attribute.even_port),
  ]
  if ([requested, additional].some((family) => family && family.length !== 4)) return 400
  if ((even && even.length !== 1) || (token && token.length !== 8)) return 400
  const reserve = ((even?.[0] ?? 0) & 0x80) !== 0
  if (token && (even || requested || additional)) return 400
  // RFC 8656 §7.2: beside the default family there is only IPv6 to add, and no pair of ports of two families.
  if (additional && (requested || additional[0] !== V6 || reserve)) return 400
  const family = requested?.[0] ?? V4
  if (family !== V4 && family !== V6) return 440
  const families: Family[] = additional ? [V4, V6] : [family]
  return { families, even: even !== undefined, reserve, token: token && Buffer.from(token).toString('hex') }
}
