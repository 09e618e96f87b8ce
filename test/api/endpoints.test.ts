import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApi } from '../../src/api/openapi.ts'
import { endpointTables } from '../support/endpoint-tables.ts'
import { standard } from '../support/harness.ts'

const root = join(import.meta.dir, '../..')
const page = join(root, 'docs/endpoints.md')
/** A path without the names of its parameters: documents write `:id`, `:channel_id` or `{channel_id}`. */
const anonymous = (endpoint: string) => endpoint.replace(/:\w+|\{\w+\}/g, ':')

test('docs/endpoints.md holds the printed table of every endpoint; UPDATE_DOCS=1 renews it', async () => {
  const { routes } = await standard()
  const document = await openApi(routes)
  const tables = endpointTables(document)
  const printed = /(<!-- printed from [^>]*-->\n).*(<!-- end of printed tables -->)/s
  const written = readFileSync(page, 'utf8').replace(printed, (_, begin, end) => `${begin}\n${tables}\n\n${end}`)
  if (process.env.UPDATE_DOCS) writeFileSync(page, written)
  expect(readFileSync(page, 'utf8')).toBe(written)
  const operations = Object.values(document.paths).flatMap((path) => Object.keys(path))
  const rows = [...tables.matchAll(/^\| `[A-Z]+ \S+` \| \S.* \|$/gm)]
  // Fewer rows than operations: a tag is missing in openapi.ts, or a summary in the route.
  expect(rows.length).toBe(operations.length)
})

test('every endpoint that a document names exists', async () => {
  const { routes } = await standard()
  // The gateway is not a route of the API: the server upgrades its requests before they reach one.
  const declared = new Set(['GET /ws', ...routes.map(({ method, path }) => anonymous(`${method} ${path}`))])
  const documents = ['*.md', 'docs/*.md'].flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: root })])
  // The changelog may name endpoints that were removed since; the printed page is compared above, and calls of
  // Discord's API in test/discord.
  const named = documents
    .filter((document) => !['CHANGELOG.md', 'docs/endpoints.md', 'docs/discord.md'].includes(document))
    .flatMap((document) =>
      [...readFileSync(join(root, document), 'utf8').matchAll(METHODS_AND_PATH)].flatMap(
        ([, methods = '', path = '']) =>
          methods.split(/\W+(?:and\W+)?/).map((method) => ({ document, endpoint: `${method} ${path}` })),
      ),
    )
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter(({ endpoint }) => !declared.has(anonymous(endpoint)))).toEqual([])
})

const METHOD = '(?:GET|POST|PUT|PATCH|DELETE)'
const METHODS = `${METHOD}(?:(?:\\||\`?,? and \`|, )${METHOD})*`
/** "`POST /api/files`", and several methods of one path: "`PUT` and `DELETE /api/emoji/:emoji_id`", "`GET|PUT /…`". */
const METHODS_AND_PATH = new RegExp(`\\b(${METHODS})\\s(/[\\w/.:@{}-]*\\w\\}?)`, 'g')
