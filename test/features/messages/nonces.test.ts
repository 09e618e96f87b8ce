import { expect, test } from 'bun:test'
import { person, newServer, say, standard } from '../../support/harness.ts'
import { forbidEveryone } from '../../support/ranks.ts'
import { connect } from '../../support/socket.ts'
import { until } from '../../support/until.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob] = await Promise.all([person(parley, 'alice'), person(parley, 'bob')])
const { server_id, channel_id } = await newServer(alice, bob)
const send = (who: typeof alice, nonce: unknown, content = 'Once', more: object = {}) =>
  who.post(`/api/channels/${channel_id}/messages`, { content, nonce, ...more })
const stored = async (nonce: string) => (await sql`select 1 from messages where nonce = ${nonce}`).length

test('eight racing sends of one nonce make one message and one event', async () => {
  const live = await connect(bob)
  const racing = await Promise.all(Array.from({ length: 8 }, () => send(alice, 'racing')))
  expect(racing.map((answer) => answer.status).toSorted()).toEqual([200, 200, 200, 200, 200, 200, 200, 201])
  for (const answer of racing) expect(answer.body).toEqual(racing[0]?.body)
  expect(racing[0]?.body.nonce).toBe('racing')
  expect(await stored('racing')).toBe(1)
  await say(alice, channel_id, 'The end')
  await live.next('message.created', ({ d }) => d.content === 'The end')
  expect(live.of('message.created').filter(({ d }) => d.nonce === 'racing')).toHaveLength(1)
  live.close()
})

test('if requests race under one nonce, one is sent and the others conflict', async () => {
  const racing = await Promise.all(['a', 'b', 'c', 'd'].map((content) => send(alice, 'contested', content)))
  expect(racing.map((answer) => answer.status).toSorted()).toEqual([201, 409, 409, 409])
  expect(racing.find((answer) => answer.status === 409)?.body.code).toBe('nonce_conflict')
  expect(await stored('contested')).toBe(1)
})

test('another request under a used nonce conflicts: other content, or another reply', async () => {
  const first = await say(alice, channel_id, 'First')
  expect((await send(alice, 'used')).status).toBe(201)
  expect((await send(alice, 'used', 'Twice')).body.code).toBe('nonce_conflict')
  expect((await send(alice, 'used', 'Once', { reply_to_id: first.id })).body.code).toBe('nonce_conflict')
  expect((await send(alice, 'used', 'Once', { reply_to_id: null })).status).toBe(200)
})

test('the same text in another Unicode normal form is the same request', async () => {
  expect((await send(alice, 'cafe\u0301', 'Cafe\u0301')).status).toBe(201)
  expect((await send(alice, 'café', 'Café')).status).toBe(200)
})

test('a repeated send answers with the message as it is now, edited or not', async () => {
  const { body } = await send(alice, 'edited')
  const edited = await alice.put(`/api/messages/${body.id}`, { content: 'Better' })
  const again = await send(alice, 'edited')
  expect([again.status, again.body]).toEqual([200, edited.body])
})

test('a reply can be repeated after its original was deleted', async () => {
  const first = await say(alice, channel_id, 'First')
  const sent = await send(alice, 'dangling', 'Reply', { reply_to_id: first.id })
  expect((await alice.delete(`/api/messages/${first.id}`)).status).toBe(204)
  expect((await send(alice, 'dangling', 'Reply', { reply_to_id: first.id })).body).toEqual(sent.body)
})

test('the nonce of a deleted message conflicts, so that a late retry does not bring it back', async () => {
  const { body } = await send(alice, 'deleted')
  expect((await alice.delete(`/api/messages/${body.id}`)).status).toBe(204)
  expect((await send(alice, 'deleted')).body.code).toBe('nonce_conflict')
  expect(await stored('deleted')).toBe(0)
})

test('after 24 hours a nonce is free for another message', async () => {
  const age = (nonce: string, hours: number) =>
    sql`update message_nonces set created_at = now() - ${hours} * interval '1 hour' where nonce = ${nonce}`
  const first = await send(alice, 'old')
  await age('old', 23.9)
  expect((await send(alice, 'old')).status).toBe(200)
  await age('old', 24.1)
  const second = await send(alice, 'old', 'Another')
  expect(second.status).toBe(201)
  expect(second.body.id).not.toBe(first.body.id)
  expect((await send(alice, 'old', 'Another')).body.id).toBe(second.body.id)
  await age('old', 24.1)
  const racing = await Promise.all(Array.from({ length: 4 }, () => send(alice, 'old', 'Third')))
  expect(racing.map((answer) => answer.status).toSorted()).toEqual([200, 200, 200, 201])
  await age('old', 24.1)
  await parley.sweep()
  expect(await sql`select 1 from message_nonces where nonce = 'old'`).toHaveLength(0)
})

test('a nonce belongs to its author and its channel', async () => {
  const other = await alice.post(`/api/servers/${server_id}/channels`, { name: 'other', type: 'text' })
  const mine = await send(alice, 'shared')
  const his = await send(bob, 'shared', 'Also once')
  const there = await alice.post(`/api/channels/${other.body.id}/messages`, { content: 'There', nonce: 'shared' })
  expect([mine.status, his.status, there.status]).toEqual([201, 201, 201])
  expect(his.body.author.id).toBe(bob.id)
})

test('a nonce has 1 to 64 code points, and a refused send leaves it unused', async () => {
  expect((await send(alice, '🪶'.repeat(64))).status).toBe(201)
  for (const nonce of ['', '🪶'.repeat(65), 'nul\0', 7, null])
    expect([nonce, (await send(alice, nonce)).status]).toEqual([nonce, 422])
  expect((await send(alice, 'refused', 'x', { reply_to_id: Number.MAX_SAFE_INTEGER })).status).toBe(422)
  expect((await send(alice, 'refused', 'x')).status).toBe(201)
})

test('a used nonce answers nothing to an author who may no longer send', async () => {
  const closed = await newServer(alice, bob)
  const path = `/api/channels/${closed.channel_id}/messages`
  const body = { content: 'Hello', nonce: 'closed' }
  expect((await bob.post(path, body)).status).toBe(201)
  await forbidEveryone(alice, closed.server_id, 'send_messages')
  expect((await bob.post(path, body)).status).toBe(403)
  expect((await alice.delete(`/api/servers/${closed.server_id}/members/${bob.id}`)).status).toBe(204)
  expect((await bob.post(path, body)).status).toBe(404)
})

test('a send looks up its nonce by an index, even by a plan that was made when there were few', async () => {
  const scans = async () => {
    const [row] = await sql`select seq_scan, idx_scan from pg_stat_user_tables where relname = 'message_nonces'`
    return { read_all: Number(row?.seq_scan), looked_up: Number(row?.idx_scan) }
  }
  const before = await scans()
  for (let at = 0; at < 50; at++) expect((await send(alice, `scan ${at}`)).status).toBe(201)
  // Each connection reports its scans once a second at most.
  await until(async () => (await scans()).looked_up >= before.looked_up + 50)
  // The sweeper reads all of them once a minute.
  expect((await scans()).read_all - before.read_all).toBeLessThan(10)
})
