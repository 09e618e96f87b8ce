import { afterAll, expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { ClientModel } from '../../support/client-model.ts'
import { boot, type Person, newServer, say, standard, stop, until } from '../../support/harness.ts'
import { persons, write } from '../../support/people.ts'
import { place, rank } from '../../support/places.ts'
import { pruneWith } from '../../support/retention.ts'
import { goOffline, replayed, resume } from '../../support/resuming.ts'
import { connect } from '../../support/socket.ts'
import { download, png, upload } from '../../support/uploads.ts'

const parley = await standard()
const { sql } = parley.parts
const own = await boot({ MESSAGE_RETENTION_DAYS: '30' })
afterAll(() => stop(own))

/** Makes messages this many days older. */
const age = (who: Person, days: number, ...ids: number[]) =>
  who.parley.parts.sql`update messages set created_at = created_at - ${days} * interval '1 day' where id = any(${ids})`

/** Sends these texts, dated this many days ago. @returns their ids */
async function saidDaysAgo(who: Person, channel_id: number, days: number, count: number): Promise<number[]> {
  const rows = await who.parley.parts.sql<{ id: number }[]>`
    insert into messages (channel_id, author_id, content, created_at)
    select ${channel_id}, ${who.id}, 'Long ago ' || n, now() - ${days} * interval '1 day'
    from generate_series(1, ${count}) n returning id`
  return rows.map((row) => row.id)
}

const keep = (who: Person, server_id: number, message_retention_days: number | null) =>
  who.put(`/api/servers/${server_id}`, { message_retention_days })
const keepIn = (who: Person, channel_id: number, message_retention_days: number | null) =>
  who.put(`/api/channels/${channel_id}`, { message_retention_days })
const idsIn = async (who: Person, channel_id: number): Promise<number[]> =>
  (await who.get(`/api/channels/${channel_id}/messages`)).body.map((message: { id: number }) => message.id)

test('messages older than the server’s limit are deleted, younger ones stay, with one event for all', async () => {
  const [alice, bob] = await persons(parley, 'alice', 'bob')
  const { server_id, channel_id } = await newServer(alice, bob)
  const [first, second, third] = [
    await say(alice, channel_id, 'one'),
    await say(bob, channel_id, 'two'),
    await say(bob, channel_id, 'three'),
  ]
  await age(alice, 7.01, first.id, second.id)
  await age(alice, 6.99, third.id)
  await parley.sweep()
  expect(await idsIn(bob, channel_id)).toHaveLength(3)

  const live = await connect(bob)
  expect((await keep(alice, server_id, 7)).body).toMatchObject({ message_retention_days: 7 })
  await parley.sweep()
  await live.settled()
  expect(await idsIn(bob, channel_id)).toEqual([third.id])
  const events = live.frames.filter(({ t }) => t === 'channel.pruned' || t === 'message.deleted')
  expect(events.map(({ t, d }) => [t, d])).toEqual([['channel.pruned', { channel_id, before_id: second.id + 1 }]])
  live.close()
  expect((await bob.get(`/api/channels/${channel_id}`)).body).toMatchObject({
    pruned_before_id: second.id + 1,
    last_message_id: third.id,
  })
})

test('the shortest of operator, server and channel counts, and only a manager of the server sets it', async () => {
  const [alice, bob, carol] = await persons(own, 'alice', 'bob', 'carol')
  const { server_id, channel_id } = await place(alice, bob, carol)
  await rank(own, server_id, permissions('manage_channels'), bob)
  await rank(own, server_id, permissions('manage_server'), carol)
  expect((await keepIn(bob, channel_id, 3)).body.code).toBe('missing_permission')
  expect((await keep(bob, server_id, 3)).body.code).toBe('missing_permission')
  expect((await carol.put(`/api/channels/${channel_id}`, { topic: 'x' })).body.code).toBe('missing_permission')
  const both = { topic: 'x', message_retention_days: 3 }
  for (const who of [bob, carol]) expect((await who.put(`/api/channels/${channel_id}`, both)).status).toBe(403)
  for (const message_retention_days of [0, -1, 1.5, 36_501, '3'])
    expect((await alice.put(`/api/servers/${server_id}`, { message_retention_days })).status).toBe(422)

  const survivors = async (server: number | null, channel: number | null) => {
    expect((await keep(carol, server_id, server)).status).toBe(200)
    expect((await keepIn(carol, channel_id, channel)).body).toMatchObject({ message_retention_days: channel })
    await own.parts.sql`delete from messages where channel_id = ${channel_id}`
    for (const days of [31, 21, 11]) await saidDaysAgo(alice, channel_id, days, 1)
    await own.sweep()
    return (await idsIn(alice, channel_id)).length
  }
  expect(await survivors(null, null)).toBe(2)
  expect(await survivors(20, null)).toBe(1)
  expect(await survivors(null, 20)).toBe(1)
  expect(await survivors(20, 10)).toBe(0)
  expect(await survivors(10, 20)).toBe(0)
  expect(await survivors(100, 100)).toBe(2)
  const log = (await alice.get(`/api/servers/${server_id}/audit-log`)).body
  expect(log[0]).toMatchObject({
    action: 'channel.updated',
    changes: { message_retention_days: { before: 20, after: 100 } },
  })
  const live = await connect(alice)
  expect(live.frames[0]?.d.retention).toEqual({ message_days: 30, file_days: null, file_bytes_min: 0 })
  live.close()
})

test('read marks and last_message_id stay, replies point to nothing, the newest deleted id can be read', async () => {
  const [alice, bob] = await persons(parley, 'alice', 'bob')
  const { channel_id } = await newServer(alice, bob)
  const old = await say(alice, channel_id, 'old')
  const live = await connect(bob)
  await live.command('channel.ack', { channel_id, message_id: old.id })
  const newer = await say(alice, channel_id, 'newer')
  const path = `/api/channels/${channel_id}/messages`
  const reply = (await bob.post(path, { content: 'yes', reply_to_id: old.id })).body
  await age(alice, 2, old.id, newer.id)
  await keepIn(alice, channel_id, 1)
  await parley.sweep()
  expect((await bob.get(`/api/messages/${reply.id}`)).body.reply_to_id).toBe(old.id)
  expect((await bob.get(`/api/messages/${old.id}`)).status).toBe(404)
  expect((await bob.post(path, { content: 'no', reply_to_id: old.id })).status).toBe(422)
  await age(alice, 2, reply.id)
  await parley.sweep()
  expect(await idsIn(bob, channel_id)).toEqual([])
  const { body: channel } = await bob.get(`/api/channels/${channel_id}`)
  expect(channel).toMatchObject({ last_message_id: reply.id, pruned_before_id: reply.id + 1 })
  const again = await connect(bob)
  expect(again.frames[0]?.d.read_marks).toContainEqual({ channel_id, message_id: old.id })
  const acked = await again.command('channel.ack', { channel_id, message_id: reply.id })
  expect(acked.d).toEqual({ channel_id, message_id: reply.id })
  const marks = await sql`select 1 from read_marks where channel_id = ${channel_id} and message_id = ${reply.id}`
  expect(marks).toHaveLength(1)
  for (const gateway of [live, again]) gateway.close()
})

test('a repeated nonce of a pruned message is a conflict within 24 hours of its first use', async () => {
  const [alice] = await persons(parley, 'alice')
  const { channel_id } = await newServer(alice)
  const draft = { content: 'once', nonce: 'the-nonce' }
  const sent = await alice.post(`/api/channels/${channel_id}/messages`, draft)
  await age(alice, 2, sent.body.id)
  await keepIn(alice, channel_id, 1)
  await parley.sweep()
  expect((await alice.post(`/api/channels/${channel_id}/messages`, draft)).body.code).toBe('nonce_conflict')
})

test('the event log keeps nothing of pruned messages, and a client that was away drops them', async () => {
  const [alice, bob] = await persons(parley, 'alice', 'bob')
  const { channel_id } = await newServer(alice, bob)
  const model = await ClientModel.open(bob)
  const old = await say(alice, channel_id, 'A-SECRET-OF-OLD')
  await model.settle()
  await model.cut()
  const s = await goOffline(alice)
  await alice.put(`/api/messages/${old.id}`, { content: 'A-SECRET-OF-OLD, edited' })
  const unseen = await say(alice, channel_id, 'A-SECRET-OF-OLD, never seen')
  const young = await say(alice, channel_id, 'young')
  await age(alice, 2, old.id, unseen.id)
  await keepIn(alice, channel_id, 1)
  await parley.sweep()
  expect(await sql`select 1 from events where body::text like '%A-SECRET-OF-OLD%'`).toHaveLength(0)
  const live = await resume(alice, s)
  await live.settled()
  const types = replayed(live).map(({ t, d }) => [t, d.id ?? d.before_id])
  expect(types).toContainEqual(['channel.pruned', unseen.id + 1])
  expect(types.filter(([t]) => String(t).startsWith('message.'))).toEqual([['message.created', young.id]])
  live.close()
  await model.resume()
  const fresh = await ClientModel.open(bob)
  expect(model.state()).toEqual(fresh.state())
  expect([...fresh.messages.keys()]).toEqual([young.id])
  for (const client of [model, fresh]) client.gateway.close()
})

test('files go with their messages, objects too; an avatar that was sent once stays', async () => {
  const [alice] = await persons(parley, 'alice')
  const { channel_id } = await newServer(alice)
  const bytes = await png(32, 32)
  const [picture, avatar] = [
    await upload(alice, 'a.png', 'image/png', bytes),
    await upload(alice, 'b.png', 'image/png', bytes),
  ]
  const path = `/api/channels/${channel_id}/messages`
  const sent = (await alice.post(path, { file_ids: [picture.id, avatar.id] })).body
  expect((await alice.put('/api/auth/avatar', { avatar_file_id: avatar.id })).status).toBe(200)
  const url = (await alice.get(`/api/files/${picture.id}/download-url`)).body.download_url
  await age(alice, 2, sent.id)
  await keepIn(alice, channel_id, 1)
  await parley.sweep()
  expect((await alice.get(`/api/files/${picture.id}`)).status).toBe(404)
  await until(async () => (await fetch(url)).status === 404)
  expect((await alice.get('/api/auth/me')).body.avatar_file_id).toBe(avatar.id)
  expect((await download(alice, avatar.id)).status).toBe(200)
  const [{ stored }] = await sql<[{ stored: boolean }]>`
    select stored_bytes = (select sum(size) from files where uploader_id = ${alice.id}) as stored
    from users where id = ${alice.id}`
  expect(stored).toBeTrue()
})

test('direct messages follow the operator, with their unread counts; both people get the event', async () => {
  const [alice, bob, carol] = await persons(own, 'alice', 'bob', 'carol')
  await place(alice, bob, carol)
  const [first, second, third] = [
    await write(alice, bob, 'one'),
    await write(alice, bob, 'A-DIRECT-SECRET'),
    await write(bob, alice, 'three'),
  ]
  const alone = await write(carol, alice, 'alone')
  await own.parts.sql`update messages set created_at = now() - interval '31 days'
    where id = any(${[first.id, second.id, alone.id]})`
  const away = await ClientModel.open(bob)
  await away.cut()
  const live = await connect(alice)
  await own.sweep()
  await live.settled()
  const events = live.frames.filter(({ t }) => t === 'channel.pruned').map(({ d }) => d)
  expect(events.toSorted((a, b) => a.before_id - b.before_id)).toEqual([
    { channel_id: first.channel_id, before_id: second.id + 1, last_message_id: third.id, unread_count: 1 },
    { channel_id: alone.channel_id, before_id: alone.id + 1, last_message_id: null, unread_count: 0 },
  ])
  live.close()
  const conversations = (await bob.get('/api/dm/conversations')).body
  expect(conversations).toMatchObject([{ unread_count: 0, last_message: { id: third.id } }])
  expect((await alice.get(`/api/dm/${carol.id}/messages`)).body).toEqual([])
  expect(await own.parts.sql`select 1 from events where body::text like '%A-DIRECT-SECRET%'`).toHaveLength(0)
  await away.resume()
  const fresh = await ClientModel.open(bob)
  expect(away.state()).toEqual(fresh.state())
  for (const client of [away, fresh]) client.gateway.close()
})

test('files of messages go by age and size, the messages stay and are published anew', async () => {
  const [alice, bob] = await persons(parley, 'alice', 'bob')
  const { channel_id } = await newServer(alice, bob)
  const files = []
  for (const size of [999, 1000, 1000])
    files.push(await upload(alice, `${size}.bin`, 'application/octet-stream', new Uint8Array(size)))
  const [small, large, young] = files.map((file) => file.id)
  const path = `/api/channels/${channel_id}/messages`
  const sent = (await alice.post(path, { content: 'kept', file_ids: [small, large, young] })).body
  const direct = await upload(alice, 'direct.bin', 'application/octet-stream', new Uint8Array(2000))
  const fileMessage = await write(alice, bob, 'a file', { file_ids: [direct.id] })
  const unattached = await upload(alice, 'c.bin', 'application/octet-stream', new Uint8Array(2000))
  const deletedFiles = [large, direct.id] as number[]
  await sql`update files set created_at = now() - interval '10 days' where id = any(${[small ?? 0, ...deletedFiles]})`
  const live = await connect(bob)
  await pruneWith(parley, { FILE_RETENTION_DAYS: 9, FILE_RETENTION_BYTES_MIN: 1000 })
  await live.settled()
  const remaining = [small ?? 0, young ?? 0]
  const idsOf = (d: { files: { id: number }[] }) => d.files.map((file) => file.id)
  expect(idsOf((await bob.get(`/api/messages/${sent.id}`)).body)).toEqual(remaining)
  expect(live.frames.filter(({ t }) => t === 'message.updated').map(({ d }) => [d.id, idsOf(d)])).toEqual([
    [sent.id, remaining],
    [fileMessage.id, []],
  ])
  for (const id of deletedFiles) expect((await alice.get(`/api/files/${id}`)).status).toBe(404)
  expect((await alice.get(`/api/files/${unattached.id}`)).status).toBe(200)
  expect(await sql`select 1 from events where body::text like '%direct.bin%'`).toHaveLength(0)
  live.close()
})
