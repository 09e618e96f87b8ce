import { createHash } from 'node:crypto'
import { URL_UNITS_MAX } from './web-fetcher.ts'

const LINKS_MAX = 5
/** Code blocks and code, as the web client shows them, and links in `<…>`, which ask for no preview. */
const QUIET = /```[\s\S]*?```|``[^`]+``|`[^`]+`|<https?:\/\/[^\s<>]*>/gi
const LINK = /\bhttps?:\/\/[^\s<>"'`\\^{|}]+/gi

/**
 * The links of a text that get previews, as they stand there, each once; not those in code and in `<…>`.
 * @param content at most a message's
 */
export function linksIn(content: string): string[] {
  const links = new Set<string>()
  for (const [found] of content.replace(QUIET, ' ').matchAll(LINK)) {
    const link = withoutEnding(found)
    if (link.length <= URL_UNITS_MAX && URL.canParse(link)) links.add(link)
    if (links.size === LINKS_MAX) break
  }
  return [...links]
}

/** The page of a link, without the part that it points at; undefined for what is no address. */
export function pageOf(link: string): { url: URL; hash: Buffer } | undefined {
  const url = URL.parse(link)
  if (!url) return undefined
  url.hash = ''
  return { url, hash: createHash('sha256').update(url.href).digest() }
}

const BRACKETS: Record<string, string> = { ')': '(', ']': '[' }

/** Takes away the punctuation of the sentence, and closing brackets that the link does not open. */
function withoutEnding(link: string): string {
  const counts = new Map<string, number>()
  for (const sign of link) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  let end = link.length
  for (; end > 0; end--) {
    const last = link[end - 1] ?? ''
    if (/[.,:;!?*_~]/.test(last)) continue
    const closed = counts.get(last) ?? 0
    if (BRACKETS[last] === undefined || closed <= (counts.get(BRACKETS[last]) ?? 0)) break
    counts.set(last, closed - 1)
  }
  return link.slice(0, end)
}
