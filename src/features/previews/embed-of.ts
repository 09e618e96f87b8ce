import type { Embed } from './model.ts'
import type { PageHead } from './page-head.ts'
import { tidyText } from './page-text.ts'

/** Five previews with this much text fit into a message's embeds. */
const TITLE_MAX = 200
const DESCRIPTION_MAX = 500
const NAME_MAX = 100
/** Plausible dates of a page: Date accepts others. */
const TIME = /^(?:19|20)\d\d-\d\d-\d\d(?:T[\d:.,+Z-]{0,30})?$/

/** A preview without its link, which the message adds. */
export type Preview = Omit<Embed, 'url'>

const BARE: Preview = {
  type: 'link',
  title: null,
  description: null,
  color: null,
  site_name: null,
  author: null,
  fields: [],
  image: null,
  thumbnail: null,
  footer: null,
  timestamp: null,
}

/** The preview of a link to a picture. */
export const pictureEmbed = (): Preview => ({ ...BARE, type: 'image' })

/** A page's preview from OpenGraph, Twitter cards and HTML, without its picture; undefined if there is no data. */
export function previewOf({ title, meta }: PageHead): Preview | undefined {
  const first = (max: number, ...values: (string | undefined)[]) => {
    for (const value of values) {
      const text = value === undefined ? null : tidyText(value, max)
      if (text !== null) return text
    }
    return null
  }
  const heading = first(TITLE_MAX, meta.get('og:title'), meta.get('twitter:title'), title)
  const description = first(
    DESCRIPTION_MAX,
    meta.get('og:description'),
    meta.get('twitter:description'),
    meta.get('description'),
  )
  if (heading === null && description === null) return undefined
  const authors = [meta.get('author'), meta.get('article:author')].filter((name) => !/^\s*https?:/i.test(name ?? ''))
  const author = first(NAME_MAX, ...authors)
  return {
    ...BARE,
    type: showsVideo(meta) ? 'video' : 'link',
    title: heading,
    description,
    color: colorOf(meta.get('theme-color')),
    site_name: first(NAME_MAX, meta.get('og:site_name'), meta.get('application-name')),
    author: author === null ? null : { name: author, url: null },
    timestamp: timeOf(meta.get('article:published_time')),
  }
}

/** The address of the preview picture that a page names. */
export function pictureOf({ meta }: PageHead, page: URL): URL | undefined {
  const names = ['og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'] as const
  const address = names.map((name) => meta.get(name)).find((value) => value !== undefined)
  return address === undefined ? undefined : (URL.parse(address.trim(), page) ?? undefined)
}

/** True if a page wants its picture large. */
export const isLarge = ({ meta }: PageHead): boolean =>
  showsVideo(meta) || meta.get('twitter:card')?.trim().toLowerCase() === 'summary_large_image'

const showsVideo = (meta: PageHead['meta']): boolean =>
  meta.has('og:video') ||
  meta.has('og:video:url') ||
  meta.has('og:video:secure_url') ||
  meta.has('twitter:player') ||
  /^\s*video\b/i.test(meta.get('og:type') ?? '')

function colorOf(value = ''): string | null {
  const [, digits] = /^\s*#([0-9a-f]{6}|[0-9a-f]{3})\s*$/i.exec(value.slice(0, 40)) ?? []
  if (digits === undefined) return null
  return `#${digits.length === 6 ? digits : [...digits].map((digit) => digit + digit).join('')}`.toLowerCase()
}

function timeOf(value = ''): string | null {
  const text = value.slice(0, 60).trim()
  const time = TIME.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}
