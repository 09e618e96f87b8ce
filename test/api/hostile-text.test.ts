import { expect, test } from 'bun:test'
import { z } from 'zod'
import { isStreamSafe, text } from '../../src/core/schema.ts'
import { type CommandName, commands } from '../../src/gateway/model.ts'
import { relayedSdp, sendsPictures } from '../../src/voice/signalling/privacy.ts'
import { botOf } from '../support/bots.ts'
import { call, person, newServer, standard, until } from '../support/harness.ts'
import { connect } from '../support/socket.ts'
import { stallOf } from '../support/stall.ts'
import { post, webhook } from '../support/webhooks.ts'

/** Texts that make some transform or pattern slow, each repeated to a length. */
const ALPHABETS = {
  letters: 'a',
  'combining marks': '\u0301\u0323',
  'a letter with marks each': 'a\u0301\u0323'.repeat(15),
  'marks that decompose': '\u0344',
  'Hangul jamo': '\u1100\u1161\u11a8',
  'lone surrogates': '\ud83e',
  parrots: '🦜',
  spaces: ' ',
  'format characters': '\u200b\u2060',
  'letters that grow': 'İﷺ',
  'dots and ats': 'a.@',
  mentions: '<@1>',
  digits: '1',
  'line ends': '\r\n',
}
const STALL_MS_MAX = 50
const BODY_BYTES = 250 * 1024
const AUTH_BODY_BYTES = 15 * 1024
/** Below the limit of a webhook's text, so that the text is read. */
const HOOK_BYTES = 500 * 1024
const QUERY_CHARS = 2_000

/** At most this many bytes of JSON: `first`, then the pattern repeated. */
const filled = (pattern: string, bytes: number, first = ''): string => {
  const encoded = JSON.stringify(pattern).slice(1, -1)
  return `"${first}${encoded.repeat(Math.floor((bytes - first.length) / Buffer.byteLength(encoded)))}"`
}

const HOLE = 'hole'
/** Levels to follow in schemas that contain themselves. */
const DEPTH_MAX = 9

interface JsonSchema {
  $ref?: string
  $defs?: Record<string, JsonSchema>
  type?: string
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, JsonSchema>
  additionalProperties?: JsonSchema | boolean
  items?: JsonSchema
  prefixItems?: JsonSchema[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
}

/** A document of a schema with a hole in place of one string, and where that is. */
interface Holed {
  path: string
  value: unknown
  /** The schema's description of the string. */
  rules?: string
}

/** A value for a schema that allows one or a few, such as the name of a variant. */
const fixed = ({ const: only, enum: few }: JsonSchema): unknown => only ?? few?.[0]

/** Every place of a schema that takes a string, at any depth, each in its own document. */
function holesOf(schema: JsonSchema, $defs = schema.$defs, depth = 0): Holed[] {
  if (depth > DEPTH_MAX) return []
  const within = (part: JsonSchema | undefined, path: string, around: (value: unknown) => unknown): Holed[] =>
    (part ? holesOf(part, $defs, depth + 1) : []).map((hole) => ({
      ...hole,
      path: `${path}${hole.path}`,
      value: around(hole.value),
    }))
  const { $ref, anyOf = [], oneOf = [], allOf = [], properties = {}, additionalProperties: others, items } = schema
  if ($ref) return within($defs?.[$ref.split('/').at(-1) ?? ''], '', (value) => value)
  const variants = [...anyOf, ...oneOf, ...allOf].flatMap((part) => within(part, '', (value) => value))
  const samples = Object.entries(properties).flatMap(([name, part]) => {
    const value = fixed(part)
    return value === undefined ? [] : [[name, value] as const]
  })
  const fields = Object.entries(properties).flatMap(([name, part]) =>
    within(part, `.${name}`, (value) => ({ ...Object.fromEntries(samples), [name]: value })),
  )
  const any = typeof others === 'object' ? within(others, '.*', (value) => ({ a: value, [HOLE]: value })) : []
  const listed = [...(items ? [items] : []), ...(schema.prefixItems ?? [])].flatMap((part) =>
    within(part, '[]', (value) => [value]),
  )
  const isText = schema.type === 'string' || Object.keys(schema).length === 0
  return [
    ...(isText ? [{ path: '', value: HOLE, rules: JSON.stringify(schema) }] : []),
    ...variants,
    ...fields,
    ...any,
    ...listed,
  ]
}

/** The places of a schema that take a string. */
function stringsOf(schema: unknown): Holed[] {
  if (!(schema instanceof z.ZodType)) return []
  const holes = holesOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema)
  return [...new Map(holes.map((hole) => [hole.path, hole])).values()]
}

