import { BlockList, isIP } from 'node:net'
import type { Log } from '../core/log.ts'
import type { Environment } from '../environment.ts'
import type { Caller } from '../http/caller.ts'

/** Determines where requests come from, and whether a proxy in front names the client. */
export class ClientAddresses {
  private readonly isTrusted: (ip: string) => boolean
  private readonly clientAddress: ReturnType<typeof addressReader>
  private hasWarned = false

  constructor(
    private readonly environment: Pick<Environment, 'TRUSTED_PROXIES' | 'PUBLIC_URL'>,
    private readonly log: Log,
  ) {
    this.isTrusted = proxyCheck(environment.TRUSTED_PROXIES)
    this.clientAddress = addressReader(environment.TRUSTED_PROXIES, (peer) =>
      log('warn', 'proxy.untrusted', { peer, hint: 'X-Forwarded-For is ignored; see TRUSTED_PROXIES' }),
    )
  }

  /** @param address of the connection's other end */
  read(request: Request, address: string): Pick<Caller, 'ip' | 'way'> {
    const peer = plain(address)
    const way = this.wayOf(peer, request.headers)
    if (way === 'silent') this.warnOfSilence(peer, request)
    return { ip: this.clientAddress(peer, request.headers.get('x-forwarded-for')), way }
  }

  private wayOf(peer: string, headers: Headers): Caller['way'] {
    if (headers.has('x-forwarded-for')) return this.isTrusted(peer) ? 'named' : 'untrusted'
    const near = this.environment.PUBLIC_URL !== undefined && isLoopback(peer)
    if (near || this.isTrusted(peer)) return 'silent'
    return headers.has('forwarded') ? 'untrusted' : 'direct'
  }

  /** Paths of health checks do not count, because the machine's own checks come from loopback too. */
  private warnOfSilence(peer: string, { url }: Request): void {
    if (this.hasWarned) return
    if (/^\/(healthz|readyz|metrics)$/.test(URL.parse(url)?.pathname ?? '/healthz')) return
    this.hasWarned = true
    const hint = 'the proxy sends no X-Forwarded-For, so its clients share one rate limit'
    this.log('warn', 'proxy.silent', { peer, hint })
  }
}

/**
 * Reads a client's address: the peer's or, if the peer is a trusted proxy, the last address in X-Forwarded-For that is
 * not a trusted proxy's.
 * @param trustedProxies addresses and CIDR ranges
 * @param onUntrusted called once, when another peer sends X-Forwarded-For
 */
export function addressReader(trustedProxies: string[], onUntrusted: (peer: string) => void) {
  const isTrusted = proxyCheck(trustedProxies)
  let hasWarned = false
  return (peer: string, forwarded: string | null): string => {
    const address = plain(peer)
    if (forwarded === null) return address
    if (!isTrusted(address)) {
      if (!hasWarned) onUntrusted(address)
      hasWarned = true
      return address
    }
    const chain = forwarded.split(',').map((part) => plain(part.trim()))
    const client = chain.findLast((ip) => !isTrusted(ip))
    return client !== undefined && isIP(client) !== 0 ? client : address
  }
}

/** Builds a check for addresses in this list of addresses and CIDR ranges. */
function proxyCheck(trustedProxies: string[]): (ip: string) => boolean {
  if (trustedProxies.length === 0) return () => false
  const proxies = new BlockList()
  for (const entry of trustedProxies) {
    const [address = '', prefix] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) proxies.addAddress(address, family)
    else proxies.addSubnet(address, Number(prefix), family)
  }
  return (ip) => isIP(ip) !== 0 && proxies.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
}

const isLoopback = (ip: string): boolean => ip === '::1' || ip.startsWith('127.')

/** Unwraps an IPv4-mapped IPv6 address. */
const plain = (ip: string): string => ip.replace(/^::ffff:(?=\d+\.)/i, '')
