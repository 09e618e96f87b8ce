import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { type Person, say, standard } from '../../support/harness.ts'
import { befriend, deleteAccountOf, passersBy, peopleWithPassword, write } from '../../support/people.ts'
import { place } from '../../support/places.ts'
import { goOffline, replayed, resume } from '../../support/resuming.ts'
import { connect } from '../../support/socket.ts'
import { png, upload } from '../../support/uploads.ts'

const parley = await standard()
const { sql } = parley.parts

const channel = async (owner: Person, server_id: number, name: string): Promise<number> =>
  (await owner.post(`/api/servers/${server_id}/channels`, { name, type: 'text' })).body.id
const forward = (who: Person, channel_id: number, forward_message_id: number, more: object = {}) =>
  who.post(`/api/channels/${channel_id}/messages`, { forward_message_id, ...more })
/** A forward whose original is gone. */
const emptyOriginal = { message_id: null, channel_id: null, author: null, content: null }

test('within a server a forward names its original, and follows its deletion, in the log too', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { server_id, channel_id } = await place(alice, bob)
  const other = await channel(alice, server_id, 'other')
  const { id } = await say(alice, channel_id, 'Two kingfishers')
  const s = await goOffline(bob)
  const live = await connect(bob)
  const sent = await forward(bob, other, id, { content: 'Look' })
  expect(sent.status).toBe(201)
  const forwarded = { message_id: id, channel_id, author: { id: alice.id }, content: 'Two kingfishers' }
  expect(sent.body).toMatchObject({ content: 'Look', forwarded })
  // A forward without text of its own counts as its original.
  const again = await forward(alice, channel_id, (await forward(bob, other, id)).body.id)
  expect(again.body.forwarded).toMatchObject({ message_id: id, content: 'Two kingfishers' })

  expect((await alice.delete(`/api/messages/${id}`)).status).toBe(204)
  const updated = await live.next('message.updated', ({ d }) => d.id === sent.body.id)
  expect([updated.d.forwarded, updated.d.edited_at]).toEqual([emptyOriginal, null])
  expect((await bob.get(`/api/messages/${sent.body.id}`)).body.forwarded).toEqual(emptyOriginal)
  const events = await sql`select body::text from events where body::text like '%Two kingfishers%'`
  expect(events).toEqual([] as never)
  expect(await sql`select 1 from messages where forwarded::text like '%kingfishers%'`).toEqual([] as never)
  const back = await resume(bob, s)
  await back.settled()
  expect(JSON.stringify(replayed(back))).not.toContain('kingfishers')
  for (const each of [live, back]) each.close()
})

test('a forward from another place is only the content, and goes with the original too', async () => {
  const [alice, bob, carol] = await passersBy(parley, 'alice', 'bob', 'carol')
  await befriend(alice, bob)
  const { channel_id } = await place(bob, carol)
  const secret = await write(alice, bob, 'Just us two')
  const sent = await forward(bob, channel_id, secret.id)
  const forwarded = { message_id: null, channel_id: null, author: null, content: 'Just us two' }
  expect([sent.status, sent.body.forwarded]).toEqual([201, forwarded])
  await alice.delete(`/api/messages/${secret.id}`)
  expect((await carol.get(`/api/messages/${sent.body.id}`)).body.forwarded).toEqual(emptyOriginal)
  // Into a dm, by person.
  const { id } = await say(carol, channel_id, 'A heron')
  const whisper = await bob.post('/api/dm/messages', { recipient_id: alice.id, forward_message_id: id })
  expect([whisper.status, whisper.body.forwarded?.content, whisper.body.forwarded?.author]).toEqual([
    201,
    'A heron',
    null,
  ])
})

test('only a reader of a message forwards it, and nobody forwards a notice or a missing message', async () => {
  const [alice, bob, mallory] = await passersBy(parley, 'alice', 'bob', 'mallory')
  const { server_id, channel_id, everyone } = await place(alice, bob)
  const own = await place(mallory, bob)
  const other = await channel(alice, server_id, 'other')
  const { id } = await say(alice, channel_id, 'Secret')
  const refused = async (who: Person, target: number, what: number) => {
    const { status, body } = await forward(who, target, what)
    expect([status, body.errors?.[0]?.path]).toEqual([422, 'body.forward_message_id'])
  }
  await refused(mallory, own.channel_id, id)
  await refused(bob, other, 2 ** 50)
  await alice.put(`/api/channels/${channel_id}/permissions/${everyone}`, { deny: permissions('read_history') })
  await refused(bob, other, id)
  await alice.put(`/api/channels/${channel_id}/permissions/${everyone}`, { deny: permissions('view_channel') })
  await refused(bob, other, id)
  expect((await forward(alice, other, id)).status).toBe(201)
  await alice.put(`/api/servers/${server_id}`, { system_channel_id: other })
  const { code } = (await alice.post('/api/invites', { server_id })).body
  await mallory.post(`/api/invites/${code}/join`)
  const [notice] = (await alice.get(`/api/channels/${other}/messages`)).body
  await refused(alice, other, notice.id)
  for (const forward_message_id of ['1', -1, 1.5, {}])
    expect((await forward(bob, other, forward_message_id as number)).status).toBe(422)
  await alice.put(`/api/channels/${other}/permissions/${everyone}`, { deny: permissions('send_messages') })
  expect((await forward(bob, other, (await say(alice, other, 'x')).id)).body.code).toBe('missing_permission')
})

