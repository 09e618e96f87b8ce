import { expect, test } from 'bun:test'
import { type Person, say, standard } from '../../support/harness.ts'
import { passersBy, write } from '../../support/people.ts'
import { place } from '../../support/places.ts'
import { promote } from '../../support/ranks.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob, mallory] = await passersBy(parley, 'alice', 'bob', 'mallory')

const pin = (who: Person, channel_id: number, id: number) => who.put(`/api/channels/${channel_id}/pins/${id}`)
const unpin = (who: Person, channel_id: number, id: number) => who.delete(`/api/channels/${channel_id}/pins/${id}`)
const pins = async (who: Person, channel_id: number) =>
  (await who.get(`/api/channels/${channel_id}/pins`)).body.map(({ id }: any) => id)
const counted = async (channel_id: number) =>
  (await sql`select pin_count from channels where id = ${channel_id}`)[0]?.pin_count

test('a pin is announced, listed newest first, and leaves a message with the name of its maker', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  const [one, two] = [await say(bob, channel_id, 'First'), await say(bob, channel_id, 'Second')]
  const live = await connect(bob)
  for (const { id } of [two, one, one]) expect((await pin(alice, channel_id, id)).status).toBe(204)
  expect(await pins(bob, channel_id)).toEqual([one.id, two.id])
  const updated = await live.next('message.updated', ({ d }) => d.id === one.id)
  expect(updated.d).toMatchObject({ content: 'First', pinned_at: expect.any(String), edited_at: null })
  const notice = await live.next('message.created', ({ d }) => d.data?.message_id === one.id)
  expect(notice.d).toMatchObject({ kind: 'pinned', author: { id: alice.id }, content: '' })
  expect(live.of('message.created')).toHaveLength(2)
  expect((await unpin(alice, channel_id, one.id)).status).toBe(204)
  expect((await unpin(alice, channel_id, one.id)).status).toBe(204)
  await live.next('message.updated', ({ d }) => d.id === one.id && d.pinned_at === null)
  expect(await pins(bob, channel_id)).toEqual([two.id])
  const actions = (await alice.get(`/api/servers/${server_id}/audit-log`)).body.map(({ action }: any) => action)
  expect(actions).toEqual(['message.unpinned', 'message.pinned', 'message.pinned'])
  live.close()
})

test('pinning takes pin_messages, and the channel of the message', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  const { id } = await say(alice, channel_id, 'Here')
  expect((await pin(bob, channel_id, id)).body.detail).toBe('The permission pin_messages is missing')
  await promote(bob, server_id, { bits: ['pin_messages'] })
  const other = await place(alice, bob)
  expect((await pin(bob, other.channel_id, id)).status).toBe(404)
  expect((await pin(mallory, channel_id, id)).status).toBe(404)
  expect((await pin(bob, channel_id, id)).status).toBe(204)
})

test('a notice is not pinned, gets no reaction, and no thread begins at it', async () => {
  const { channel_id } = await place(alice, bob)
  await pin(alice, channel_id, (await say(bob, channel_id, 'Here')).id)
  const [{ id, kind }] = (await alice.get(`/api/channels/${channel_id}/messages`)).body
  expect(kind).toBe('pinned')
  const answers = [
    await pin(alice, channel_id, id),
    await alice.put(`/api/messages/${id}/reactions/${encodeURIComponent('👍')}/@me`),
    await alice.post(`/api/channels/${channel_id}/threads`, { name: 'About it', message_id: id }),
  ]
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [403, 'forbidden']))
  const notice = (await alice.get(`/api/messages/${id}`)).body
  expect(notice).toMatchObject({ pinned_at: null, reactions: [], thread: null })
})

test('in a dm both pin, under the same rules as for a message', async () => {
  await place(alice, bob)
  const { id, channel_id } = await write(alice, bob, 'Keep this')
  expect((await pin(bob, channel_id, id)).status).toBe(204)
  expect((await unpin(alice, channel_id, id)).status).toBe(204)
  const { id: pinned } = await write(alice, bob, 'And this')
  expect((await pin(bob, channel_id, pinned)).status).toBe(204)
  await alice.post(`/api/friends/${bob.id}/block`)
  for (const who of [alice, bob]) {
    expect((await pin(who, channel_id, id)).body.code).toBe('cannot_contact')
    expect((await unpin(who, channel_id, pinned)).body.code).toBe('cannot_contact')
  }
  expect(await pins(alice, channel_id)).toEqual([pinned])
  await alice.post(`/api/friends/${bob.id}/unblock`)
  const [last] = (await alice.get('/api/dm/conversations')).body
  expect([last.unread_count, last.last_message.kind]).toEqual([0, 'pinned'])
})

test('two hundred and fifty pins are the most, and a deleted message frees its place', async () => {
  const { channel_id } = await place(alice)
  const [first, second] = [await say(alice, channel_id, 'Last place'), await say(alice, channel_id, 'Too many')]
  await sql`with pinned as (
      insert into messages (channel_id, author_id, content, pinned_at)
      select ${channel_id}, ${alice.id}, 'Pinned', now() from generate_series(1, 249) returning 1
    ) update channels set pin_count = 249 where id = ${channel_id}`
  const racing = await Promise.all([first, second].map(({ id }) => pin(alice, channel_id, id)))
  expect(racing.map(({ status }) => status).toSorted()).toEqual([204, 409])
  expect(racing.find(({ status }) => status === 409)?.body.code).toBe('too_many_pins')
  const [remainingPin] = await pins(alice, channel_id)
  expect((await alice.delete(`/api/messages/${remainingPin}`)).status).toBe(204)
  expect(await counted(channel_id)).toBe(249)
  const other = remainingPin === first.id ? second : first
  expect((await pin(alice, channel_id, other.id)).status).toBe(204)
  const page = await alice.get(`/api/channels/${channel_id}/pins?limit=100`)
  expect([page.body.length, page.body[0].id]).toEqual([100, other.id])
  expect(page.headers.get('link')).toContain('offset=100')
})

test('a pin racing the deletion of its message leaves nothing pinned', async () => {
  const { channel_id } = await place(alice, bob)
  for (let round = 0; round < 8; round++) {
    const { id } = await say(bob, channel_id, 'Short-lived')
    const [pinned, deleted] = await Promise.all([pin(alice, channel_id, id), bob.delete(`/api/messages/${id}`)])
    expect([204, 404]).toContain(pinned.status)
    expect(deleted.status).toBe(204)
    expect([await pins(alice, channel_id), await counted(channel_id)]).toEqual([[], 0])
  }
})
