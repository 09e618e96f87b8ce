import { readFileSync } from 'node:fs'
import { checkServerIdentity, type ConnectionOptions } from 'node:tls'
import { messageOf, RefusesToBoot } from './errors.ts'

/** The parameters of a URL that say how TLS is spoken, by the names of libpq. */
const NAMES = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const
const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']

/** How TLS is spoken: not at all, where the server can, or in this way. */
export type Tls = false | 'prefer' | ConnectionOptions

/**
 * Takes the parameters of TLS out of a URL. They mean what they mean to libpq, but that without `sslrootcert` the
 * authorities of Bun (and NODE_EXTRA_CA_CERTS) are trusted.
 * @param variable what the URL is called, for a refusal
 * @param standard the mode of a URL that names none
 * @throws RefusesToBoot where they contradict each other, or a file cannot be read
 */
export function takeTls(url: URL, variable: string, standard: string): Tls {
  const given = new Map(NAMES.map((name) => [name, url.searchParams.get(name)]))
  for (const name of NAMES) url.searchParams.delete(name)
  const root = given.get('sslrootcert')
  const mode = given.get('sslmode') ?? (root === 'system' ? 'verify-full' : standard)
  const refuse = (why: string): never => {
    throw new RefusesToBoot(`${variable} is not usable: ${why}.`)
  }
  if (!MODES.includes(mode)) refuse(`sslmode is none of ${MODES.join(', ')}`)
  if (root === 'system' && mode !== 'verify-full') refuse('sslrootcert=system needs sslmode=verify-full')
  if (root && ['disable', 'allow', 'prefer'].includes(mode))
    refuse(`sslrootcert is given, and nothing is verified with sslmode=${mode}: set sslmode=verify-full`)
  if (mode === 'disable') return false
  if (mode === 'allow' || mode === 'prefer') return 'prefer'
  const read = (name: 'sslrootcert' | 'sslcert' | 'sslkey') => {
    const path = given.get(name)
    if (!path || path === 'system') return undefined
    try {
      return readFileSync(path, 'utf8')
    } catch (error) {
      return refuse(`${name} cannot be read: ${messageOf(error)}`)
    }
  }
  const [ca, cert, key] = [read('sslrootcert'), read('sslcert'), read('sslkey')]
  const files = { ...(ca ? { ca } : {}), ...(cert ? { cert } : {}), ...(key ? { key } : {}) }
  // Of an address of IPv6, without brackets.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (mode === 'verify-full')
    return { ...files, rejectUnauthorized: true, checkServerIdentity: (_, peer) => checkServerIdentity(host, peer) }
  // As in libpq: a root certificate makes `require` a verification of the authority.
  const verifies = mode === 'verify-ca' || ca !== undefined
  return { ...files, rejectUnauthorized: verifies, checkServerIdentity: () => undefined }
}
