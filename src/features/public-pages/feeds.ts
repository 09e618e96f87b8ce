import { segment } from './address.ts'
import { lineOf, type PageContent, pathOf } from './documents.ts'
import { type Markup, markup } from './markup.ts'
import { plainLine } from './rich-text.ts'

const TITLE_MAX = 80
const XML = '<?xml version="1.0" encoding="utf-8"?>\n'

interface FeedEntry {
  /** Stays the same when the place gets another name. */
  id: string
  url: string
  title: string
  author: string
  at: string
  text: string
}

/** The permanent address of a channel: it has no names. */
const idOf = ({ server, channel, context }: Pick<PageContent, 'server' | 'channel' | 'context'>): string =>
  `${context.base}/p/${server.id}/${channel?.id}`

/** Posts and messages of a page as entries of its feed, the newest first. */
function entriesOf({ server, channel, threads, messages, context }: PageContent): FeedEntry[] {
  const url = `${context.base}${pathOf({ server, channel })}`
  const homeId = idOf({ server, channel, context })
  const posts = threads.map((one) => ({
    id: `${homeId}/${one.id}`,
    url: `${url}/${segment(one.id, one.name)}`,
    title: one.name,
    author: context.names.author(one.author),
    at: one.created_at,
    text: plainLine(one.content, context),
  }))
  const messageEntries = messages.map((one) => {
    const text = lineOf(one, context)
    return {
      id: `${homeId}#m${one.id}`,
      url: `${url}?after=${one.id - 1}#m${one.id}`,
      title: [...text].slice(0, TITLE_MAX).join('') || '…',
      author: context.names.author(one.author),
      at: one.edited_at ?? one.created_at,
      text,
    }
  })
  return [...posts, ...messageEntries].toSorted((a, b) => (a.at < b.at ? 1 : -1))
}

const entryTag = ({ id, url, title, author, at, text }: FeedEntry): Markup => markup`<entry>
<id>${id}</id>
<title>${title}</title>
<updated>${at}</updated>
<author><name>${author}</name></author>
<link rel="alternate" type="text/html" href="${url}"/>
<summary>${text}</summary>
</entry>
`

/** The Atom feed of a channel: its newest posts, or messages. Source: RFC 4287. */
export function atomOf(page: PageContent): string {
  const { server, channel, context } = page
  const url = `${context.base}${pathOf(page)}`
  const entries = entriesOf(page)
  const feed = markup`<feed xmlns="http://www.w3.org/2005/Atom">
<id>${idOf(page)}</id>
<title>${channel?.name} · ${server.name}</title>
<updated>${entries[0]?.at ?? channel?.created_at}</updated>
<link rel="alternate" type="text/html" href="${url}"/>
<link rel="self" type="application/atom+xml" href="${url}/feed.atom"/>
${entries.map(entryTag)}</feed>
`
  return XML + feed.text
}

/** A sitemap of these paths. Source: sitemaps.org. */
export const sitemapOf = (base: string, paths: string[]): string =>
  XML +
  markup`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${paths.map((path) => markup`<url><loc>${base}${path}</loc></url>\n`)}</urlset>
`.text

/** The sitemaps of servers. */
export const sitemapIndexOf = (base: string, paths: string[]): string =>
  XML +
  markup`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${paths.map((path) => markup`<sitemap><loc>${base}${path}</loc></sitemap>\n`)}</sitemapindex>
`.text