test('files go along as copies of the forwarder’s own, once, within its space', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { server_id, channel_id } = await place(alice, bob)
  const other = await channel(alice, server_id, 'other')
  const bytes = await png(40, 30)
  const file = await upload(alice, 'owl.png', 'image/png', bytes)
  const sent = await alice.post(`/api/channels/${channel_id}/messages`, { content: 'An owl', file_ids: [file.id] })
  const stored = async () =>
    (await sql<{ n: number }[]>`select stored_bytes as n from users where id = ${bob.id}`)[0]?.n
  const copied = await forward(bob, other, sent.body.id, { nonce: 'one' })
  expect(copied.body.files).toMatchObject([{ uploader_id: bob.id, filename: 'owl.png', width: 40, height: 30 }])
  expect([(await forward(bob, other, sent.body.id, { nonce: 'one' })).status, await stored()]).toEqual([
    200,
    bytes.length,
  ])
  // A refused forward leaves nothing behind.
  const more = await alice.post(`/api/channels/${other}/messages`, {
    file_ids: [(await upload(alice, 'owl.png', 'image/png', bytes)).id],
  })
  expect((await forward(bob, 2 ** 40, more.body.id)).status).toBe(404)
  expect(await stored()).toBe(bytes.length)
  await sql`update users set stored_bytes = ${parley.parts.environment.STORED_BYTES_MAX} where id = ${bob.id}`
  expect((await forward(bob, other, more.body.id)).body.code).toBe('too_many_bytes')
})

test('nothing is copied for a refused forward, and if many race, one copies', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { server_id, channel_id, everyone } = await place(alice, bob)
  const [other, slow] = [await channel(alice, server_id, 'other'), await channel(alice, server_id, 'slow')]
  const bytes = await png(40, 30)
  const file = await upload(alice, 'owl.png', 'image/png', bytes)
  const { body: owl } = await alice.post(`/api/channels/${channel_id}/messages`, { file_ids: [file.id] })
  const nextFileId = async () => (await sql<{ n: number }[]>`select nextval('files_id_seq')::int as n`)[0]?.n ?? 0
  const before = await nextFileId()
  const code = async (to: number, more = {}) => (await forward(bob, to, owl.id, more)).body.code
  expect(await code(2 ** 40)).toBe('not_found')
  await alice.put(`/api/channels/${slow}`, { slowmode_seconds: 600 })
  await say(bob, slow, 'First')
  expect(await code(slow)).toBe('slowmode')
  for (const bit of ['attach_files', 'send_messages'] as const) {
    await alice.put(`/api/channels/${other}/permissions/${everyone}`, { deny: permissions(bit) })
    expect(await code(other)).toBe('missing_permission')
  }
  await bob.post(`/api/channels/${channel_id}/messages`, { content: 'Hello', nonce: 'used' })
  expect(await code(channel_id, { nonce: 'used' })).toBe('nonce_conflict')
  expect((await bob.post('/api/dm/messages', { recipient_id: 2 ** 40, forward_message_id: owl.id })).status).toBe(404)
  expect(await nextFileId()).toBe(before + 1)
  const many = await Promise.all(Array.from({ length: 6 }, () => forward(bob, channel_id, owl.id)))
  const statuses = many.map(({ status }) => status)
  expect(statuses).toContain(201)
  expect(statuses).toContain(503)
  expect(await sql`select 1 from uploads where user_id = ${bob.id}`).toHaveLength(0)
})

test('the name of a deleted account goes from forwards of its messages, and from the log', async () => {
  const [alice, bob] = await peopleWithPassword(parley, 'alice', 'bob')
  await bob.put('/api/auth/display-name', { display_name: 'Robert the Owl' })
  const { channel_id } = await place(alice, bob)
  const { id } = await say(bob, channel_id, 'Hoo')
  const sent = await forward(alice, channel_id, id)
  expect(sent.body.forwarded.author.display_name).toBe('Robert the Owl')
  expect((await deleteAccountOf(bob)).status).toBe(204)
  expect((await alice.get(`/api/messages/${sent.body.id}`)).body.forwarded.author.display_name).toBe('Deleted user')
  const events = await sql`select 1 from events where body::text like '%Robert the Owl%'`
  expect(events).toEqual([] as never)
})

