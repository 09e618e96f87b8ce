import type { openApi } from '../../src/api/openapi.ts'

type Document = Awaited<ReturnType<typeof openApi>>

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** Every documented endpoint with its summary, as the Markdown tables of docs/endpoints.md, one a tag. */
export function endpointTables({ tags, paths }: Document): string {
  const endpoints = Object.entries(paths)
    .flatMap(([path, operations]) =>
      METHODS.flatMap((method) => {
        const operation = operations[method]
        const endpoint = `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`
        return operation ? [{ path, endpoint, ...operation }] : []
      }),
    )
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
  const table = (tag: string, meaning: string) => {
    const rows = endpoints
      .filter(({ tags: [first] = [] }) => first === tag)
      .map(({ endpoint, summary = '' }) => `| \`${endpoint}\` | ${summary.replaceAll('|', '\\|')} |`)
    return [`## ${tag}`, '', `${meaning}.`, '', '| endpoint | what it does |', '| --- | --- |', ...rows].join('\n')
  }
  return tags.map(({ name, description }) => table(name, description)).join('\n\n')
}
