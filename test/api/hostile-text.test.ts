import { expect, test } from 'bun:test'
import { z } from 'zod'
import { isStreamSafe, text } from '../../src/core/schema.ts'
import { type CommandName, commands } from '../../src/gateway/model.ts'
import { relayedSdp, sendsPictures } from '../../src/voice/signalling/privacy.ts'
import { call, person, room, standard } from '../support/harness.ts'
import { connect } from '../support/socket.ts'
import { stallOf } from '../support/stall.ts'

/** Text that is known to make some transform or pattern slow, each repeated to a length. */
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
const QUERY_CHARS = 2_000

/** So many bytes of JSON at most: `first`, then the pattern again and again. */
const filled = (pattern: string, bytes: number, first = ''): string => {
  const encoded = JSON.stringify(pattern).slice(1, -1)
  return `"${first}${encoded.repeat(Math.floor((bytes - first.length) / Buffer.byteLength(encoded)))}"`
}

/** The names of a schema's fields that take a string, or a list of them. */
function stringFields(schema: unknown): string[] {
  if (!(schema instanceof z.ZodType)) return []
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const takesText = (field: unknown) => /"type":"string"|\{\}/.test(JSON.stringify(field))
  return Object.entries(properties).flatMap(([name, field]) => (takesText(field) ? [name] : []))
}

const parley = await standard()
const [alice, bob] = await Promise.all([person(parley, 'alice'), person(parley, 'bob')])
const { server_id, channel_id } = await room(alice, bob)
const routes = parley.routes.filter(({ hooks }) => !hooks.detail?.hide)
const pathOf = (path: string) =>
  path.replace(/:(\w+)/g, (_, name) => String(name.includes('channel') ? channel_id : server_id))

test('no text field of any REST body stalls the event loop for 50 ms, whatever its 250 KiB are made of', async () => {
  const fields = routes.flatMap((route) => stringFields(route.hooks.body).map((field) => ({ ...route, field })))
  expect(fields.length).toBeGreaterThan(25)
  const slow: object[] = []
  for (const { method, path, field } of fields)
    for (const [alphabet, pattern] of Object.entries(ALPHABETS)) {
      const bytes = path.startsWith('/api/auth/') ? AUTH_BODY_BYTES : BODY_BYTES
      const body = new TextEncoder().encode(`{${JSON.stringify(field)}:${filled(pattern, bytes, 'a')}}`)
      const stall_ms = await stallOf(async () => {
        const { status } = await call(parley, method, pathOf(path), { token: alice.token, body })
        expect([method, path, field, alphabet, status >= 400 && status < 500]).toEqual([
          method,
          path,
          field,
          alphabet,
          true,
        ])
      })
      if (stall_ms >= STALL_MS_MAX) slow.push({ method, path, field, alphabet, stall_ms })
    }
  expect(slow).toEqual([])
}, 120_000)

test('no query and no path stalls the event loop', async () => {
  const slow: object[] = []
  for (const { method, path, hooks } of routes)
    for (const [alphabet, pattern] of Object.entries(ALPHABETS)) {
      const fields = stringFields(hooks.query)
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
}, 120_000)

test('no text field of any gateway command stalls the event loop', async () => {
  const slow: object[] = []
  for (const [op, { d }] of Object.entries(commands))
    for (const field of stringFields(d))
      for (const [alphabet, pattern] of Object.entries(ALPHABETS)) {
        const gateway = await connect(alice)
        const value = JSON.parse(filled(pattern, /^voice\.(description$|sfu\.)/.test(op) ? 60_000 : 3_000, 'a'))
        const stall_ms = await stallOf(() => gateway.command(op as CommandName, { [field]: value }))
        gateway.close()
        if (stall_ms >= STALL_MS_MAX) slow.push({ op, field, alphabet, stall_ms })
      }
  expect(slow).toEqual([])
}, 120_000)

test('a session description of 48 KiB of anything is judged in milliseconds', async () => {
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
