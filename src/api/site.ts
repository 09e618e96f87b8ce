import { extname } from 'node:path'
import { Elysia } from 'elysia'
import { callerOf } from '../http/caller.ts'
import { Problem } from '../core/errors.ts'
import { CLIENT_PAGES } from '../core/client-pages.ts'
import { once } from '../core/once.ts'
import type { Environment } from '../environment.ts'
import { isExecutable } from '../core/program.ts'
import { byAddress } from '../features/sessions/identity.ts'
import type { BucketPolicy } from '../http/limits/limiter.ts'
import type { Parts } from '../parts.ts'
import { type Asset, assetOf, sendAsset } from './assets.ts'
import { codingsOf, takeCodings } from './client-codings.ts'
import { buildDesign, clientFiles, isClientBuilt, WORKER } from './client-files.ts'
import { clientList } from './client-list.ts'
import { pageHtml, type Urls, urlsOf } from './client-page.ts'
import { MANIFEST_WORDS, manifestOf } from './web-manifest.ts'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.sha256': 'text/plain; charset=utf-8',
}
/** Hundreds of people may share an address, and a page has dozens of files; each costs a fraction of 1 ms. */
const PAGES_AND_FILES: BucketPolicy = { name: 'client', burst: 2_000, refillPerS: 200 }
const YEAR_SECONDS = 31_536_000

interface Site {
  urls: Urls
  page: Asset
  /** By name, which contains a hash of the content; each is compressed on its first request. */
  assets: Map<string, () => Promise<Asset>>
  worker: Asset
  /** By language. */
  manifests: Map<string, Asset>
  /** The hashes of the client's files, and the hash of this list. */
  list: Asset
  listHash: string
}

/** The web client at `/`: built on the first request, not at start, and cached compressed in memory. */
export const site = (parts: Parts) => {
  const { PUBLIC_URL, ...environment } = parts.environment
  const origins = storageOrigins(environment)
  const app = new Elysia().use(byAddress(parts, PAGES_AND_FILES)).get(
    '/assets/:name',
    async ({ params, request }) => {
      const asset = (await buildOnce()).assets.get(params.name)
      if (!asset) throw new Problem('not_found')
      return sendAsset(await asset(), request, { 'cache-control': `public, max-age=${YEAR_SECONDS}, immutable` })
    },
    { detail: { hide: true } },
  )
  const page = async ({ request }: { request: Request }) => {
    const { base } = callerOf(request)
    return sendAsset((await buildOnce()).page, request, {
      'cache-control': 'no-cache',
      ...securityHeaders(PUBLIC_URL ?? base, origins),
    })
  }
  for (const path of CLIENT_PAGES) app.get(path, page, { detail: { hide: true } })
  // Browsers must revalidate these, because their names stay the same.
  const anew = { 'cache-control': 'no-cache' }
  app.get('/worker.js', async ({ request }) => sendAsset((await buildOnce()).worker, request, anew), {
    detail: { hide: true },
  })
  app.get('/client.sha256', async ({ request }) => sendAsset((await buildOnce()).list, request, anew), {
    detail: { hide: true },
  })
  app.get(
    '/manifest.webmanifest',
    async ({ request }) => {
      const { manifests } = await buildOnce()
      const lang = new URL(request.url).searchParams.get('lang') ?? ''
      return sendAsset((manifests.get(lang) ?? manifests.get('en')) as Asset, request, anew)
    },
    { detail: { hide: true } },
  )
  // Without an active service worker, shared data cannot be stored.
  app.post('/share', () => new Response(null, { status: 303, headers: { location: '/app' } }), {
    parse: 'none',
    detail: { hide: true },
  })
  // Only in development: a clone without a public name.
  if (!isExecutable && PUBLIC_URL === undefined)
    app.get(
      '/design',
      async ({ request }) =>
        sendAsset(await designPage(), request, securityHeaders(PUBLIC_URL ?? callerOf(request).base, origins)),
      { detail: { hide: true } },
    )
  return app
}