test('a forward that races with the deletion of its original leaves no copy of the deleted content', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { server_id, channel_id } = await place(alice, bob)
  const other = await channel(alice, server_id, 'other')
  for (let round = 0; round < 12; round++) {
    const { id } = await say(alice, channel_id, 'Now or never')
    const [sent, deletion] = await Promise.all([
      forward(bob, other, id),
      Bun.sleep(round % 4).then(() => alice.delete(`/api/messages/${id}`)),
    ])
    expect([sent.status === 201 || sent.status === 422, deletion.status]).toEqual([true, 204])
    if (sent.status === 201) expect((await bob.get(`/api/messages/${sent.body.id}`)).body.forwarded.content).toBeNull()
  }
  expect(await sql`select 1 from events where body::text like '%Now or never%'`).toEqual([] as never)
})

test('a forward of a forward shows the first original, and goes with it', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { server_id, channel_id } = await place(alice, bob)
  const other = await channel(alice, server_id, 'other')
  const { id } = await say(alice, channel_id, 'A bittern')
  const first = await forward(bob, other, id)
  const second = await forward(bob, channel_id, first.body.id)
  const readForward = async () => (await bob.get(`/api/messages/${second.body.id}`)).body.forwarded
  expect(await readForward()).toMatchObject({ message_id: id, content: 'A bittern' })
  await bob.delete(`/api/messages/${first.body.id}`)
  await alice.delete(`/api/messages/${id}`)
  expect(await readForward()).toEqual(emptyOriginal)
})

test('the deletion of a message waits for none of its forwards, and a job empties them all', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { channel_id } = await place(alice, bob)
  const { id } = await say(alice, channel_id, 'A wren')
  const sent = await forward(bob, channel_id, id)
  await sql`insert into messages (channel_id, author_id, content, forwarded_id, forwarded)
    select channel_id, author_id, '', forwarded_id, forwarded from messages m, generate_series(1, 300)
    where m.id = ${sent.body.id}`
  // The forwards are locked, so that a wait for one of them would never end.
  await sql.begin(async (tx) => {
    await tx`select 1 from messages where forwarded_id = ${id} for update`
    expect((await alice.delete(`/api/messages/${id}`)).status).toBe(204)
  })
  expect((await bob.get(`/api/messages/${sent.body.id}`)).body.forwarded.content).toBeNull()
  await parley.sweep()
  expect(await sql`select from messages where forwarded::text like '%A wren%' or forwarded_id = ${id}`).toHaveLength(0)
})

test('clients get an event for forwards whose original is deleted by its age', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { server_id, channel_id } = await place(alice, bob)
  const other = await channel(alice, server_id, 'other')
  const { id } = await say(alice, channel_id, 'A crake')
  const sent = await forward(bob, other, id)
  const live = await connect(bob)
  await sql`update messages set created_at = created_at - interval '3 days' where id = ${id}`
  await alice.put(`/api/channels/${channel_id}`, { message_retention_days: 1 })
  await parley.sweep()
  const { d } = await live.next('message.updated', (frame) => frame.d.id === sent.body.id)
  expect(d.forwarded).toEqual(emptyOriginal)
  live.close()
})

test('replay shows a forward in its first form, and the log itself keeps nothing of it', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { channel_id } = await place(alice, bob)
  const file = await upload(alice, 'rail.png', 'image/png', await png(40, 30))
  const rail = await alice.post(`/api/channels/${channel_id}/messages`, { content: 'A rail', file_ids: [file.id] })
  const s = await goOffline(bob)
  const sent = await forward(alice, channel_id, rail.body.id, { content: 'Look, "forwarded":{"message_id":1}' })
  expect(sent.body).toMatchObject({ forwarded: { content: 'A rail' }, files: [{ filename: 'rail.png' }] })
  await alice.put(`/api/messages/${rail.body.id}`, { content: 'A water rail' })
  const back = await resume(bob, s)
  await back.settled()
  const event = replayed(back).find(({ t, d }) => t === 'message.created' && d.id === sent.body.id)
  expect(event?.d).toEqual(sent.body)
  const events = await sql`select body::text from events where resource = ${`message:${sent.body.id}`}`
  expect(JSON.stringify(events)).not.toMatch(/rail/)
  back.close()
})

test('a forward waits for no lock of its source', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { server_id, channel_id } = await place(alice, bob)
  const other = await place(bob)
  const { id } = await say(alice, channel_id, 'Locked')
  await sql.begin(async (tx) => {
    await tx`select change_access(${server_id})`
    await tx`select 1 from messages where id = ${id} for update`
    expect((await forward(bob, other.channel_id, id)).status).toBe(201)
  })
  // Nor does a forward into the thread that began at it, whose deletion locks first the message and then the thread.
  const thread = await alice.post(`/api/channels/${channel_id}/threads`, { name: 'Locks', message_id: id })
  await sql.begin(async (tx) => {
    await tx`select 1 from messages where id = ${id} for update`
    expect((await forward(bob, thread.body.id, id)).status).toBe(201)
  })
})
