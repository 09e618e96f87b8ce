import { join } from 'node:path'
import { Elysia } from 'elysia'
import { callerOf } from './adapters/caller.ts'
import { API_VERSION, asyncApi } from './catalogue.ts'
import { errorCodes, Problem } from './core/errors.ts'
import { permissionBits } from './core/permissions.ts'
import { openApi } from './openapi.ts'

const UI = join(import.meta.dir, '../node_modules/swagger-ui-dist')
/** What the page needs of swagger-ui-dist: served from here, since its default is a CDN. */
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js', 'favicon-32x32.png']

const INITIALIZER = `window.onload = () => SwaggerUIBundle({
  url: '/docs/json', dom_id: '#swagger-ui', deepLinking: true, presets: [SwaggerUIBundle.presets.apis],
  validatorUrl: null, persistAuthorization: false, defaultModelsExpandDepth: -1, docExpansion: 'list', filter: true,
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

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'"

const table = (rows: string[][]) => rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const codes = Object.entries(errorCodes).map(([code, { status, title }]) => [`\`${code}\``, String(status), title])
const bits = Object.entries(permissionBits).map(([name, bit]) => [String(bit), `\`${name}\``])

const DESCRIPTION = `A self-hosted messenger: accounts, communities, text channels and a live gateway.

**Start here**: register, copy the token, press *Authorize*. The live channel is the WebSocket at \`/ws\`; its events
and commands are described at [/docs/asyncapi.json](/docs/asyncapi.json). Where an answer has a \`Link\` header with
\`rel="next"\`, there is a next page. Errors are RFC 9457 problems; \`code\` is stable:

${table([['code', 'status', 'meaning'], ['---', '---', '---'], ...codes])}

\`permissions\` is a sum of bits:

${table([['bit', 'name'], ['---', '---'], ...bits])}`

const DOCUMENTATION = {
  info: { title: 'Parley', version: API_VERSION, description: DESCRIPTION },
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      cookie: { type: 'apiKey', in: 'cookie', name: '__Host-session' },
    },
  },
  security: [{ bearer: [] }, { cookie: [] }],
}

/**
 * The documentation: Swagger UI at /docs, OpenAPI at /docs/json, AsyncAPI at /docs/asyncapi.json; all of it local.
 * @param routes the declared routes, asked for once all of them are there
 */
export const docs = (routes: () => Elysia['routes']) => {
  let document: ReturnType<typeof openApi> | undefined
  return new Elysia()
    .onTransform(({ request, route }) => void (callerOf(request).route = route))
    .get('/docs/json', async () => (document ??= openApi(routes(), DOCUMENTATION)), { detail: { hide: true } })
    .get('/docs', async () => html(PAGE), { detail: { hide: true } })
    .get('/docs/initializer.js', async () => file(INITIALIZER, 'text/javascript'), { detail: { hide: true } })
    .get('/docs/asyncapi.json', async ({ request }) => asyncApi(callerOf(request).base), { detail: { hide: true } })
    .get(
      '/docs/:file',
      async ({ params }) => {
        if (!FILES.includes(params.file)) throw new Problem('not_found')
        const asset = Bun.file(join(UI, params.file))
        return file(asset, asset.type)
      },
      { detail: { hide: true } },
    )
}

const html = (body: string) =>
  new Response(body, { headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': CSP } })

const file = (body: BodyInit, type: string) =>
  new Response(body, { headers: { 'content-type': type, 'cache-control': 'public, max-age=3600' } })
