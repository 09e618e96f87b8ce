import { Elysia } from 'elysia'
import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import { judgePreconditions } from '../../core/preconditions.ts'
import { callerOf } from '../../http/caller.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { addressKey } from '../sessions/address.ts'
import { byAddress } from '../sessions/identity.ts'
import { parseAddress, segment } from './address.ts'
import { sitemapIndexOf } from './feeds.ts'
import { PublicPages } from './page-cache.ts'
import { listedServers, publicPicture } from './places.ts'
import { STYLE_HASH } from './style.ts'

/** Search engines read thousands of pages from a few addresses. */
const PAGES: BucketPolicy = { name: 'public-pages', burst: 600, refillPerS: 60 }
/** Pages that are not in the cache: lower, because each costs some statements. */
const BUILDS: BucketPolicy = { name: 'public-builds', burst: 200, refillPerS: 20 }
/** The index of sitemaps, which reads all public servers. */
const SITEMAPS: BucketPolicy = { name: 'public-sitemaps', burst: 10, refillPerS: 0.1 }

const HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy':
    `default-src 'none'; script-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src 'self'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}
const PICTURE_HEADERS = {
  ...HEADERS,
  'content-type': 'image/webp',
  'content-security-policy': "default-src 'none'; sandbox",
}
const NOT_INDEXED = { 'x-robots-tag': 'noindex, nofollow' }

const PartQuery = z.object({ after: z.string().optional(), before: z.string().optional() })
/** An id in an address; anything else is as if it were absent. */
const idIn = (text: string | undefined): number | undefined =>
  /^\d{1,15}$/.test(text ?? '') ? Number(text) : undefined

/** A response with a validator; 304 if the client has it. */
function sent(request: Request, body: string | Uint8Array<ArrayBuffer>, hash: string, headers: Record<string, string>) {
  const etag = `"${hash}"`
  if (judgePreconditions(request.headers, true, { etag }) === 'not modified')
    return new Response(null, { status: 304, headers: { ...headers, etag } })
  return new Response(body, { headers: { ...headers, etag } })
}

const sentText = (request: Request, type: string, body: string) =>
  sent(request, body, Bun.hash(body).toString(36), { ...HEADERS, 'content-type': `${type}; charset=utf-8` })

/** Pages of public channels and forums, which need no account and run no scripts. */
export const publicPageRoutes = (
  parts: Parts,
  pages = new PublicPages(
    parts.sql,
    parts.environment.DATABASE_CONNECTIONS,
    undefined,
    parts.environment.DATABASE_REPLICA_URLS.length > 0 ? parts.read : undefined,
  ),
) => {
  const baseOf = (request: Request) => parts.environment.PUBLIC_URL ?? callerOf(request).base
  const take = (request: Request, policy: BucketPolicy) => {
    const caller = callerOf(request)
    return parts.limits.take(caller, policy, addressKey(caller.ip))
  }
  return new Elysia()
    .use(byAddress(parts, PAGES))
    .get(
      '/p/pictures/:file_id',
      async ({ params, request }) => {
        const id = idIn(params.file_id)
        const picture = id === undefined ? undefined : await publicPicture(parts.sql, id)
        if (!picture) throw new Problem('not_found')
        const etag = `"${id}"`
        const headers = { ...(picture.isIndexed ? PICTURE_HEADERS : { ...PICTURE_HEADERS, ...NOT_INDEXED }), etag }
        if (judgePreconditions(request.headers, true, { etag }) === 'not modified')
          return new Response(null, { status: 304, headers })
        const bytes = await parts.objects.get(picture.key)
        if (!bytes) throw new Problem('not_found')
        return new Response(bytes, { headers })
      },
      { params: z.object({ file_id: z.string() }), detail: { hide: true } },
    )
    .get(
      '/p/*',
      async ({ request, query }) => {
        const { pathname } = new URL(request.url)
        const address = parseAddress(pathname)
        const part = { after: idIn(query.after), before: idIn(query.before) }
        const page = address && (await pages.page(address, part, baseOf(request), () => take(request, BUILDS)))
        if (!page) throw new Problem('not_found')
        const headers = page.isIndexed ? HEADERS : { ...HEADERS, ...NOT_INDEXED }
        if (page.path === pathname)
          return sent(request, page.body, page.hash, { ...headers, 'content-type': page.type })
        const search = new URLSearchParams(
          Object.entries(part).flatMap(([name, id]) => (id === undefined ? [] : [[name, String(id)]])),
        ).toString()
        return new Response(null, {
          status: 301,
          headers: { ...headers, location: page.path + (search === '' ? '' : `?${search}`) },
        })
      },
      { query: PartQuery, detail: { hide: true } },
    )
    .get(
      '/robots.txt',
      ({ request }) => {
        const rules = ['User-agent: *', 'Allow: /p/', 'Allow: /sitemap.xml$', 'Disallow: /']
        return sentText(request, 'text/plain', `${rules.join('\n')}\nSitemap: ${baseOf(request)}/sitemap.xml\n`)
      },
      { detail: { hide: true } },
    )
    .get(
      '/sitemap.xml',
      async ({ request }) => {
        await take(request, SITEMAPS)
        const servers = await listedServers(parts.sql)
        const paths = servers.map(({ id, name }) => `/p/${segment(id, name)}/sitemap.xml`)
        return sentText(request, 'application/xml', sitemapIndexOf(baseOf(request), paths))
      },
      { detail: { hide: true } },
    )
}
