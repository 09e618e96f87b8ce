import { lookup } from 'node:dns/promises'
import { type IpRange, ipKey, isWithin, parseIp, parseRange } from '../../core/ip.ts'
import { ownAddresses, resolveAnnounced } from '../../core/own-addresses.ts'
import { reachableFrom, SPECIAL_PURPOSE } from '../../core/special-addresses.ts'
import type { Environment } from '../../environment.ts'
import { FetchRefusal } from './fetch-refusal.ts'

/** A name with more addresses than this is refused. */
const ADDRESSES_MAX = 32
const HOST_UNITS_MAX = 253
/** Announced names are resolved again after this time. */
const ANNOUNCED_MS = 60_000
const PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 }
/** IPv6 addresses assigned for use on the Internet (RFC 4291 §2.4), and embeddings of IPv4 addresses. */
const IPV6_IN_USE = ['2000::/3', '64:ff9b::/96', '::ffff:0:0/96'].map(parseRange)

export type Lookup = (name: string) => Promise<string[]>

/** The target of a connection: addresses that were checked, not a name that could resolve differently later. */
export interface Destination {
  addresses: string[]
  port: number
  /** Host name or address as in the URL, without brackets; for SNI and the certificate. */
  host: string
}

const lookupName: Lookup = async (name) => (await lookup(name, { all: true })).map(({ address }) => address)

/** Decides which addresses previews may be fetched from: public ones that are not this machine's. */
export class Destinations {
  readonly #allowed: IpRange[]
  readonly #announced: string[]
  readonly #addressesByHost = new Map<string, Uint8Array[]>()
  #resolved: { at: number; ips: Promise<Uint8Array[]> } | undefined

  constructor(
    environment: Pick<
      Environment,
      'PREVIEW_ALLOWED_ADDRESSES' | 'TURN_ANNOUNCED_ADDRESS' | 'SFU_ANNOUNCED_ADDRESS' | 'PUBLIC_URL'
    >,
    private readonly lookupAll: Lookup = lookupName,
  ) {
    const { PREVIEW_ALLOWED_ADDRESSES, TURN_ANNOUNCED_ADDRESS, SFU_ANNOUNCED_ADDRESS, PUBLIC_URL } = environment
    this.#allowed = PREVIEW_ALLOWED_ADDRESSES.map(parseRange)
    const names = [...TURN_ANNOUNCED_ADDRESS, SFU_ANNOUNCED_ADDRESS, PUBLIC_URL && hostOf(new URL(PUBLIC_URL))]
    this.#announced = names.filter((name) => name !== undefined)
  }

  /**
   * Resolves the host of a URL once, and checks all of its addresses.
   * @throws FetchRefusal for another scheme or port, credentials, and a host with an address that is not public
   */
  async resolve(url: URL): Promise<Destination> {
    const port = PORTS[url.protocol]
    if (port === undefined) throw new FetchRefusal('scheme')
    if (url.username !== '' || url.password !== '') throw new FetchRefusal('credentials')
    // Other ports are only for addresses that the operator allows.
    if (url.port !== '' && this.#allowed.length === 0) throw new FetchRefusal('port')
    const host = hostOf(url)
    if (host === '' || host.length > HOST_UNITS_MAX) throw new FetchRefusal('host')
    const addresses = parseIp(host) ? [host] : await this.lookupAll(host).catch(() => [])
    if (addresses.length === 0) throw new FetchRefusal('unresolved')
    if (addresses.length > ADDRESSES_MAX) throw new FetchRefusal('addresses')
    const ownIps = new Set([...ownAddresses().map(({ ip }) => ip), ...(await this.#announcedIps())].map(ipKey))
    for (const address of addresses) {
      const forms = formsOf(address)
      const isAllowed = forms.some((form) => this.#allowed.some((range) => isWithin(form, range)))
      if (isAllowed) continue
      if (url.port !== '') throw new FetchRefusal('port')
      if (forms.length === 0 || !forms.every(isPublic) || forms.some((form) => ownIps.has(ipKey(form))))
        throw new FetchRefusal('address')
    }
    return { addresses, port: url.port === '' ? port : Number(url.port), host }
  }

  /** The announced addresses, resolved with the first link. */
  #announcedIps(): Promise<Uint8Array[]> {
    const now = Date.now()
    if (this.#resolved === undefined || now - this.#resolved.at > ANNOUNCED_MS)
      this.#resolved = { at: now, ips: resolveAnnounced(this.#announced, this.#addressesByHost) }
    return this.#resolved.ips
  }
}

/** Host of a URL without the brackets of IPv6 and the final dot, which certificates do not have. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/** The address and those embedded in it; empty if it is not an address, or has a zone. */
function formsOf(address: string): Uint8Array[] {
  const ip = address.includes('%') ? undefined : parseIp(address)
  return ip ? reachableFrom(ip) : []
}

const isPublic = (ip: Uint8Array): boolean =>
  !SPECIAL_PURPOSE.has(ip) && (ip.length === 4 || IPV6_IN_USE.some((range) => isWithin(ip, range)))
