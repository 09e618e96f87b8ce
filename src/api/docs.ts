import { join } from 'node:path'
import { Elysia } from 'elysia'
import { callerOf } from '../http/caller.ts'
import { asyncApi } from './asyncapi.ts'
import { Problem } from '../core/errors.ts'
import { programFile } from '../core/program.ts'

const UI = programFile('node_modules/swagger-ui-dist')
/** Files of swagger-ui-dist that the page loads: served from here, since the package’s own page asks a CDN. */
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

/**
 * The documentation: Swagger UI at /docs, OpenAPI at /docs/json, AsyncAPI at /docs/asyncapi.json; all of it local.
 * @param routes every declared route; read when the document is first requested
 */
export const docs = (routes: Elysia['routes']) => {
  let document: Record<string, unknown> | undefined
  const hidden = { detail: { hide: true } }
  return new Elysia({ prefix: '/docs' })
    .onTransform(({ request, route }) => void (callerOf(request).route = route))
    .get('/', async () => html(PAGE), hidden)
    .get(
      '/json',
      async ({ request }) => {
        // Loaded with the first request: an idle server does without.
        const { openApi } = await import('./openapi.ts')
        return { ...(document ??= openApi(routes)), servers: [{ url: callerOf(request).base }] }
      },
      hidden,
    )
    .get('/asyncapi.json', async ({ request }) => asyncApi(callerOf(request).base), hidden)
    .get('/initializer.js', async () => file(INITIALIZER, 'text/javascript'), hidden)
    .get(
      '/:file',
      async ({ params }) => {
        if (!FILES.includes(params.file)) throw new Problem('not_found')
        const asset = Bun.file(join(UI, params.file))
        return file(asset, asset.type)
      },
      hidden,
    )
}

const html = (body: string) =>
  new Response(body, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': CSP,
      'x-frame-options': 'DENY',
    },
  })

const file = (body: BodyInit, type: string) =>
  new Response(body, { headers: { 'content-type': type, 'cache-control': 'public, max-age=3600' } })
