/** A JSON Schema as produced by zod. */
export interface Schema {
  title?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema | boolean
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
  [keyword: string]: unknown
}

/** Example values by property name, for schemas without an example, constant, enum or alternatives. */
const EXAMPLES: Record<string, unknown> = {
  audio_packets: 250,
  code: 'xwth7a86n3',
  consumer_id: '2c6a3f6e-7a5c-4a52-9a55-1f7f0e6b8d11',
  content: 'A kingfisher!',
  content_type: 'image/jpeg',
  current_password: 'Correct-Horse-7!Battery',
  description: 'Everything with feathers',
  detail: 'What was wrong, in a sentence',
  display_name: 'Otter#4821',
  download_url: 'https://chat.example.org/objects/files/0b9e…?expires=…&signature=…',
  email: 'alice@example.org',
  filename: 'kingfisher.jpg',
  from: '5d41402abc4b2a76b9719d911017c592',
  heartbeat_ms: 15_000,
  invite_code: 'xwth7a86n3',
  ip: '203.0.113.7',
  key: 'incoming/42/0f1e2d3c4b5a69788796a5b4c3d2e1f0',
  member_count: 3,
  message: 'Done',
  name: 'Birdwatchers',
  nonce: 'c0ffee-1',
  part: 1,
  parts: 1,
  password: 'Correct-Horse-7!Battery',
  path: 'body.name',
  producer_id: 'b5b1c1b0-6a0f-4e0f-8a0c-0d8d3f9b6a42',
  reason: 'Spam',
  request_id: '7f1f9f52-6f0e-4c5e-9f0b-2f6d1f6f9a55',
  resume_window_s: 86_400,
  s: 1834,
  size: 48_213,
  ticket: 'mW1o0mZkqv3hJ8pYb2x9c4dE5fG6hI7j',
  to: '5d41402abc4b2a76b9719d911017c592',
  token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9…',
  topic: 'What we saw',
  transport_id: '9d4d9f0e-3c58-4f8a-8c39-6f3f4f2f0d77',
  turn: 'ok',
  upload_url: 'https://chat.example.org/objects/incoming/42/0f1e…?expires=…&signature=…',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/151.0',
  username: 'alice',
  voice_session_id: '5d41402abc4b2a76b9719d911017c592',
}

/**
 * Optional request fields that examples omit: they refer to something that must exist, must differ between requests, or
 * do not go with other fields.
 */
const LEFT_OUT = [
  'allowed_mentions',
  'answer_message_id',
  'archive_after_seconds',
  'archived',
  'bitrate',
  'confirm_opens',
  'default_reaction',
  'afk_channel_id',
  'default_sort',
  'file_ids',
  'forward_message_id',
  'guidelines',
  'hidden',
  'icon_file_id',
  'image_file_id',
  'invite_code',
  'layout',
  'locked',
  'nonce',
  'parent_id',
  'pinned',
  'poll',
  'post_slowmode_seconds',
  'reply_to_id',
  'sticker_id',
  'system_channel_id',
  'tag_ids',
  'tag_required',
  'tags',
  'template',
  'user_limit',
]

/**
 * A realistic value that the schema allows.
 * @param use examples of requests omit the optional fields in LEFT_OUT; examples of answers have all fields
 * @param name the property's name, which selects the value
 */
export function exampleOf(schema: Schema, use: 'request' | 'answer', name = ''): unknown {
  if (schema.example !== undefined) return schema.example
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.default ?? schema.enum[0]
  const [first] = schema.anyOf ?? schema.oneOf ?? []
  if (first) return exampleOf(first, use, name)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  const example = EXAMPLES[name]
  if (typeof example === (type === 'integer' ? 'number' : type)) return example
  if (schema.default !== undefined) return schema.default
  if (schema.properties) {
    const isShown = (key: string) => use === 'answer' || schema.required?.includes(key) || !LEFT_OUT.includes(key)
    const shownProperties = Object.entries(schema.properties).filter(([key]) => isShown(key))
    return Object.fromEntries(shownProperties.map(([key, property]) => [key, exampleOf(property, use, key)]))
  }
  if (type === 'array')
    return isSchema(schema.items) && Object.keys(schema.items).length > 0 ? [exampleOf(schema.items, use, name)] : []
  if (type === 'integer' || type === 'number') return Math.max(Number(schema.minimum ?? 0), 0)
  if (type === 'boolean') return false
  if (type === 'string') return 'text'
  return type === 'null' ? null : {}
}

/**
 * Moves titled schemas into components. Drops bounds that only mean "a safe integer", patterns that repeat the format
 * of a time, and descriptions of problems.
 * @param isOpen true if unknown properties are allowed, as in answers, which may gain fields
 * @returns a reference if the schema has a title, or null if it is nullable; otherwise the schema
 */
export function moveTitled(schema: Schema, components: Record<string, Schema>, isOpen: boolean): Schema {
  const { $schema: _, title, ...rest } = schema
  if (rest.minimum === Number.MIN_SAFE_INTEGER) delete rest.minimum
  if (rest.maximum === Number.MAX_SAFE_INTEGER) delete rest.maximum
  if (rest.format === 'date-time') delete rest.pattern
  // If the type allows null, the plugin omits null from the enum.
  if (Array.isArray(rest.enum) && Array.isArray(rest.type) && rest.type.includes('null') && !rest.enum.includes(null))
    rest.enum = [...rest.enum, null]
  if (title?.endsWith('Problem')) delete rest.description
  if (isOpen && rest.additionalProperties === false) delete rest.additionalProperties
  const inner = (schema: Schema) => moveTitled(schema, components, isOpen)
  if (rest.properties) {
    const properties = Object.entries(rest.properties).map(([name, property]) => [name, inner(property)])
    rest.properties = Object.fromEntries(properties)
  }
  if (isSchema(rest.items)) rest.items = inner(rest.items)
  if (isSchema(rest.additionalProperties)) rest.additionalProperties = inner(rest.additionalProperties)
  if (rest.anyOf) rest.anyOf = rest.anyOf.map(inner)
  if (rest.oneOf) rest.oneOf = rest.oneOf.map(inner)
  if (title === undefined) return rest
  const reference = { $ref: `#/components/schemas/${title}` }
  // A component may be nullable in one place and not in others, so null is added outside of it.
  const types = Array.isArray(rest.type) ? rest.type.filter((type) => type !== 'null') : []
  if (types[0] === undefined) {
    components[title] = { title, ...rest }
    return reference
  }
  const { default: fallback, ...whole } = rest
  components[title] = { title, ...whole, type: types[0] }
  return { anyOf: [reference, { type: 'null' }], ...(fallback === undefined ? {} : { default: fallback }) }
}

const isSchema = (value: Schema | boolean | undefined): value is Schema => typeof value === 'object'
