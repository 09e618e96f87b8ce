import { STATUS_CODES } from 'node:http'
import { toOpenAPISchema } from '@elysiajs/openapi'
import type { Elysia } from 'elysia'
import { z } from 'zod'
import { API_VERSION } from './asyncapi.ts'
import { errorCodes } from '../core/errors.ts'
import { permissionBits } from '../core/permissions.ts'

interface Schema {
  title?: string
  properties?: Record<string, Schema>
  items?: Schema | boolean
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  [keyword: string]: unknown
}
type Media = Record<string, { schema: Schema; example?: unknown }>
interface Operation {
  requestBody?: { content: Media } | undefined
  responses: Record<string, { description: string; content?: Media }>
}

const row = (...cells: unknown[]) => `| ${cells.join(' | ')} |`
const rows = <T>(record: Record<string, T>, cells: (name: string, value: T) => unknown[]) =>
  Object.entries(record)
    .map(([name, value]) => row(...cells(name, value)))
    .join('\n')

const DESCRIPTION = `A self-hosted messenger: accounts, communities, text channels, files and a live gateway.

**Start here**: register, copy the token, press *Authorize*. The live channel is the WebSocket at \`/ws\`; its events
and commands are described at [/docs/asyncapi.json](/docs/asyncapi.json). Where an answer has a \`Link\` header with
\`rel="next"\`, there is a next page. Errors are RFC 9457 problems with a stable \`code\`.

Bodies have at most 256 KiB, below \`/api/auth\` at most 16 KiB. An account has 50 requests at once and 20 more each
second; a body counts as one more for each 64 KiB. Without a valid token the address counts, and each 16 KiB.

<details><summary>Error codes</summary>

${row('code', 'status', 'meaning')}
${row('---', '---', '---')}
${rows(errorCodes, (code, { status, title }) => [`\`${code}\``, status, title])}

</details>

<details><summary>Permission bits: \`permissions\` is a sum of them</summary>

${row('bit', 'name')}
${row('---', '---')}
${rows(permissionBits, (name, bit) => [bit, `\`${name}\``])}

