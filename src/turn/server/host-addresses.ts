import { ipKey, isWithin, parseRange } from '../../core/ip.ts'
import type { OwnAddress } from '../../core/own-addresses.ts'
import { type Family, transportAddress, V4, V6 } from '../protocol/addresses.ts'

const PRIVATE = parseRange('fc00::/7')
const FAMILIES: Family[] = [V4, V6]
/** The address of this host in one family, as peers see it and as its interface has it; both differ behind 1:1 NAT. */
export interface HostAddress {
  family: Family
  announced: Uint8Array
  bound: Uint8Array
}

/** The host's address in each family: announced as configured, else as the interface has it. */
export function hostAddresses(ownAddresses: OwnAddress[], announced: Uint8Array[]): HostAddress[] {
  return FAMILIES.flatMap((family) => {
    const inFamily = <T extends { ip: Uint8Array }>(list: T[]) =>
      list.filter(({ ip }) => transportAddress(ip, 0).family === family)
    const ownInFamily = inFamily(ownAddresses)
    const [announcedAddress] = inFamily(announced.map((ip) => ({ ip })))
    // An interface with the announced address means no NAT; else one of its own addresses is bound, public ones first.
    const sameAddress = announcedAddress && ownInFamily.find(({ ip }) => ipKey(ip) === ipKey(announcedAddress.ip))
    const rank = ({ ip, loopback }: OwnAddress) => (loopback ? 2 : isWithin(ip, PRIVATE) ? 1 : 0)
    const boundAddress = sameAddress ?? ownInFamily.toSorted((a, b) => rank(a) - rank(b))[0]
    return boundAddress ? [{ family, announced: announcedAddress?.ip ?? boundAddress.ip, bound: boundAddress.ip }] : []
  })
}