/** The names of the fields of a query. */
const namesOf = (schema: unknown): string[] => stringsOf(schema).map(({ path }) => path.slice(1))

/** Waits until this process has nothing left to do for an earlier test: sockets that end, garbage, jobs. */
async function atRest(): Promise<void> {
  Bun.gc(true)
  await until(async () => (await stallOf(() => Bun.sleep(200))) < STALL_MS_MAX / 5)
}

const copiesIn = (value: unknown): number => JSON.stringify(value).split(`"${HOLE}"`).length - 1

/** The document with the text in its hole. */
const fill = ({ value }: Holed, text: string): string => JSON.stringify(value).replaceAll(`"${HOLE}"`, () => text)

const parley = await standard()
const [alice, bob] = await Promise.all([person(parley, 'alice'), person(parley, 'bob')])
const { server_id, channel_id } = await newServer(alice, bob)
const bot = await botOf(alice, 'Weather')
const routes = parley.routes.filter(({ hooks }) => !hooks.detail?.hide)
const pathOf = (path: string) =>
  path.replace(/:(\w+)/g, (_, name) => String(name.includes('channel') ? channel_id : server_id))

test('no text field of any REST body stalls the event loop for 50 ms, with any 250 KiB of text', async () => {
  const all = routes.flatMap((route) => stringsOf(route.hooks.body).map((hole) => ({ ...route, hole })))
  // Deeper levels are often the same part of several bodies.
  const keyOf = ({ method, path, hole }: (typeof all)[number]) =>
    /^\.\w+$/.test(hole.path) ? `${method} ${path} ${hole.path}` : `${hole.path} ${hole.rules}`
  const fields = [...new Map(all.map((one) => [keyOf(one), one])).values()]
  expect(fields.length).toBeGreaterThan(100)
  await atRest()
  const slow: object[] = []
  for (const { method, path, hole } of fields)
    for (const [alphabet, pattern] of Object.entries(ALPHABETS)) {
      const bytes = path.startsWith('/api/auth/') ? AUTH_BODY_BYTES : BODY_BYTES
      const body = new TextEncoder().encode(fill(hole, filled(pattern, bytes / copiesIn(hole.value), 'a')))
      const who = path.includes('/@me/commands') ? bot : alice
      const stall_ms = await stallOf(async () => {
        const { status } = await call(parley, method, pathOf(path), { token: who.token, body })
        const what = [method, path, hole.path, alphabet]
        expect([...what, status >= 400 && status < 500]).toEqual([...what, true])
      })
      if (stall_ms >= STALL_MS_MAX) slow.push({ method, path, field: hole.path, alphabet, stall_ms })
    }
  expect(slow).toEqual([])
})

test('no query and no path stalls the event loop', async () => {
  await atRest()
  const slow: object[] = []
  for (const { method, path, hooks } of routes)
    for (const [alphabet, pattern] of Object.entries(ALPHABETS)) {
      const fields = namesOf(hooks.query)
      if (!path.includes(':') && fields.length === 0) continue
      // All fields of a query share the length that a URL may have.
      const chars = Math.floor(QUERY_CHARS / Math.max(1, fields.length))
      const value = encodeURIComponent(JSON.parse(filled(pattern.toWellFormed(), chars)))
      const query = fields.map((name) => `${name}=${value}`).join('&')
      const stall_ms = await stallOf(async () => {
        await call(parley, method, path.replace(/:\w+/, value).replace(/:\w+/g, '1'), { token: alice.token })
        if (query) await call(parley, method, `${pathOf(path)}?${query}`, { token: alice.token })
      })
      if (stall_ms >= STALL_MS_MAX) slow.push({ method, path, alphabet, stall_ms })
    }
  expect(slow).toEqual([])
})

