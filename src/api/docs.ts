import { join } from 'node:path'
import { Elysia } from 'elysia'
import { Problem } from '../core/errors.ts'
import { once } from '../core/once.ts'
import { programFile } from '../core/program.ts'
import { byAddress } from '../features/sessions/identity.ts'
import type { BucketPolicy } from '../http/limits/limiter.ts'
import type { Parts } from '../parts.ts'
import { type Asset, assetOf, sendAsset } from './assets.ts'
import { asyncApi } from './asyncapi.ts'
import { quickCodingsOf } from './client-codings.ts'
import { OriginDocument } from './origin-document.ts'

const UI = programFile('node_modules/swagger-ui-dist')
/** Files of swagger-ui-dist that the page loads. Served locally, because the package’s own page uses a CDN. */
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']

const INITIALIZER = `window.onload = () => SwaggerUIBundle({
  url: '/docs/json', dom_id: '#swagger-ui', deepLinking: true, presets: [SwaggerUIBundle.presets.apis],
  validatorUrl: null, persistAuthorization: false, defaultModelsExpandDepth: 0, docExpansion: 'list', filter: true,
})`

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" href="/docs/favicon-32x32.png">
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/initializer.js"></script>
</html>`

const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE_HEADERS = { 'cache-control': 'no-cache', 'content-security-policy': CSP, 'x-frame-options': 'DENY' }

/** A page of the documentation requests six files. */
const DOCUMENTS: BucketPolicy = { name: 'documents', burst: 60, refillPerS: 5 }
const HOUR_SECONDS = 3600

async function uiFile(name: string): Promise<Asset> {
  // Derived from the name: nothing is read.
  const { type } = Bun.file(name)
  return assetOf(name, type, await Bun.file(join(UI, name)).bytes(), quickCodingsOf)
}

/**
 * Serves Swagger UI at /docs, OpenAPI at /docs/json, AsyncAPI at /docs/asyncapi.json. All of it is local, and built on
 * the first request, so that an idle server does not pay for it.
 * @param routes every declared route; read on the first request for the document
 */
export const docs = (parts: Parts, routes: Elysia['routes']) => {
  const rest = new OriginDocument(
    // Loaded on the first request.
    async () => (await import('./openapi.ts')).openApi(routes),
    (base) => [{ url: base }],
  )
  const gateway = new OriginDocument(asyncApi, (base) => {
    const { protocol, host } = new URL(base)
    return { parley: { host, protocol: protocol === 'https:' ? 'wss' : 'ws' } }
  })
  const text = (name: string, type: string, body: string) =>
    once(() => assetOf(name, type, new TextEncoder().encode(body)))
  const page = text('page', 'text/html; charset=utf-8', PAGE)
  const initializer = text('initializer', 'text/javascript', INITIALIZER)
  const files = new Map(FILES.map((file) => [file, once(() => uiFile(file))]))
  const hidden = { detail: { hide: true } }
  const forAnHour = { 'cache-control': `public, max-age=${HOUR_SECONDS}` }
  return new Elysia({ prefix: '/docs' })
    .use(byAddress(parts, DOCUMENTS))
    .get('/', async ({ request }) => sendAsset(await page(), request, PAGE_HEADERS), hidden)
    .get('/json', async ({ request }) => rest.send(request), hidden)
    .get('/asyncapi.json', async ({ request }) => gateway.send(request), hidden)
    .get('/initializer.js', async ({ request }) => sendAsset(await initializer(), request, forAnHour), hidden)
    .get(
      '/:file',
      async ({ params: { file }, request }) => {
        const asset = files.get(file)
        if (!asset) throw new Problem('not_found')
        return sendAsset(await asset(), request, forAnHour)
      },
      hidden,
    )
}
