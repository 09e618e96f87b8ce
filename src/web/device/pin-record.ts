// The pinned client: a device keeps the files of a client that its person has accepted, and runs no others
// (docs/operating.md). It is off unless the person turns it on. The record and the files are in caches of their own,
// because a logout deletes the database: a server can end a session, and must not end the pin by that.

/** The client that the person has accepted. */
export interface Pin {
  /** SHA-256 of /client.sha256. */
  hash: string
  /** The version that the server named then. */
  version: string
  /** When the person accepted it, ISO 8601. */
  at: string
  /** SHA-256 of each file by its path, without the leading slash. */
  files: Record<string, string>
  /** The client accepted before, for pages that were open when the person accepted this one. */
  former?: Pick<Pin, 'hash' | 'files'>
}

/** The worker's answer to a request of the page. */
export type PinAnswer = 'taken' | 'dropped' | 'mismatch' | 'incomplete'
/** A request of the page to the worker: which client to accept, or none any more. */
export type PinRequest = { kind: 'take'; hash: string; version: string } | { kind: 'drop' }

export const PIN_CACHE = 'pinned'
export const LIST_PATH = '/client.sha256'
const RECORD_PATH = '/pinned.json'
/** The client has some 400 files. */
const FILES_MAX = 4_000
const LINE = /^([0-9a-f]{64}) {2}(app|worker\.js|assets\/[\w.-]{1,200})$/

/** The cache of a client's files. */
export const fileCache = (hash: string): string => `${PIN_CACHE}-${hash}`

export async function readPin(): Promise<Pin | undefined> {
  const record = await caches.match(RECORD_PATH, { cacheName: PIN_CACHE })
  return record && ((await record.json()) as Pin)
}

/**
 * Replaces the record, then removes the files of clients that it does not name.
 * @param pin undefined to keep nothing any more
 */
export async function writePin(pin: Pin | undefined): Promise<void> {
  if (pin) await (await caches.open(PIN_CACHE)).put(RECORD_PATH, new Response(JSON.stringify(pin)))
  else await caches.delete(PIN_CACHE)
  const clients = pin ? [pin, ...(pin.former ? [pin.former] : [])] : []
  const accepted = clients.map(({ hash }) => fileCache(hash))
  for (const name of await caches.keys())
    if (name.startsWith(`${PIN_CACHE}-`) && !accepted.includes(name)) await caches.delete(name)
}

/** SHA-256 in hexadecimal. */
export async function hashOf(bytes: BufferSource): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The files of a list. @returns undefined if it is none of a client */
export function filesIn(list: string): Record<string, string> | undefined {
  const lines = list.trimEnd().split('\n')
  const entries = lines.slice(0, FILES_MAX).map((line) => LINE.exec(line))
  const files = Object.fromEntries(entries.flatMap((match) => (match ? [[match[2], match[1]]] : [])))
  const isWhole = lines.length <= FILES_MAX && Object.keys(files).length === lines.length
  return isWhole && 'app' in files && 'worker.js' in files ? files : undefined
}
