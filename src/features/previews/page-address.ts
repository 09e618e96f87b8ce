import { createHash } from 'node:crypto'

/** The page of a link, without the part that it points at; undefined for what is no address. */
export function pageOf(link: string): { url: URL; hash: Buffer } | undefined {
  const url = URL.parse(link)
  if (!url) return undefined
  url.hash = ''
  return { url, hash: createHash('sha256').update(url.href).digest() }
}
