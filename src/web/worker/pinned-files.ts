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
// list does not name is refused. The list has no headers, so this worker decides on those that change what a file does.

/** Files that are loaded at once. */
const PARALLEL = 6
/** Headers of the server that are kept: none that leads the browser elsewhere, or lets it read a file differently. */
const HEADERS = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'permissions-policy',
  'referrer-policy',
  'x-frame-options',
]
const PAGE = 'app'
/** Applies in addition to the server's policy, which could be missing. */
const POLICY = [
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
].join('; ')
const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  wasm: 'application/wasm',
  woff2: 'font/woff2',
}

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
  const client = [pin, pin.former].find((each) => each && Object.hasOwn(each.files, name))
  const hash = client?.files[name]
  // Perhaps a page that has been open since before the pin.
  if (!client || hash === undefined) return Response.error()
  const cacheName = fileCache(client.hash)
  const stored = await caches.match(path, { cacheName })
  if (stored) return stored
  const file = await checked(name, hash).catch(() => undefined)
  if (file instanceof Response) {
    // Without space, it is compared again the next time.
    await caches
      .open(cacheName)
      .then((cache) => cache.put(path, file.clone()))
      .catch(() => {})
    return file
  }
  if (file === 'mismatch')
    for (const page of await scope.clients.matchAll({ type: 'window', includeUncontrolled: true }))
      page.postMessage({ refusedFile: path })
  return Response.error()
}

export const pinnedPage = (): Promise<Response | undefined> => pinnedFile(`/${PAGE}`)

/** Loads a file and compares it. @throws Error without a network */
async function checked(name: string, hash: string): Promise<Response | 'mismatch' | 'missing'> {
  const cached = name.startsWith('assets/') ? await load(name, hash, 'default') : undefined
  // The browser may have kept a wrong one, as a file that never changes.
  return cached instanceof Response ? cached : load(name, hash, 'reload')
}

async function load(name: string, hash: string, cache: RequestCache): Promise<Response | 'mismatch' | 'missing'> {
  const answer = await fetch(`/${name}`, { credentials: 'omit', cache })
  if (!answer.ok) return 'missing'
  const bytes = await answer.arrayBuffer()
  if ((await hashOf(bytes)) !== hash) return 'mismatch'
  return new Response(bytes, { headers: headersOf(name, answer.headers) })
}

function headersOf(name: string, sent: Headers): Headers {
  const type = name === PAGE ? 'text/html; charset=utf-8' : TYPES[name.split('.').at(-1) ?? '']
  const headers = new Headers({
    'content-type': type ?? 'application/octet-stream',
    'x-content-type-options': 'nosniff',
  })
  for (const key of HEADERS) {
    const value = sent.get(key)
    if (value !== null) headers.set(key, value)
  }
  if (name === PAGE) headers.append('content-security-policy', POLICY)
  return headers
}

let turn: Promise<unknown> = Promise.resolve()

/** Does what a page asks for, one request after another: two pages may ask at once. */
export function changePin(request: PinRequest): Promise<PinAnswer> {
  const work = turn.then(() => change(request))
  turn = work
  return work
}

async function change(request: PinRequest): Promise<PinAnswer> {
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
  const isKept = former?.hash === hash || former?.former?.hash === hash
  if (fault && !isKept) await caches.delete(fileCache(hash))
  if (fault) return fault
  const before = former?.hash === hash ? former.former : former && { hash: former.hash, files: former.files }
  await writePin({ hash, version, at: new Date().toISOString(), files, ...(before ? { former: before } : {}) })
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
