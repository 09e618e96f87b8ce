import { createHash } from 'node:crypto'

/** The URL of a link without its fragment; undefined if it is not a URL. */
export function pageOf(link: string): { url: URL; hash: Buffer } | undefined {
  const url = URL.parse(link)
  if (!url) return undefined
  url.hash = ''
  return { url, hash: createHash('sha256').update(url.href).digest() }
}
