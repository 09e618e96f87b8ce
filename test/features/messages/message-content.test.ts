import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { mentionsIn, showsNothing } from '../../../src/core/markup/references.ts'
import { call, person, newServer, say, standard } from '../../support/harness.ts'
import { persons } from '../../support/people.ts'
import { forbidEveryone, promote } from '../../support/ranks.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const [alice, bob, mallory] = await persons(parley, 'alice', 'bob', 'mallory')
const { server_id, channel_id } = await newServer(alice, bob)
const send = (body: object | string) =>
  call(parley, 'POST', `/api/channels/${channel_id}/messages`, { token: alice.token, body })

test('content has 1 to 4,000 code points, in any number of units and bytes', async () => {
  for (const content of ['x', '🦜'.repeat(4000), `e${'\u0301'.repeat(30)}`.repeat(129), 'e\u0301'.repeat(4000)])
    expect((await send({ content })).status).toBe(201)
  for (const content of ['', '🦜'.repeat(4001), 'x'.repeat(4001)])
    expect([content.length, (await send({ content })).body.code]).toEqual([content.length, 'validation_failed'])
})

test('content is stored in NFC and otherwise unchanged', async () => {
  const content = ' <script>alert(1)</script>\n\t&amp; e\u0301 \u202e {"t":"x"} \\u0041 '
  const live = await connect(bob)
  const { id } = (await send({ content })).body
  const message = (await bob.get(`/api/messages/${id}`)).body
  expect(message.content).toBe(content.replace('e\u0301', 'é'))
  expect((await live.next('message.created', ({ d }) => d.id === id)).d).toEqual(message)
  live.close()
})

test('a page of history has every message whole, with any control characters in their texts', async () => {
  const controls = Array.from({ length: 31 }, (_, n) => String.fromCharCode(n + 1)).join('')
  const sent = [`a${controls}b`, '\x1e', 'c'].map((content) => send({ content }).then(({ body }) => body))
  const messages = (await Promise.all(sent)).toSorted((a, b) => b.id - a.id)
  expect((await bob.get(`/api/channels/${channel_id}/messages?limit=3`)).body).toEqual(messages)
})

test('NUL, lone surrogates and values other than text are refused, in new messages and edits', async () => {
  const { id } = await say(alice, channel_id, 'Stays')
  const edit = (body: object | string) => call(parley, 'PUT', `/api/messages/${id}`, { token: alice.token, body })
  for (const body of [
    { content: 'nul\0' },
    '{"content": "\\ud83e"}',
    '{"content": "\\udd9c\\ud83e"}',
    { content: 1 },
    { content: null },
    { content: ['x'] },
    {},
    [],
    'null',
    '"x"',
  ]) {
    expect([body, (await send(body)).status]).toEqual([body, 422])
    expect([body, (await edit(body)).status]).toEqual([body, 422])
  }
  for (const more of [{ author_id: bob.id }, { kind: 'system' }, { mention_ids: [bob.id] }, { created_at: 'now' }])
    expect((await send({ content: 'x', ...more })).status).toBe(422)
  expect((await edit({ content: 'x', reply_to_id: id })).status).toBe(422)
  expect((await alice.get(`/api/messages/${id}`)).body).toMatchObject({ content: 'Stays', edited_at: null })
})

test('any well-formed text without NUL that shows something comes back as its NFC', async () => {
  const text = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 40 })
    .filter((value) => !value.includes('\0') && !showsNothing(value))
  const check = async (content: string) => {
    const sent = await send({ content })
    expect([sent.status, sent.body.content]).toEqual([201, content.normalize('NFC')])
  }
  await fc.assert(fc.asyncProperty(text, check), { numRuns: 60 })
})

test('a mention counts for members who see the channel, once each, and follows an edit', async () => {
  const [carol, dave] = [await person(parley, 'carol'), await person(parley, 'dave')]
  const closed = await newServer(alice, bob, carol)
  await forbidEveryone(alice, closed.server_id, 'view_channel')
  await promote(carol, closed.server_id, { bits: ['view_channel'] })
  const content = [alice, bob, carol, dave, carol].map((who) => `<@${who.id}>`).join(' ')
  const ascending = (...ids: number[]) => ids.toSorted((a, b) => a - b)
  const sent = await say(alice, closed.channel_id, `${content} <@0> <@x> <@-1> <@9007199254740993> <@999999999999999>`)
  expect(sent.mention_ids).toEqual(ascending(alice.id, carol.id))
  const edited = await alice.put(`/api/messages/${sent.id}`, { content: `Only <@${carol.id}>` })
  expect(edited.body.mention_ids).toEqual([carol.id])
  expect((await alice.put(`/api/messages/${sent.id}`, { content: 'Nobody' })).body.mention_ids).toEqual([])
  expect((await send({ content: `Stranger <@${mallory.id}>, member <@${bob.id}>` })).body.mention_ids).toEqual([bob.id])
})

test('mentions are read from any text without harm, a hundred at most', () => {
  expect(mentionsIn(Array.from({ length: 300 }, (_, at) => `<@${at + 1}>`).join('')).people).toHaveLength(100)
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.string(),
          fc.nat().map((id) => `<@${id}>`),
        ),
      ),
      (parts) => {
        const ids = mentionsIn(parts.join('')).people
        expect(new Set(ids).size).toBe(ids.length)
        for (const id of ids) expect(parts.join('')).toInclude(`${id}>`)
      },
    ),
  )
})

test('a reply refers to a message of its channel, and survives the deletion of that message', async () => {
  const first = await say(bob, channel_id, 'Who saw it?')
  const reply = await send({ content: 'I did', reply_to_id: first.id })
  expect([reply.status, reply.body.reply_to_id]).toEqual([201, first.id])
  const other = await alice.post(`/api/servers/${server_id}/channels`, { name: 'elsewhere', type: 'text' })
  const elsewhere = await say(alice, other.body.id, 'Not here')
  for (const reply_to_id of [elsewhere.id, Number.MAX_SAFE_INTEGER, 0, -1, 1.5, 2 ** 53, '1'])
    expect([reply_to_id, (await send({ content: 'x', reply_to_id })).status]).toEqual([reply_to_id, 422])
  expect((await send({ content: 'x', reply_to_id: null })).status).toBe(201)
  expect((await bob.delete(`/api/messages/${first.id}`)).status).toBe(204)
  expect((await bob.get(`/api/messages/${reply.body.id}`)).body.reply_to_id).toBe(first.id)
  expect((await send({ content: 'Too late', reply_to_id: first.id })).status).toBe(422)
})