/**
 * The S3 origin of files, unless Parley stores them itself. The bucket is part of the host name unless S3_PATH_STYLE
 * is on.
 */
function storageOrigins(environment: Omit<Environment, 'PUBLIC_URL'>): string[] {
  const { S3_ENDPOINT, S3_PUBLIC_ENDPOINT, S3_PATH_STYLE, S3_BUCKET } = environment
  const endpoint = S3_PUBLIC_ENDPOINT ?? S3_ENDPOINT
  if (!endpoint) return []
  const { protocol, host, origin } = new URL(endpoint)
  return [S3_PATH_STYLE === 'on' ? origin : `${protocol}//${S3_BUCKET}.${host}`]
}

/** Security headers of the page. The policy allows only own scripts and styles, and nothing inline. */
function securityHeaders(base: string, origins: string[]): Record<string, string> {
  const files = ["'self'", ...origins].join(' ')
  const policy = {
    'default-src': "'none'",
    // Noise suppression and the encryption of calls are WebAssembly; eval stays forbidden.
    'script-src': "'self' 'wasm-unsafe-eval'",
    'style-src': "'self'",
    'img-src': `${files} blob: data:`,
    'media-src': `${files} blob:`,
    'font-src': "'self'",
    // Some browsers do not count WebSockets of the same origin as 'self'.
    'connect-src': `${files} ${base.replace(/^http/, 'ws')}`,
    'manifest-src': "'self'",
    'worker-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
  }
  return {
    'content-security-policy': Object.entries(policy)
      .map(([name, value]) => `${name} ${value}`)
      .join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(self), geolocation=(), microphone=(self), display-capture=(self)',
    // URLs contain invite codes.
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
  }
}

/** The built site, which all servers of the process share. */
const buildOnce = once(build)

async function build(): Promise<Site> {
  const files = await clientFiles()
  const codings = takeCodings(files)
  const urls = urlsOf(files)
  const { text, hash } = clientList(files)
  const worker = files.get(WORKER)
  if (!worker) throw new Error('the build has no worker')
  files.delete(WORKER)
  const manifest = async ([lang, words]: [string, Parameters<typeof manifestOf>[2]]) => {
    const text = JSON.stringify(manifestOf(urls, lang, words))
    return [lang, await siteAsset('.webmanifest', new TextEncoder().encode(text))] as const
  }
  return {
    urls,
    assets: new Map([...files].map(([name, bytes]) => [name, laterAsset(name, bytes, codings)])),
    page: await pageOf(urls),
    worker: await siteAsset(WORKER, worker, codings),
    manifests: new Map(await Promise.all(Object.entries(MANIFEST_WORDS).map(manifest))),
    list: await siteAsset('.sha256', new TextEncoder().encode(text)),
    listHash: hash,
  }
}

/** The SHA-256 of /client.sha256; null in a clone that runs its sources, where the client may not be built yet. */
export const clientHash = async (): Promise<string | null> => (isClientBuilt ? (await buildOnce()).listHash : null)

const pageOf = (urls: Urls): Promise<Asset> => siteAsset('.html', new TextEncoder().encode(pageHtml(urls)))

/** The page of all controls. */
const designPage = once(buildDesignPage)

async function buildDesignPage(): Promise<Asset> {
  const { urls, assets } = await buildOnce()
  const [name, bytes] = await buildDesign()
  assets.set(name, laterAsset(name, bytes))
  return pageOf({ ...urls, script: `/assets/${name}` })
}

const laterAsset = (name: string, bytes: Uint8Array, codings = codingsOf): (() => Promise<Asset>) =>
  once(() => siteAsset(name, bytes, codings))

const siteAsset = (name: string, bytes: Uint8Array, codings = codingsOf): Promise<Asset> =>
  assetOf(name, TYPES[extname(name) || name] ?? 'application/octet-stream', bytes, codings)
