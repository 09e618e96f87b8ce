import { type Signal, signal } from '@preact/signals'
import { call } from './session.ts'

/** How long ids are gathered before they are asked for together. */
const GATHER_MS = 30
const AT_ONCE_MAX = 100
/** A link is not used so shortly before it ends. */
const MARGIN_MS = 60_000

type Variant = 'thumbnail' | 'original'
interface Picture {
  url: Signal<string | undefined>
  until: number
}
const kept: Record<Variant, Map<number, Picture>> = { thumbnail: new Map(), original: new Map() }
const wanted: Record<Variant, Set<number>> = { thumbnail: new Set(), original: new Set() }

/** The address of a file's bytes, undefined until it is known; the calling component is rendered again with it. */
export function urlOf(id: number | null | undefined, variant: Variant = 'thumbnail'): string | undefined {
  if (id === null || id === undefined) return undefined
  const known = kept[variant].get(id)
  const picture = known ?? { url: signal(undefined), until: 0 }
  kept[variant].set(id, picture)
  if (picture.until < Date.now() && !wanted[variant].has(id)) {
    if (wanted[variant].size === 0) setTimeout(() => void fetchWanted(variant), GATHER_MS)
    wanted[variant].add(id)
  }
  return picture.url.value
}

async function fetchWanted(variant: Variant): Promise<void> {
  const ids = [...wanted[variant]].slice(0, AT_ONCE_MAX)
  const found = await call('POST /api/files/download-urls', {}, { ids, variant }).catch(() => ({}))
  const answers: Record<string, { download_url: string; expires_at: string }> = found
  for (const id of ids) {
    wanted[variant].delete(id)
    const [picture, answer] = [kept[variant].get(id), answers[id]]
    if (!picture) continue
    // What cannot be had now is asked for again later, not at once.
    picture.until = answer ? Date.parse(answer.expires_at) - MARGIN_MS : Date.now() + MARGIN_MS
    picture.url.value = answer?.download_url
  }
  if (wanted[variant].size > 0) setTimeout(() => void fetchWanted(variant), GATHER_MS)
}

/** Hands a file to the browser as a download, or opens it beside the page where browsers show it. */
export async function download(id: number, filename: string): Promise<void> {
  const { download_url } = await call('GET /api/files/:file_id/download-url', { file_id: id })
  const link = document.createElement('a')
  Object.assign(link, { href: download_url, download: filename, target: '_blank', rel: 'noopener' })
  link.click()
}