</details>`

/** The tags in the order in which Swagger UI lists them. */
const TAGS = [
  'Accounts',
  'Sessions',
  'Servers',
  'Members',
  'Roles',
  'Channels',
  'Messages',
  'Files',
  'Voice',
  'Invites',
  'Gateway',
  'Operations',
]

/** Example values by property name, for schemas without an example of their own. */
const EXAMPLES: Record<string, unknown> = {
  code: 'xwth7a86n3',
  content: 'A kingfisher, <@42>!',
  content_type: 'image/jpeg',
  current_password: 'Correct-Horse-7!',
  description: 'Everything with feathers',
  detail: 'What was wrong, in a sentence',
  display_name: 'Otter#4821',
  download_url: 'https://chat.example.org/objects/parley/files/0b9e…?X-Amz-Signature=…',
  email: 'alice@example.org',
  filename: 'kingfisher.jpg',
  invite_code: 'xwth7a86n3',
  ip: '203.0.113.7',
  key: 'incoming/0f1e2d3c4b5a69788796a5b4c3d2e1f0',
  message: 'Done',
  name: 'Birdwatchers',
  nonce: 'c0ffee-1',
  password: 'Correct-Horse-7!',
  path: 'body.name',
  reason: 'Spam',
  request_id: '7f1f9f52-6f0e-4c5e-9f0b-2f6d1f6f9a55',
  ticket: 'mW1o0mZkqv3hJ8pYb2x9c4dE5fG6hI7j',
  token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9…',
  topic: 'What we saw',
  upload_url: 'https://chat.example.org/objects/parley/incoming/0f1e…?X-Amz-Signature=…',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/151.0',
  username: 'alice',
}

/** The OpenAPI 3.1 document of the declared routes: the plugin's document, completed by `finish`. */
export function openApi(routes: Elysia['routes']): Record<string, unknown> {
  const described = routes.map(({ hooks, ...route }) => {
    const { 204: nothing, ...response } = hooks.response ?? {}
    const responses = nothing ? { ...response, 204: z.any().describe('No Content') } : response
    // The plugin does not know that our own parser accepts JSON alone.
    return { ...route, hooks: { ...hooks, parse: [{ fn: 'json' }], response: responses } }
  })
  const source = { getGlobalRoutes: () => described, getGlobalDefinitions: () => ({ type: {} }) }
  const { paths } = toOpenAPISchema(source as never, { paths: [/^\/docs/] })
  const schemas: Record<string, Schema> = {}
  for (const operations of Object.values(paths as Record<string, Record<string, Operation>>)) {
    for (const operation of Object.values(operations)) finish(operation, schemas)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Parley', version: API_VERSION, description: DESCRIPTION },
    tags: TAGS.map((name) => ({ name })),
    security: [{ bearer: [] }, { cookie: [] }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        cookie: { type: 'apiKey', in: 'cookie', name: '__Host-session' },
      },
    },
  }
}

/** Moves titled schemas into components, gives every body an example and every problem its media type. */
function finish(operation: Operation, schemas: Record<string, Schema>): void {
  const [body] = Object.values(operation.requestBody?.content ?? {})
  if (body?.schema.title === 'NoBody') delete operation.requestBody
  const bodies = [operation.requestBody?.content, ...Object.values(operation.responses).map((answer) => answer.content)]
  for (const [at, content] of bodies.entries()) {
    for (const media of Object.values(content ?? {})) {
      media.example = sample(media.schema)
      media.schema = named(media.schema, schemas, at > 0)
    }
  }
  for (const [status, answer] of Object.entries(operation.responses)) {
    if (answer.description.startsWith('Response for')) answer.description = STATUS_CODES[status] ?? status
    const json = answer.content?.['application/json']
    if (status === '204') delete answer.content
    else if (json?.schema.$ref === '#/components/schemas/Problem') {
      const code = /`(\w+)`/.exec(answer.description)?.[1] ?? ''
      const title = new Map<string, { title: string }>(Object.entries(errorCodes)).get(code)?.title
      const example = { type: 'about:blank', title, status: Number(status), code, detail: title }
      answer.content = { 'application/problem+json': { schema: json.schema, example } }
    }
  }
}

/**
 * Moves titled schemas into components, and drops bounds that only say "a safe integer" and patterns that repeat a
 * format.
 * @param open whether unknown properties are allowed: true in answers, which may gain fields
 */
function named(schema: Schema, schemas: Record<string, Schema>, open: boolean): Schema {
  const { $schema: _, title, ...rest } = schema
  if (rest.minimum === Number.MIN_SAFE_INTEGER) delete rest.minimum
  if (rest.maximum === Number.MAX_SAFE_INTEGER) delete rest.maximum
  if (rest.format === 'date-time') delete rest.pattern
  if (title === 'Problem') delete rest.description
  if (open && rest.additionalProperties === false) delete rest.additionalProperties
  const inner = (schema: Schema) => named(schema, schemas, open)
  if (rest.properties) {
    const properties = Object.entries(rest.properties).map(([name, property]) => [name, inner(property)])
    rest.properties = Object.fromEntries(properties)
  }
  if (isSchema(rest.items)) rest.items = inner(rest.items)
  if (isSchema(rest.additionalProperties)) rest.additionalProperties = inner(rest.additionalProperties)
  if (rest.anyOf) rest.anyOf = rest.anyOf.map(inner)
  if (title === undefined) return rest
  schemas[title] = rest
  return { $ref: `#/components/schemas/${title}` }
}

const isSchema = (value: Schema | boolean | undefined): value is Schema => typeof value === 'object'

/** A realistic value that the schema allows. */
function sample(schema: Schema, name = ''): unknown {
  if (schema.example !== undefined) return schema.example
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (schema.anyOf?.[0]) return sample(schema.anyOf[0], name)
  if (schema.properties) {
    return Object.fromEntries(Object.entries(schema.properties).map(([key, of]) => [key, sample(of, key)]))
  }
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'array')
    return isSchema(schema.items) && Object.keys(schema.items).length > 0 ? [sample(schema.items)] : []
  if (type === 'integer' || type === 'number') return Number(schema.minimum) > 0 ? schema.minimum : 0
  if (type === 'boolean') return false
  if (type === 'object') return {}
  return EXAMPLES[name] ?? null
}
