import { withoutHidden } from '../../core/visible.ts'

/** Addresses of public pages: `/p/<server>[/<channel>[/<post>]]`, each an id and a slug. The id decides. */
export interface PageAddress {
  server_id: number
  channel_id?: number | undefined
  thread_id?: number | undefined
  /** A page, its data, the feed of a channel, or the addresses of a server. */
  form: 'html' | 'json' | 'atom' | 'sitemap'
}

const SEGMENT = /^(\d{1,15})(?:-[^/]*)?$/
const SLUG_CHARACTERS_MAX = 60

/** A name as part of an address: letters and numbers of any script, joined by hyphens. */
export function slugOf(name: string): string {
  const words =
    withoutHidden(name.toWellFormed())
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  const characters = [...words.join('-')]
  if (characters.length <= SLUG_CHARACTERS_MAX) return characters.join('')
  return characters
    .slice(0, SLUG_CHARACTERS_MAX)
    .join('')
    .replace(/-[^-]*$/, '')
}

/** An id with the slug of a name, as part of an address. */
export const segment = (id: number, name: string): string => {
  const slug = slugOf(name)
  return slug === '' ? String(id) : `${id}-${encodeURIComponent(slug)}`
}

/** Parses the path of a public page. @returns undefined for anything else */
export function parseAddress(path: string): PageAddress | undefined {
  const [, root, ...segments] = path.split('/')
  if (root !== 'p' || segments.length === 0 || segments.length > 4) return undefined
  const last = segments.at(-1) ?? ''
  const special = { 'sitemap.xml': 'sitemap', 'feed.atom': 'atom' }[last] as PageAddress['form'] | undefined
  const form = special ?? (last.endsWith('.json') ? 'json' : 'html')
  const places = special ? segments.slice(0, -1) : segments
  const ids = places.map((place, at) => {
    const plain = form === 'json' && at === places.length - 1 ? place.slice(0, -'.json'.length) : place
    return Number(SEGMENT.exec(plain)?.[1] ?? Number.NaN)
  })
  const [server_id, channel_id, thread_id] = ids
  if (server_id === undefined || ids.length > 3 || ids.some((id) => !Number.isSafeInteger(id))) return undefined
  if (form === 'sitemap' && ids.length !== 1) return undefined
  if (form === 'atom' && ids.length !== 2) return undefined
  return { server_id, channel_id, thread_id, form }
}
