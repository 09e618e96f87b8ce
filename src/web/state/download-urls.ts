import { type Signal, signal } from '@preact/signals'
import { call } from './session.ts'
import { serverNow } from './server-clock.ts'

/** Ids are collected for this long, then requested together. */
const COLLECT_MS = 30
const IDS_MAX = 100
/** A URL is renewed this long before it expires. */
const MARGIN_MS = 60_000
/** More than a page shows at once. */
const KEPT_MAX = 2_000

type Variant = 'thumbnail' | 'original'
interface CachedUrl {
  /** Undefined until it is loaded; null if the server has none. */
  url: Signal<string | null | undefined>
  validUntil: number
}
const cache: Record<Variant, Map<number, CachedUrl>> = { thumbnail: new Map(), original: new Map() }
const wantedIds: Record<Variant, Set<number>> = { thumbnail: new Set(), original: new Set() }

/** The URL of a file's bytes, undefined until it is known; renders the calling component again then. */
export const urlOf = (id: number | null | undefined, variant: Variant = 'thumbnail'): string | undefined =>
  (id === null || id === undefined ? undefined : cachedUrl(id, variant)) ?? undefined

/** True if the server has no thumbnail of the file, for instance of a picture that it cannot decode. */
export const hasNoThumbnail = (id: number): boolean => cachedUrl(id, 'thumbnail') === null

function cachedUrl(id: number, variant: Variant): string | null | undefined {
  const existing = cache[variant].get(id)
  const cached = existing ?? { url: signal<string | null | undefined>(undefined), validUntil: 0 }
  cache[variant].set(id, cached)
  if (!existing) dropOldest(cache[variant])
  if (cached.validUntil < serverNow() && !wantedIds[variant].has(id)) {
    if (wantedIds[variant].size === 0) setTimeout(() => void fetchWanted(variant), COLLECT_MS)
    wantedIds[variant].add(id)
  }
  return cached.url.value
}

/** Drops the oldest address, so that the cache stays bounded. */
function dropOldest(urls: Map<number, CachedUrl>): void {
  const [oldest] = urls.keys()
  if (urls.size > KEPT_MAX && oldest !== undefined) urls.delete(oldest)
}

async function fetchWanted(variant: Variant): Promise<void> {
  const ids = [...wantedIds[variant]].slice(0, IDS_MAX)
  const answers: Record<string, { download_url: string; expires_at: string }> | undefined = await call(
    'POST /api/files/download-urls',
    {},
    { ids, variant },
  ).catch(() => undefined)
  for (const id of ids) {
    wantedIds[variant].delete(id)
    const [cached, answer] = [cache[variant].get(id), answers?.[id]]
    if (!cached) continue
    // A URL that was refused is requested again later.
    cached.validUntil = answer ? Date.parse(answer.expires_at) - MARGIN_MS : serverNow() + MARGIN_MS
    cached.url.value = answer?.download_url ?? (answers && null)
  }
  if (wantedIds[variant].size > 0) setTimeout(() => void fetchWanted(variant), COLLECT_MS)
}

/** A new URL of a file's bytes. Rejects with the problem when the server refuses. */
export async function freshUrlOf(id: number): Promise<string> {
  const { download_url } = await call('GET /api/files/:file_id/download-url', { file_id: id })
  return download_url
}

/** Lets the browser download a file, or open it in a new tab. */
export async function download(id: number, filename: string): Promise<void> {
  const download_url = await freshUrlOf(id)
  const link = document.createElement('a')
  Object.assign(link, { href: download_url, download: filename, target: '_blank', rel: 'noopener' })
  link.click()
}
