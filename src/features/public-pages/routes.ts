import { Elysia } from 'elysia'
import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import { judgePreconditions } from '../../core/preconditions.ts'
import { callerOf } from '../../http/caller.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { byAddress } from '../sessions/identity.ts'
import { parseAddress } from './address.ts'
import { sitemapIndexOf } from './feeds.ts'
import { PublicPages } from './page-cache.ts'
import { segment } from './address.ts'
import { listedServers, publicPicture } from './places.ts'
import { STYLE_HASH } from './style.ts'

/** Search engines read thousands of pages from a few addresses. */
const PAGES: BucketPolicy = { name: 'public-pages', burst: 600, refillPerS: 60 }

const HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy':
    `default-src 'none'; script-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src 'self'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

const PartQuery = z.object({ after: z.string().optional(), before: z.string().optional() })
/** An id in the query of a page; anything else is as if it were absent. */
const idIn = (text: string | undefined): number | undefined =>
  /^\d{1,15}$/.test(text ?? '') ? Number(text) : undefined

/** Pages of public channels and forums, which need no account and run no scripts. */
export const publicPageRoutes = (parts: Parts, pages = new PublicPages(parts.sql)) => {
  const baseOf = (request: Request) => parts.environment.PUBLIC_URL ?? callerOf(request).base
  const sent = (request: Request, type: string, body: string, hash: string, headers: Record<string, string> = {}) => {
    const etag = `"${hash}"`
    const all = { ...HEADERS, ...headers, etag }
    if (judgePreconditions(request.headers, true, { etag }) === 'not modified')
      return new Response(null, { status: 304, headers: all })
    return new Response(body, { headers: { ...all, 'content-type': type } })
  }
  return new Elysia()
    .use(byAddress(parts, PAGES))
    .get(
      '/p/pictures/:file_id',
      async ({ params }) => {
        const id = idIn(params.file_id)
        const key = id === undefined ? undefined : await publicPicture(parts.sql, id)
        const bytes = key === undefined ? undefined : await parts.objects.get(key)
        if (!bytes) throw new Problem('not_found')
        return new Response(bytes, {
          headers: {
            ...HEADERS,
            'content-type': 'image/webp',
            'content-security-policy': "default-src 'none'; sandbox",
          },
        })
      },
      { params: z.object({ file_id: z.string() }), detail: { hide: true } },
    )
    .get(
      '/p/*',
      async ({ request, query }) => {
        const { pathname } = new URL(request.url)
        const address = parseAddress(pathname)
        const part = { after: idIn(query.after), before: idIn(query.before) }
        const page = address && (await pages.page(address, part, baseOf(request)))
        if (!page) throw new Problem('not_found')
        if (page.path !== pathname) {
          const search = new URLSearchParams(
            Object.entries(part).flatMap(([name, id]) => (id === undefined ? [] : [[name, String(id)]])),
          ).toString()
          const location = page.path + (search === '' ? '' : `?${search}`)
          return new Response(null, { status: 301, headers: { location, 'cache-control': 'no-cache' } })
        }
        const robots: Record<string, string> = page.isIndexed ? {} : { 'x-robots-tag': 'noindex, nofollow' }
        return sent(request, page.type, page.body, page.hash, robots)
      },
      { query: PartQuery, detail: { hide: true } },
    )
    .get(
      '/robots.txt',
      ({ request }) => {
        const body = `User-agent: *\nAllow: /p/\nDisallow: /\nSitemap: ${baseOf(request)}/sitemap.xml\n`
        return sent(request, 'text/plain; charset=utf-8', body, Bun.hash(body).toString(36))
      },
      { detail: { hide: true } },
    )
    .get(
      '/sitemap.xml',
      async ({ request }) => {
        const servers = await listedServers(parts.sql)
        const paths = servers.map(({ id, name }) => `/p/${segment(id, name)}/sitemap.xml`)
        const body = sitemapIndexOf(baseOf(request), paths)
        return sent(request, 'application/xml; charset=utf-8', body, Bun.hash(body).toString(36))
      },
      { detail: { hide: true } },
    )
}
