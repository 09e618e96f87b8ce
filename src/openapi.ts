import { toOpenAPISchema } from '@elysiajs/openapi'
import type { AnyElysia, Elysia } from 'elysia'
import { z } from 'zod'

type Json = Record<string, unknown>
type Content = Record<string, { schema: Json }>
interface Operation {
  requestBody?: { content: Content }
  responses?: Record<string, { content?: Content }>
}

/**
 * The declared routes as OpenAPI 3.1.
 * @param documentation the rest of the document
 */
export function openApi(routes: Elysia['routes'], documentation: { components: Json } & Json) {
  const { paths } = toOpenAPISchema(readable(routes))
  for (const path of Object.values(paths))
    for (const operation of Object.values(path ?? {})) correct(operation as Operation)
  const schemas: Json = {}
  const shared = share(paths, schemas)
  return { openapi: '3.1.0', ...documentation, paths: shared, components: { ...documentation.components, schemas } }
}

/** The routes as the generator reads them: it takes our own parser for none, and knows no schema of nothing. */
function readable(routes: Elysia['routes']): AnyElysia {
  const plain = routes.map((route) => {
    const { parse: _, response, ...hooks } = route.hooks
    const nothing = response && 204 in response ? { 204: z.null().describe(response[204].description) } : {}
    return { ...route, hooks: { ...hooks, ...(response ? { response: { ...response, ...nothing } } : {}) } }
  })
  return { getGlobalRoutes: () => plain, getGlobalDefinitions: () => ({ type: {} }) } as unknown as AnyElysia
}

/** Says what the generator cannot know: bodies are JSON and nothing else, problems are problems, 204 has no body. */
function correct({ requestBody, responses = {} }: Operation): void {
  const body = requestBody?.content['application/json']
  if (requestBody && body) requestBody.content = { 'application/json': body }
  for (const [status, response] of Object.entries(responses)) {
    const answer = response.content?.['application/json']
    if (status === '204') delete response.content
    else if (answer?.schema.title === 'Problem') response.content = { 'application/problem+json': answer }
  }
}

/** Moves schemas that have a title to the components, so that each is said once; references take their places. */
function share(value: unknown, schemas: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => share(item, schemas))
  if (typeof value !== 'object' || value === null) return value
  const { $schema: _, ...whole } = Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, share(inner, schemas)]),
  )
  if (typeof whole.title !== 'string' || whole.type !== 'object') return whole
  const { description: __, ...schema } = whole
  schemas[whole.title] ??= schema
  return Bun.deepEquals(schemas[whole.title], schema) ? { $ref: `#/components/schemas/${whole.title}` } : whole
}
