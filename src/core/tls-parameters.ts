import { readFileSync } from 'node:fs'
import { checkServerIdentity, type ConnectionOptions } from 'node:tls'
import { messageOf, RefusesToBoot } from './errors.ts'

/** URL parameters for TLS, named as in libpq. */
const NAMES = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const
const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']

/** TLS mode: off, if the server supports it, or required with these options. */
export type Tls =
  | false
  | 'prefer'
  | (ConnectionOptions & {
      /** Checks the certificate of whichever of several hosts answers: patches/postgres@3.4.9.patch calls it. */
      checkHost?: typeof checkServerIdentity
    })

/**
 * Removes the TLS parameters from a URL. They mean the same as in libpq, except that without `sslrootcert` Bun's
 * authorities (and NODE_EXTRA_CA_CERTS) are trusted.
 * @param variable name of the URL, for error messages
 * @param standard the mode if the URL names none
 * @param isList true if the URL is the first of several, each with a name of its own
 * @throws RefusesToBoot if they contradict each other or a file is unreadable
 */
export function takeTls(url: URL, variable: string, standard: string, isList = false): Tls {
  const parameters = new Map(NAMES.map((name) => [name, url.searchParams.get(name)]))
  for (const name of NAMES) url.searchParams.delete(name)
  const root = parameters.get('sslrootcert')
  const mode = parameters.get('sslmode') ?? (root === 'system' ? 'verify-full' : standard)
  const refuse = (why: string): never => {
    throw new RefusesToBoot(`${variable} is not usable: ${why}.`)
  }
  if (!MODES.includes(mode)) refuse(`sslmode is none of ${MODES.join(', ')}`)
  if (root === 'system' && mode !== 'verify-full') refuse('sslrootcert=system needs sslmode=verify-full')
  if (root && ['disable', 'allow', 'prefer'].includes(mode))
    refuse(`sslrootcert is given, and nothing is verified with sslmode=${mode}: set sslmode=verify-full`)
  if (mode === 'disable') return false
  if (mode === 'allow' || mode === 'prefer') return 'prefer'
  const readParameter = (name: 'sslrootcert' | 'sslcert' | 'sslkey') => {
    const path = parameters.get(name)
    if (!path || path === 'system') return undefined
    try {
      return readFileSync(path, 'utf8')
    } catch (error) {
      return refuse(`${name} cannot be read: ${messageOf(error)}`)
    }
  }
  const [ca, cert, key] = [readParameter('sslrootcert'), readParameter('sslcert'), readParameter('sslkey')]
  const files = { ...(ca ? { ca } : {}), ...(cert ? { cert } : {}), ...(key ? { key } : {}) }
  // An IPv6 address without its brackets.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (mode === 'verify-full' && isList) return { ...files, rejectUnauthorized: true, checkHost: checkServerIdentity }
  if (mode === 'verify-full')
    return { ...files, rejectUnauthorized: true, checkServerIdentity: (_, peer) => checkServerIdentity(host, peer) }
  // As in libpq: with a root certificate, `require` also verifies the authority.
  const isVerifying = mode === 'verify-ca' || ca !== undefined
  return { ...files, rejectUnauthorized: isVerifying, checkServerIdentity: () => undefined }
}
