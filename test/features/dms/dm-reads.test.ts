import { expect, test } from 'bun:test'
import { type Person, standard } from '../../support/harness.ts'
import { befriend, passersBy, write } from '../../support/people.ts'
import { goOffline, replayed, resume } from '../../support/resuming.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()

async function friends(): Promise<[Person, Person]> {
  const pair = await passersBy(parley, 'alice', 'bob')
  await befriend(...pair)
  return pair
}
const conversations = async (who: Person) => (await who.get('/api/dm/conversations')).body
const unread = async (who: Person) => (await conversations(who))[0]?.unread_count

test('reading a message marks only that one, permanently, with events to sender and own sockets', async () => {
  const [alice, bob] = await friends()
  const [first, second] = [await write(alice, bob, 'One'), await write(alice, bob, 'Two')]
  const [hers, his] = [await connect(alice), await connect(bob)]
  const read = await bob.post(`/api/dm/messages/${second.id}/read`)
  expect([read.status, read.body.id]).toEqual([200, second.id])
  expect(read.body.read_at).toBeString()
  const expected = {
    sender_id: alice.id,
    recipient_id: bob.id,
    message_id: second.id,
    all: false,
    read_at: read.body.read_at,
    channel_id: second.channel_id,
  }
  expect((await hers.next('dm.read')).d).toEqual({ ...expected, unread_count: 0 })
  expect((await his.next('dm.read')).d).toEqual({ ...expected, unread_count: 1 })
  expect((await bob.post(`/api/dm/messages/${second.id}/read`)).body).toEqual(read.body)
  await hers.settled()
  expect(hers.of('dm.read')).toHaveLength(1)
  expect((await bob.get(`/api/dm/${alice.id}/messages`)).body).toMatchObject([
    { id: second.id },
    { id: first.id, read_at: null },
  ])
  expect(await unread(bob)).toBe(1)
  for (const live of [hers, his]) live.close()
})

test('read-all marks all unread messages, publishes the newest, and leaves earlier read times unchanged', async () => {
  const [alice, bob] = await friends()
  const [first, second, third] = [
    await write(alice, bob, '1'),
    await write(alice, bob, '2'),
    await write(bob, alice, '3'),
  ]
  const early = (await bob.post(`/api/dm/messages/${first.id}/read`)).body.read_at
  const hers = await connect(alice)
  const answer = await bob.post(`/api/dm/${alice.id}/read-all`)
  expect(answer.body).toMatchObject({ user: { id: alice.id }, unread_count: 0, last_message: { id: third.id } })
  const { d } = await hers.next('dm.read')
  expect(d).toMatchObject({ message_id: second.id, all: true, unread_count: 1 })
  const marks = (await alice.get(`/api/dm/${bob.id}/messages`)).body.map((row: { read_at: string }) => row.read_at)
  expect(marks).toEqual([null, d.read_at, early])
  expect((await bob.post(`/api/dm/${alice.id}/read-all`)).status).toBe(200)
  await hers.settled()
  expect(hers.of('dm.read')).toHaveLength(1)
  hers.close()
})

test('unread counts follow messages that are sent, read and deleted, also concurrently', async () => {
  const [alice, bob] = await friends()
  const sent = await Promise.all(Array.from({ length: 12 }, (_, n) => write(alice, bob, `Message ${n}`)))
  expect(await unread(bob)).toBe(12)
  const [one, two] = [sent.slice(0, 4), sent.slice(4, 8)]
  await Promise.all([
    ...one.map(({ id }) => bob.post(`/api/dm/messages/${id}/read`)),
    ...one.map(({ id }) => bob.post(`/api/dm/messages/${id}/read`)),
    ...two.map(({ id }) => alice.delete(`/api/dm/messages/${id}`)),
    ...two.map(({ id }) => bob.post(`/api/dm/messages/${id}/read`)),
    ...Array.from({ length: 3 }, (_, n) => write(alice, bob, `Late ${n}`)),
  ])
  expect(await unread(bob)).toBe(7)
  const history = (await bob.get(`/api/dm/${alice.id}/messages`)).body
  expect(history.filter((row: { read_at: string | null }) => row.read_at === null)).toHaveLength(7)
  expect(await unread(alice)).toBe(0)
})

