import {
  fileCache,
  filesIn,
  hashOf,
  LIST_PATH,
  type Pin,
  type PinAnswer,
  type PinRequest,
  readPin,
  writePin,
} from '../device/pin-record.ts'
import { scope } from './scope.ts'

// The files of a pinned client, as this worker serves them. Each was compared with the list that the person has
// accepted before it was stored. A file that is not stored is loaded, compared and refused if it differs; one that the
// list does not name is refused.

/** Files that are loaded at once. */
const PARALLEL = 6
/** Headers of a page that are kept: none that leads the browser elsewhere. */
const HEADERS = [
  'content-type',
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'permissions-policy',
  'referrer-policy',
  'x-frame-options',
]
const PAGE = 'app'

let reading: Promise<Pin | undefined> | undefined

function current(): Promise<Pin | undefined> {
  const work = (reading ??= readPin())
  work.catch(() => void (reading = undefined))
  return work
}

/** A file of the pinned client, or a refusal; undefined if no client is pinned. @param path with its slash */
export async function pinnedFile(path: string): Promise<Response | undefined> {
  const pin = await current()
  if (!pin) return undefined
  const name = path.slice(1)
  const stored = await caches.match(path, { cacheName: fileCache(pin.hash) })
  if (stored) return stored
  const file = await checked(name, pin.files[name]).catch(() => undefined)
  if (file instanceof Response) {
    await (await caches.open(fileCache(pin.hash))).put(path, file.clone())
    return file
  }
  if (file === 'mismatch')
    for (const client of await scope.clients.matchAll({ type: 'window', includeUncontrolled: true }))
      client.postMessage({ refusedFile: path })
  return Response.error()
}

export const pinnedPage = (): Promise<Response | undefined> => pinnedFile(`/${PAGE}`)

/** Loads a file and compares it. @throws Error without a network */
async function checked(name: string, hash: string | undefined): Promise<Response | 'mismatch' | 'missing'> {
  if (hash === undefined) return 'mismatch'
  const cached = name.startsWith('assets/') ? await load(name, hash, 'default') : undefined
  // The browser may have kept a wrong one, as a file that never changes.
  return cached instanceof Response ? cached : load(name, hash, 'reload')
}

async function load(name: string, hash: string, cache: RequestCache): Promise<Response | 'mismatch' | 'missing'> {
  const answer = await fetch(`/${name}`, { credentials: 'omit', cache })
  if (!answer.ok) return 'missing'
  const bytes = await answer.arrayBuffer()
  if ((await hashOf(bytes)) !== hash) return 'mismatch'
  const headers = HEADERS.flatMap((key): [string, string][] => {
    const value = answer.headers.get(key)
    return value === null ? [] : [[key, value]]
  })
  return new Response(bytes, { headers })
}

/** Does what the page asks for. */
export async function changePin(request: PinRequest): Promise<PinAnswer> {
  try {
    return request.kind === 'take' ? await take(request.hash, request.version) : await drop()
  } catch {
    // The browser has no space left, for instance.
    return 'incomplete'
  } finally {
    reading = undefined
  }
}

async function drop(): Promise<PinAnswer> {
  await writePin(undefined)
  return 'dropped'
}

/** Loads and compares all files of a client, then pins it. Whatever fails, the former pin stays as it is. */
async function take(hash: string, version: string): Promise<PinAnswer> {
  const former = await readPin()
  const list = await fetch(LIST_PATH, { cache: 'no-store' }).then(
    (answer) => answer.arrayBuffer(),
    () => undefined,
  )
  if (!list) return 'incomplete'
  const files = (await hashOf(list)) === hash ? filesIn(new TextDecoder().decode(list)) : undefined
  if (!files) return 'mismatch'
  const fault = await store(hash, files).catch((): PinAnswer => 'incomplete')
  if (fault && former?.hash !== hash) await caches.delete(fileCache(hash))
  if (fault) return fault
  await writePin({ hash, version, at: new Date().toISOString(), files })
  return 'taken'
}

/** Stores the files of a client that are not stored yet. @returns what is wrong with one of them */
async function store(hash: string, files: Record<string, string>): Promise<PinAnswer | undefined> {
  const cache = await caches.open(fileCache(hash))
  const waiting = Object.entries(files)
  let fault: PinAnswer | undefined
  const work = async () => {
    for (let next = waiting.pop(); next && !fault; next = waiting.pop()) {
      const [name, fileHash] = next
      if (await cache.match(`/${name}`)) continue
      const file = await checked(name, fileHash)
      if (file instanceof Response) await cache.put(`/${name}`, file)
      else fault = file === 'mismatch' ? 'mismatch' : 'incomplete'
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, work))
  return fault
}
