// The contract as sorted lines: one for each route, parameter, field, event, command and error code. So a diff of the
// golden file reads like a list of changes. Texts for people (titles, descriptions, examples) are left out.

type Node = { [key: string]: unknown }

export interface Contract {
  version: string
  errors: Record<string, { status: number }>
  permissions: Record<string, unknown>
  closeCodes: Record<string, unknown>
  events: Record<string, Node>
  commands: Record<string, Node>
  paths: unknown
  components: unknown
}

/** Keywords of a schema that only people read, or that another keyword implies. */
const SILENT = new Set(['description', 'example', 'examples', 'title', 'deprecated'])
/** Keywords that become lines of their own. */
const STRUCTURE = new Set([
  'properties',
  'required',
  'items',
  'anyOf',
  'oneOf',
  'allOf',
  'additionalProperties',
  '$ref',
])
/** Beyond this length a pattern is replaced by its hash. */
const PATTERN_CHARACTERS_MAX = 60

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
const nodes = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : [])
const entries = (value: unknown): [string, Node][] =>
  isNode(value)
    ? Object.entries(value).flatMap(([key, node]): [string, Node][] => (isNode(node) ? [[key, node]] : []))
    : []

/** A schema without its texts, as a key to find the component that equals it. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape)
  if (!isNode(value)) return value
  const entries = Object.entries(value).filter(([key, child]) => !SILENT.has(key) || isNode(child))
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, child]) => [key, shape(child)]))
}

class SchemaLines {
  #components: Map<string, string>

  constructor(components: Node) {
    const objects = entries(components.schemas).filter(([, schema]) => isNode(schema.properties))
    this.#components = new Map(objects.map(([name, schema]) => [JSON.stringify(shape(schema)), name]))
  }

  /** A line for the schema at the path, and one for each part of it. */
  of(path: string, schema: Node, isOwn = false): string[] {
    const component = isOwn ? undefined : this.#components.get(JSON.stringify(shape(schema)))
    if (component) return [`${path} ${component}`]
    if (typeof schema.$ref === 'string') return [`${path} ${schema.$ref.split('/').at(-1)}`]
    const choices = nodes(schema.anyOf ?? schema.oneOf)
    const nonNull = choices.filter(({ type }) => type !== 'null')
    const [only] = nonNull
    if (nonNull.length === 1 && only && choices.length === 2) return this.of(`${path} null |`, only)
    return [
      `${path}${words(schema)}`,
      ...this.#parts(path, schema),
      ...choices.flatMap((choice, at) => this.of(`${path}|${at}`, choice)),
    ]
  }

  #parts(path: string, schema: Node): string[] {
    const bare = path.replace(/ null \|$/, '')
    const required = new Set(Array.isArray(schema.required) ? schema.required : [])
    const fields = entries(schema.properties).flatMap(([name, field]) =>
      this.of(`${bare}.${name}${required.has(name) ? '' : '?'}`, field),
    )
    const rest = schema.additionalProperties
    return [
      ...fields,
      ...(isNode(schema.items) ? this.of(`${bare}[]`, schema.items) : []),
      ...(isNode(rest) ? this.of(`${bare}.*`, rest) : []),
      ...nodes(schema.allOf).flatMap((part, at) => this.of(`${bare}&${at}`, part)),
    ]
  }
}

/** The scalar keywords of a schema: ` string minLength=1 maxLength=100`. */
function words(schema: Node): string {
  const { type, ...rest } = schema
  const lines = Object.entries(rest).flatMap(([key, value]) => {
    if (SILENT.has(key) || STRUCTURE.has(key)) return []
    if (key === 'pattern' && schema.format === 'date-time') return []
    if (Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER) return []
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    if (key === 'pattern' && text.length > PATTERN_CHARACTERS_MAX)
      return [`pattern#${Bun.hash.crc32(text).toString(16)}`]
    return [`${key}=${text}`]
  })
  const open = isNode(schema.properties) && schema.additionalProperties !== false ? ['open'] : []
  return [...(type ? [''] : []), ...(type ? [String(type)] : ['']), ...lines.toSorted(), ...open].join(' ').trimEnd()
}

function routeLines(schemas: SchemaLines, route: string, operation: Node): string[] {
  const isAnonymous = Array.isArray(operation.security) && operation.security.length === 0
  const parameters = nodes(operation.parameters).flatMap(({ in: place, name, required, schema }) => {
    const mark = place === 'query' ? '?' : place === 'path' ? ':' : `${place} `
    return schemas.of(`${route} ${mark}${name}${required || place === 'path' ? '' : '?'}`, isNode(schema) ? schema : {})
  })
  const contents = (path: string, holder: Node) =>
    entries(holder.content).flatMap(([type, { schema }]) =>
      schemas.of(`${path}${type === 'application/json' ? '' : ` (${type})`} `, isNode(schema) ? schema : {}),
    )
  const answers = entries(operation.responses)
  const successes = answers
    .filter(([status]) => Number(status) < 400)
    .flatMap(([status, response]) => {
      const bodies = contents(`${route} ${status}`, response)
      return bodies.length > 0 ? bodies : [`${route} ${status}`]
    })
  const codes = answers
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([, { description }]) => [...String(description).matchAll(/`(\w+)`/g)].map(([, code = '']) => code))
  const body = isNode(operation.requestBody) ? contents(`${route} body`, operation.requestBody) : []
  return [
    `${route}${isAnonymous ? ' without a token' : ''}`,
    ...parameters,
    ...body,
    ...successes,
    `${route} errors ${codes.toSorted().join(' ')}`,
  ]
}

/** Every promise of the contract as a line, sorted. */
export function contractLines(contract: Contract): string[] {
  const components = isNode(contract.components) ? contract.components : {}
  const schemas = new SchemaLines(components)
  const framesOf = (kind: string, frames: Record<string, Node>) =>
    Object.entries(frames).flatMap(([name, { d, answer, ...facts }]) => [
      `${kind} ${name}${words(facts)}`,
      ...(isNode(d) ? schemas.of(`${kind} ${name} `, d) : []),
      ...(isNode(answer) ? schemas.of(`${kind} ${name} answer `, answer) : []),
    ])
  const routes = entries(contract.paths).flatMap(([path, operations]) =>
    entries(operations).flatMap(([method, operation]) =>
      routeLines(schemas, `${method.toUpperCase()} ${path}`, operation),
    ),
  )
  const lines = [
    `version ${contract.version}`,
    ...Object.entries(contract.errors).map(([code, { status }]) => `error ${code} ${status}`),
    ...Object.entries(contract.permissions).map(([name, bit]) => `permission ${name} ${JSON.stringify(bit)}`),
    ...Object.entries(contract.closeCodes).map(([code, meaning]) => `close ${code} ${JSON.stringify(meaning)}`),
    ...framesOf('event', contract.events),
    ...framesOf('command', contract.commands),
    ...entries(components.schemas).flatMap(([name, schema]) => schemas.of(`schema ${name} `, schema, true)),
    ...routes,
  ]
  return [...new Set(lines.map((line) => line.replace(/ {2,}/g, ' ')))].sort()
}