test('the list is ordered by the newest message, counts the unread, and is paged', async () => {
  const [alice, ...others] = await passersBy(parley, 'alice', 'bob', 'carol', 'dave')
  for (const other of others) await befriend(alice, other)
  const [bob, carol, dave] = others
  for (const from of [bob, carol, dave, bob] as Person[]) await write(from, alice, 'Hello')
  const rows = await conversations(alice)
  expect(rows.map((row: { user: { id: number } }) => row.user.id)).toEqual([bob?.id, dave?.id, carol?.id])
  expect(rows.map((row: { unread_count: number }) => row.unread_count)).toEqual([2, 1, 1])
  const first = await alice.get('/api/dm/conversations?limit=2')
  expect(first.body).toEqual(rows.slice(0, 2))
  const next = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] as string
  expect((await alice.get(next)).body).toEqual(rows.slice(2))
  const live = await connect(alice)
  expect(live.frames[0]?.d.conversations).toEqual(
    rows.map((row: any) => ({
      channel_id: row.channel_id,
      user_id: row.user.id,
      last_message_id: row.last_message.id,
      unread_count: row.unread_count,
      request: null,
    })),
  )
  live.close()
})

test('a hidden conversation comes back with a newer message of either side; the other gets no event', async () => {
  const [alice, bob] = await friends()
  const [hers, his] = [await connect(alice), await connect(bob)]
  for (const writer of [alice, bob]) {
    const { id } = await write(writer, writer === alice ? bob : alice, 'Hello')
    expect(await conversations(bob)).toHaveLength(1)
    expect((await bob.delete(`/api/dm/${alice.id}/hide`)).status).toBe(204)
    expect((await bob.delete(`/api/dm/${alice.id}/hide`)).status).toBe(204)
    await his.next('dm.hidden', ({ d }) => d.message_id === id && d.user_id === alice.id)
    expect(await conversations(bob)).toEqual([])
    expect(await conversations(alice)).toHaveLength(1)
    // The messages stay readable.
    expect((await bob.get(`/api/dm/${alice.id}/messages`)).body[0].id).toBe(id)
  }
  await hers.settled()
  expect(hers.of('dm.hidden')).toEqual([])
  expect(his.of('dm.hidden')).toHaveLength(2)
  for (const live of [hers, his]) live.close()
})

test('a conversation whose newer messages are deleted is hidden again', async () => {
  const [alice, bob] = await friends()
  await write(alice, bob, 'Old')
  await bob.delete(`/api/dm/${alice.id}/hide`)
  const his = await connect(bob)
  const { id } = await write(alice, bob, 'Oops')
  await alice.delete(`/api/dm/messages/${id}`)
  expect((await his.next('message.deleted')).d.last_message_id).toBeNull()
  expect(await conversations(bob)).toEqual([])
  his.close()
})

test('a client that was away gets reads, messages and hidden conversations of that time', async () => {
  const [alice, bob] = await friends()
  const first = await write(alice, bob, 'First')
  const s = await goOffline(alice)
  await bob.post(`/api/dm/messages/${first.id}/read`)
  const answer = await write(bob, alice, 'Answer')
  await bob.put(`/api/dm/messages/${answer.id}`, { content: 'Better' })
  const live = await resume(alice, s)
  const missed = replayed(live).filter((frame) => (frame.s ?? 0) > s)
  expect(missed.map((frame) => frame.t)).toEqual(['dm.read', 'message.updated'])
  expect(live.frames[0]?.d.conversations).toMatchObject([
    { user_id: bob.id, last_message_id: answer.id, unread_count: 1 },
  ])
  live.close()
})
