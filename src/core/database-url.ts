import { z } from 'zod'

/** Servers that DATABASE_URL may name. Each connection tries them in turn. */
const HOSTS_MAX = 8
/** Accepted values of target_session_attrs. All of them select the primary. */
const FOR_WRITERS = ['any', 'read-write', 'primary']
const PARTS = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#]*)([^]*)$/

export interface DatabaseHost {
  host: string
  port: number
}

/** A DATABASE_URL, which may name several servers, as in libpq: `postgres://u:p@a:5432,b:5432/parley`. */
export interface DatabaseUrl {
  /** The URL with only the first server. */
  url: URL
  hosts: DatabaseHost[]
}

/** @throws TypeError if the text is not a URL of PostgreSQL */
export function parseDatabaseUrl(text: string): DatabaseUrl {
  const [, scheme = '', login = '', authority = '', rest = ''] = PARTS.exec(text) ?? []
  if (scheme === '') throw new TypeError('Must be a URL postgres://user:password@host:port/database')
  const [first = '', ...others] = authority.split(',')
  const url = new URL(scheme + login + first + rest)
  // A URL without a host names a Unix socket by a parameter. In a list, no host may be empty.
  if (others.length > 0 && [first, ...others].includes('')) throw new TypeError('A host in the list is empty')
  const hosts = [url, ...others.map((host) => new URL(scheme + host))].map(({ hostname, port }) => ({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || 5432),
  }))
  return { url, hosts }
}

/** Why a DATABASE_URL cannot be used, as a sentence without its full stop; undefined if it can. */
function databaseUrlFault(text: string): string | undefined {
  try {
    const { url, hosts } = parseDatabaseUrl(text)
    if (hosts.length > HOSTS_MAX) return `Must name ${HOSTS_MAX} hosts at most`
    const target = url.searchParams.get('target_session_attrs')
    if (target !== null && !FOR_WRITERS.includes(target))
      return 'target_session_attrs leads to a server that takes no writes: set it to primary'
    return undefined
  } catch {
    return 'Must be a URL postgres://user:password@host:port/database, or one with a comma-separated list of host:port'
  }
}

/** Replicas that DATABASE_REPLICA_URLS may name. */
const REPLICAS_MAX = 8

/** A comma-separated list of URLs, each of one server. */
export const replicaUrls = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(/,(?=\s*postgres(?:ql)?:)/)
      .map((url) => url.trim())
      .filter(Boolean),
  )
  .superRefine((urls, { addIssue }) => {
    if (urls.length > REPLICAS_MAX) addIssue({ code: 'custom', message: `Must name ${REPLICAS_MAX} replicas at most` })
    if (!urls.every(isOfOneServer))
      addIssue({ code: 'custom', message: 'Must be URLs postgres://user:password@host:port/database, comma-separated' })
  })

function isOfOneServer(text: string): boolean {
  try {
    const { url, hosts } = parseDatabaseUrl(text)
    const isDatabase = /^\/[^/,]+$/.test(url.pathname)
    return hosts.length === 1 && hosts[0]?.host !== '' && isDatabase && !url.searchParams.has('target_session_attrs')
  } catch {
    return false
  }
}

export const databaseUrl = z.string().superRefine((value, { addIssue }) => {
  const message = databaseUrlFault(value)
  if (message !== undefined) addIssue({ code: 'custom', message })
})

/** The same DATABASE_URL with this password, which is not encoded yet. */
export function withDatabasePassword(text: string, password: string): string {
  const [, scheme = '', login = '', authority = '', rest = ''] = PARTS.exec(text) ?? []
  const [user = ''] = login.replace(/@$/, '').split(':')
  return `${scheme}${user}:${encodeURIComponent(password)}@${authority}${rest}`
}
