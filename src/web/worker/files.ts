import { isClientPage } from '../../core/client-pages.ts'
import { KEPT_PAGE, readKept } from '../device/kept.ts'
import { pinnedFile, pinnedPage } from './pinned-files.ts'

/** Set by the build: the hash of all files, those that the first page loads, and those of languages by code. */
declare const BUILD: { version: string; files: string[]; page: string; languages: Record<string, string> }

const PREFIX = 'parley-'
/** A page of the version before may still be open. */
const VERSIONS_KEPT = 2
/** A network that has not answered by then counts as away: the page opens within a second. */
const NETWORK_MS_MAX = 500
/** Pages that are not the client's. */
const FOREIGN = /^\/(api|docs|media|objects|metrics|healthz|readyz|\.well-known)(\/|$)/

const OWN = PREFIX + BUILD.version
const ownCache = () => caches.open(OWN)
/** The caches of the versions that are kept, the newest last. */
const versions = async () => (await caches.keys()).filter((name) => name.startsWith(PREFIX))

/** Loads the files of the first page, before this version replaces the previous one. */
export async function install(): Promise<void> {
  const names = await versions()
  // A version that returns is the newest again.
  if (names.includes(OWN) && names.at(-1) !== OWN) await caches.delete(OWN)
  const cache = await ownCache()
  await cache.addAll(BUILD.files)
  const language = BUILD.languages[String(await readKept('language').catch(() => undefined))]
  if (language !== undefined) await cache.add(language)
  await cache.add(new Request(BUILD.page, { cache: 'reload', credentials: 'omit' }))
}

/** Removes the files of earlier versions. */
export async function removeOld(): Promise<void> {
  const names = (await versions()).filter((name) => name !== OWN)
  for (const name of names.slice(0, Math.max(0, names.length - VERSIONS_KEPT + 1))) await caches.delete(name)
}

/** Keeps files that a page had loaded before the worker was there. */
export async function keepFiles(paths: string[]): Promise<void> {
  const cache = await ownCache()
  for (const path of paths) if (isAsset(path) && !(await cache.match(path))) await cache.add(path).catch(() => {})
}

/** Files of the build have the hash of their content in their names: they never change. */
export const isAsset = (path: string): boolean => /^\/assets\/[\w.-]+$/.test(path)
export const isPage = (path: string): boolean => !FOREIGN.test(path)

export async function assetOf(request: Request): Promise<Response> {
  const pinned = await pinnedFile(new URL(request.url).pathname)
  if (pinned) return pinned
  const cached = await caches.match(request)
  if (cached) return cached
  const answer = await fetch(request)
  if (answer.ok) await (await ownCache()).put(request, answer.clone())
  return answer
}

/** The page from the server; without a network a stored one. A pinned client has its own page in both cases. */
export async function pageOf(request: Request): Promise<Response> {
  const pinned = isClientPage(new URL(request.url).pathname) ? await pinnedPage() : undefined
  if (pinned?.type === 'error') return pinned
  const response = fetch(request)
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => resolve('late'), NETWORK_MS_MAX)
  const answer = await Promise.race([response.catch(() => undefined), late])
  clearTimeout(timer)
  if (answer instanceof Response) return pinned ?? answer
  const page = pinned ?? (await keptPage(answer === 'late'))
  return page ? markOffline(page) : response
}

/**
 * The newest stored page. This worker may not be the newest: the next one waits while this one answers requests, which
 * takes minutes if the network hangs. Without any network it is the page that wrote the snapshot, which a newer page
 * cannot show.
 */
async function keptPage(isNewest: boolean): Promise<Response | undefined> {
  const names = (await versions()).toReversed()
  const copies = await Promise.all(names.map(async (name) => (await caches.open(name)).match(BUILD.page)))
  const pages = copies.filter((page) => page !== undefined)
  const script = isNewest ? undefined : await readKept('script').catch(() => undefined)
  if (typeof script !== 'string') return pages[0]
  const texts = await Promise.all(pages.map((page) => page.clone().text()))
  return pages[texts.findIndex((text) => text.includes(`"${script}"`))] ?? pages[0]
}

/** The page, marked for its script as served without a network. */
function markOffline({ body, headers: before }: Response): Response {
  const headers = new Headers(before)
  headers.set('server-timing', KEPT_PAGE)
  return new Response(body, { headers })
}