test('no text field of any gateway command stalls the event loop', async () => {
  await atRest()
  const slow: object[] = []
  for (const [op, { d }] of Object.entries(commands))
    for (const hole of stringsOf(d))
      for (const [alphabet, pattern] of Object.entries(ALPHABETS)) {
        const gateway = await connect(alice)
        const bytes = /^voice\.(description$|sfu\.)/.test(op) ? 60_000 : 3_000
        const frame = JSON.parse(fill(hole, filled(pattern, bytes / copiesIn(hole.value), 'a')))
        const stall_ms = await stallOf(() => gateway.command(op as CommandName, frame))
        gateway.close()
        if (stall_ms >= STALL_MS_MAX) slow.push({ op, field: hole.path, alphabet, stall_ms })
      }
  expect(slow).toEqual([])
})

test('no text in a webhook request stalls the event loop', async () => {
  const { url } = await webhook(alice, channel_id)
  const holes: [path: string, value: unknown][] = [
    ['', { content: HOLE }],
    ['', { content: 'x', username: HOLE, avatar_url: HOLE }],
    ['', { embeds: [{ title: HOLE, url: HOLE }] }],
    ['', { embeds: [{ description: HOLE, timestamp: HOLE }] }],
    ['', { embeds: [{ author: { name: HOLE }, footer: { text: HOLE } }] }],
    ['', { embeds: [{ fields: [{ name: HOLE, value: HOLE }] }] }],
    ['/slack', { text: HOLE }],
    ['/slack', { attachments: [{ title: HOLE, text: HOLE, fallback: HOLE, color: HOLE }] }],
    ['/github', { action: HOLE, sender: { login: HOLE }, repository: { full_name: HOLE }, ref: HOLE }],
    ['/github', { commits: [{ id: HOLE, message: HOLE }], ref: 'refs/heads/main', repository: { full_name: 'a/b' } }],
  ]
  await atRest()
  const slow: object[] = []
  for (const [path, value] of holes)
    for (const [alphabet, pattern] of Object.entries(ALPHABETS)) {
      const body = fill({ path, value }, filled(pattern, HOOK_BYTES / copiesIn(value), 'a'))
      const stall_ms = await stallOf(() => post(alice, `${url}${path}`, body))
      if (stall_ms >= STALL_MS_MAX) slow.push({ path, value, alphabet, stall_ms })
    }
  expect(slow).toEqual([])
})

test('a session description of any 48 KiB is validated in milliseconds', async () => {
  const lines = [
    'a=sendrecv ',
    'a=rtcp:1',
    ' typ relay',
    'a=candidate: raddr ',
    'c=IN IP4 ',
    'm=video 9 ',
    'o= IN IP4 ',
  ]
  for (const pattern of [...lines, ...lines.map((line) => `${line}\r\n`), '\n', ...Object.values(ALPHABETS)]) {
    const sdp = `m=video 9 \r\n${pattern.repeat(48_000 / pattern.length)}`
    const stall_ms = await stallOf(async () => [relayedSdp(sdp), sendsPictures(sdp)])
    expect([pattern, stall_ms < STALL_MS_MAX]).toEqual([pattern, true])
  }
})

test('more than 30 combining marks in a row are refused, in every text and every new password', async () => {
  const marks = (count: number) => `a${'\u0301\u0323'.repeat(15)}${'\u0301'.repeat(count - 30)}`
  expect([isStreamSafe(marks(30)), isStreamSafe(marks(31))]).toEqual([true, false])
  expect(text(1, 100).safeParse(marks(30)).success).toBe(true)
  const refused = await alice.post(`/api/channels/${channel_id}/messages`, { content: marks(31) })
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    [{ path: 'body.content', message: 'Must not contain more than 30 combining marks in a row' }],
  ])
  const body = { username: 'zalgo', email: 'zalgo@example.org', password: `Correct-Horse-7!${marks(31)}` }
  const weak = await call(parley, 'POST', '/api/auth/register', { body })
  expect([weak.status, weak.body.code]).toEqual([422, 'weak_password'])
  const searched = await bob.get(`/api/users/search?q=${encodeURIComponent(marks(31))}`)
  expect([searched.status, searched.body.code]).toEqual([422, 'validation_failed'])
})

test('text that normalising shortens to its bound is accepted', async () => {
  // ᾂ is one code point in NFC, and four in NFD.
  const decomposed = 'ᾂ'.repeat(4_000).normalize('NFD')
  expect(decomposed.length).toBe(16_000)
  const sent = await alice.post(`/api/channels/${channel_id}/messages`, { content: decomposed })
  expect([sent.status, sent.body.content]).toEqual([201, 'ᾂ'.repeat(4_000)])
})
