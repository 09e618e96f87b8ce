import { isIP } from 'node:net'
import type { Environment } from '../../environment.ts'

/**
 * The id under which authenticators know the installation: the host of PUBLIC_URL. WebAuthn §5.1.2 requires a domain,
 * not an address, and a secure context.
 * @returns undefined if passkeys cannot work
 */
export function relyingPartyId({ PUBLIC_URL }: Pick<Environment, 'PUBLIC_URL'>): string | undefined {
  if (PUBLIC_URL === undefined) return undefined
  const { protocol, hostname } = new URL(PUBLIC_URL)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isDomain = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 && !hostname.endsWith('.')
  return isDomain && (protocol === 'https:' || isLocal) ? hostname : undefined
}
