import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { ThreadKeeper } from '../../../src/features/threads/thread-keeper.ts'
import { type Person, say, standard, until } from '../../support/harness.ts'
import { passerBy, place, rank } from '../../support/places.ts'
import { race } from '../../support/races.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob, carol, mallory] = (await Promise.all(
  ['alice', 'bob', 'carol', 'mallory'].map((name) => passerBy(parley, name)),
)) as [Person, Person, Person, Person]

const begin = async (who: Person, channel_id: number, message_id?: number) => {
  const { status, body } = await who.post(`/api/channels/${channel_id}/threads`, { name: 'Kingfishers', message_id })
  expect(status).toBe(201)
  return body
}
const read = async (who: Person, id: number) => (await who.get(`/api/channels/${id}`)).body
const archiveNow = (id: number) => sql`update channels set archived_at = now() where id = ${id}`

test('a thread begins at a message, once, and the message carries it', async () => {
  const { channel_id, server_id } = await place(alice, bob)
  const { id } = await say(alice, channel_id, 'A kingfisher!')
  const both = await Promise.all(
    [alice, bob].map((who) => who.post(`/api/channels/${channel_id}/threads`, { name: 'Kingfishers', message_id: id })),
  )
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
  const thread = both.find(({ status }) => status === 201)?.body
  expect(both.find(({ status }) => status === 409)?.body.code).toBe('thread_exists')
  expect(thread).toMatchObject({
    type: 'thread',
    parent_id: channel_id,
    server_id,
    message_id: id,
    message_count: 0,
    locked: false,
    archived_at: null,
    archive_after_seconds: 259_200,
  })
  const reply = await say(bob, thread.id, 'Where?')
  const message = (await alice.get(`/api/messages/${id}`)).body
  expect(message.thread).toEqual({
    id: thread.id,
    name: 'Kingfishers',
    message_count: 1,
    last_message_id: reply.id,
    last_message_at: reply.created_at,
    archived_at: null,
  })
  const notices = (await alice.get(`/api/channels/${channel_id}/messages`)).body
  expect(notices[0]).toMatchObject({ kind: 'thread_created', data: { thread_id: thread.id, name: 'Kingfishers' } })
  expect((await alice.get(`/api/channels/${thread.id}/messages`)).body.map((each: any) => each.id)).toEqual([reply.id])
  expect((await alice.delete(`/api/messages/${id}`)).status).toBe(204)
  expect(await read(bob, thread.id)).toMatchObject({ message_id: null, message_count: 1 })
})

test('a thread begins in text and voice channels of a server, nowhere else', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  const post = (who: Person, id: number, body: object = { name: 'x' }) => who.post(`/api/channels/${id}/threads`, body)
  const make = async (type: string) =>
    (await alice.post(`/api/servers/${server_id}/channels`, { name: type, type })).body.id
  expect((await post(bob, await make('voice'))).status).toBe(201)
  expect((await post(bob, await make('category'))).body.code).toBe('forbidden')
  const thread = await begin(bob, channel_id)
  expect((await post(bob, thread.id)).body.code).toBe('forbidden')
  expect((await post(mallory, channel_id)).status).toBe(404)
  const elsewhere = await say(alice, (await place(alice)).channel_id, 'Elsewhere')
  const refused = await post(bob, channel_id, { name: 'x', message_id: elsewhere.id })
  expect([refused.status, refused.body.errors[0].path]).toEqual([422, 'body.message_id'])
  const response = await alice.post(`/api/servers/${server_id}/channels`, {
    name: 'in',
    type: 'text',
    parent_id: thread.id,
  })
  expect(response.status).toBe(422)
  const everyone = (await alice.get(`/api/servers/${server_id}/roles`)).body[0].id
  expect((await alice.put(`/api/channels/${thread.id}/permissions/${everyone}`, { deny: 1024 })).status).toBe(403)
})

test("a thread has its channel's permissions, and everyone who sees the channel sees it", async () => {
  const { server_id, channel_id, everyone } = await place(alice, bob, carol)
  const thread = await begin(alice, channel_id)
  const { id } = await say(bob, thread.id, 'Here')
  const live = await connect(bob)
  const named = ({ frames }: { frames: { t: string; d: any }[] }) =>
    frames.find(({ t }) => t === 'ready')?.d.threads.some((each: any) => each.id === thread.id)
  expect(named(live)).toBe(true)
  const overwrite = (allow: number, deny: number) =>
    alice.put(`/api/channels/${channel_id}/permissions/${everyone}`, { allow, deny })
  await overwrite(0, permissions('send_in_threads'))
  expect((await bob.post(`/api/channels/${thread.id}/messages`, { content: 'x' })).body.code).toBe('missing_permission')
  expect((await bob.put(`/api/messages/${id}`, { content: 'x' })).status).toBe(403)
  expect((await live.command('typing.start', { channel_id: thread.id })).error.code).toBe('missing_permission')
  await overwrite(0, permissions('send_messages'))
  await say(bob, thread.id, 'In threads one may')
  expect((await bob.post(`/api/channels/${channel_id}/messages`, { content: 'x' })).status).toBe(403)
  await overwrite(0, permissions('view_channel'))
  expect((await bob.get(`/api/channels/${thread.id}`)).status).toBe(404)
  expect((await bob.get(`/api/channels/${thread.id}/messages`)).status).toBe(404)
  expect((await bob.put(`/api/channels/${thread.id}/followers/@me`)).status).toBe(404)
  const blind = await connect(bob)
  expect(named(blind)).toBe(false)
  await say(alice, thread.id, 'Secret')
  await alice.put(`/api/channels/${thread.id}`, { name: 'Secret' })
  const keeper = new ThreadKeeper(parley.parts)
  await keeper.run()
  await overwrite(0, 0)
  await say(alice, channel_id, 'Open again')
  await live.next('message.created', ({ d }) => d.content === 'Open again')
  const texts = [...live.frames, ...blind.frames].map(({ d }) => JSON.stringify(d))
  expect(texts.filter((text) => text.includes('Secret'))).toEqual([])
  expect((await bob.get(`/api/servers/${server_id}/channels`)).body.map((each: any) => each.id)).toEqual([channel_id])
  keeper.stop()
  live.close()
  blind.close()
})

test('its owner renames and archives a thread; only a thread manager locks it', async () => {
  const { server_id, channel_id } = await place(alice, bob, carol)
  await rank(parley, server_id, permissions('manage_threads', 'view_audit_log'), carol)
  const { id } = await begin(bob, channel_id)
  const put = async (who: Person, body: object) => (await who.put(`/api/channels/${id}`, body)).status
  expect(await put(bob, { name: 'Owls' })).toBe(200)
  expect(await put(bob, { archived: true })).toBe(200)
  expect((await read(bob, id)).archived_at).toBeString()
  expect(await put(bob, { archived: false })).toBe(200)
  for (const body of [
    { locked: true },
    { archive_after_seconds: 3600 },
    { slowmode_seconds: 5 },
    { name: 'x', locked: false },
  ])
    expect(await put(bob, body)).toBe(403)
  for (const body of [{ topic: 'x' }, { parent_id: null }, { position: 1 }, { archive_after_seconds: 5 }])
    expect(await put(carol, body)).toBe(422)
  expect(await put(alice, { archive_after_seconds: 3600, slowmode_seconds: 5 })).toBe(200)
  expect(await put(carol, { locked: true, slowmode_seconds: 0 })).toBe(200)
  expect(await put(bob, { name: 'Mine' })).toBe(403)
  expect((await bob.post(`/api/channels/${id}/messages`, { content: 'x' })).status).toBe(403)
  await say(carol, id, 'A moderator may')
  const [entry] = (await carol.get(`/api/servers/${server_id}/audit-log`)).body
  expect(entry).toMatchObject({
    action: 'thread.updated',
    target_id: id,
    changes: { locked: { before: false, after: true } },
  })
  expect((await alice.put(`/api/channels/${channel_id}`, { locked: true })).status).toBe(422)
})

test('a message brings a thread back from the archive, unless it is locked; quiet archives it', async () => {
  const { channel_id } = await place(alice, bob)
  const { id } = await begin(bob, channel_id)
  const keeper = new ThreadKeeper(parley.parts)
  await sql`update channels set active_at = now() - interval '3 days 1 second' where id = ${id}`
  // If the server's own job is running, this one does nothing.
  await until(async () => {
    await keeper.archive()
    return (await read(bob, id)).archived_at !== null
  })
  const list = async (isArchived: boolean) =>
    (await bob.get(`/api/channels/${channel_id}/threads?archived=${isArchived}`)).body.map((each: any) => each.id)
  expect([await list(false), await list(true)]).toEqual([[], [id]])
  const live = await connect(bob)
  await say(alice, id, 'Back')
  expect((await read(bob, id)).archived_at).toBeNull()
  // The keeper may only now publish the threads of earlier tests.
  const { d } = await live.next('thread.followed', (frame) => frame.d.channel_id === id)
  expect(d.following).toBe(true)
  await keeper.archive()
  expect((await read(bob, id)).archived_at).toBeNull()
  await alice.put(`/api/channels/${id}`, { locked: true, archived: true })
  await say(alice, id, 'Not back')
  expect((await read(bob, id)).archived_at).toBeString()
  live.close()
  keeper.stop()
})

test('a thread that gets a message just as it falls due stays', async () => {
  const { channel_id } = await place(alice, bob)
  const { id } = await begin(bob, channel_id)
  await sql`update channels set active_at = now() - interval '4 days' where id = ${id}`
  const keeper = new ThreadKeeper(parley.parts)
  await sql.begin(async (tx) => {
    await tx`select enter_thread(c, 0, ${bob.id}, false) from channels c where c.id = ${id}`
    await keeper.archive()
    await tx`update channels set active_at = now() where id = ${id}`
  })
  await keeper.archive()
  expect((await read(bob, id)).archived_at).toBeNull()
  keeper.stop()
})

test('writing follows, a mention follows, and a member can follow or not', async () => {
  const { channel_id } = await place(alice, bob, carol, mallory)
  const { id } = await begin(alice, channel_id)
  await say(bob, id, `<@${carol.id}> look`)
  const followed = async (who: Person) => {
    const live = await connect(who)
    live.close()
    return live.of('ready')[0]?.d.threads.some((each: any) => each.id === id)
  }
  expect(await Promise.all([alice, bob, carol, mallory].map(followed))).toEqual([true, true, true, false])
  const live = await connect(mallory)
  for (const status of [204, 204]) expect((await mallory.put(`/api/channels/${id}/followers/@me`)).status).toBe(status)
  await live.next('thread.followed', ({ d }) => d.channel_id === id && d.following)
  expect((await mallory.get(`/api/channels/${channel_id}/threads?followed=true`)).body).toHaveLength(1)
  expect((await mallory.delete(`/api/channels/${id}/followers/@me`)).status).toBe(204)
  await live.next('thread.followed', ({ d }) => d.channel_id === id && !d.following)
  expect(live.of('thread.followed')).toHaveLength(2)
  expect(await followed(mallory)).toBe(false)
  expect((await mallory.put(`/api/channels/${channel_id}/followers/@me`)).status).toBe(403)
  live.close()
})

test('the archive lists by activity, not by the time of archiving', async () => {
  const { channel_id } = await place(alice, bob)
  const [quieter, livelier] = [await begin(alice, channel_id), await begin(alice, channel_id)]
  for (const { id } of [quieter, livelier]) await say(bob, id, 'Hello')
  for (const { id } of [livelier, quieter])
    expect((await alice.put(`/api/channels/${id}`, { archived: true })).status).toBe(200)
  const { body } = await bob.get(`/api/channels/${channel_id}/threads?archived=true`)
  expect(body.map((each: any) => each.id)).toEqual([livelier.id, quieter.id])
})

test('an edit that mentions a member makes the member follow the thread, with an event', async () => {
  const { channel_id } = await place(alice, bob, mallory)
  const { id } = await begin(alice, channel_id)
  const reply = await say(bob, id, 'Look')
  const live = await connect(mallory)
  const edit = async (content: string) =>
    expect((await bob.put(`/api/messages/${reply.id}`, { content })).status).toBe(200)
  await edit(`<@${mallory.id}> look`)
  await live.next('thread.followed', ({ d }) => d.channel_id === id && d.following)
  const [unread] = (await mallory.get(`/api/unread?channel_ids=${id}`)).body
  expect(unread).toMatchObject({ newest_id: reply.id, mention_count: 1 })
  await mallory.delete(`/api/channels/${id}/followers/@me`)
  await live.next('thread.followed', ({ d }) => d.channel_id === id && !d.following)
  await edit(`<@${mallory.id}> look there`)
  expect((await mallory.get(`/api/channels/${channel_id}/threads?followed=true`)).body).toEqual([])
  live.close()
})

test('thread.updated comes once a second at most, with the last state', async () => {
  const { channel_id } = await place(alice, bob)
  const { id } = await begin(alice, channel_id)
  const live = await connect(bob)
  for (let n = 0; n < 12; n++) await say(alice, id, `${n}`)
  const { d } = await live.next('thread.updated', (frame) => frame.d.id === id && frame.d.message_count === 12)
  expect(d).toEqual(await read(bob, id))
  const rows = await sql<{ created_at: string }[]>`
    select created_at from events where resource = ${`thread:${id}`} and type = 'thread.updated' order by id`
  for (const [at, row] of rows.entries())
    expect(Date.parse(row.created_at) - Date.parse(rows[at - 1]?.created_at ?? '1970-01-01')).toBeGreaterThan(950)
  live.close()
})

test('one thread more than 1,000 archives the quietest', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  await sql`
    insert into channels (server_id, parent_id, name, type, position, owner_id, active_at, archive_after_seconds)
    select ${server_id}, ${channel_id}, n, 'thread', 0, ${alice.id}, now() - n * interval '1 second', 604800
    from generate_series(1, 1000) n`
  const { id } = await begin(bob, channel_id)
  const archived = await sql<{ id: number; name: string }[]>`
    select id, name from channels where parent_id = ${channel_id} and archived_at is not null`
  expect(archived.map(({ name }) => name)).toEqual(['1000'])
  await say(bob, archived[0]?.id ?? 0, 'Not so quiet')
  const [{ names }] = await sql<[{ names: string[] }]>`
    select array_agg(name) as names from channels where parent_id = ${channel_id} and archived_at is not null`
  expect(names).toEqual(['999'])
  expect((await read(bob, id)).archived_at).toBeNull()
})

test('a message that was under way when its thread was locked is there, the next is not', async () => {
  const { channel_id } = await place(alice, bob)
  const { id } = await begin(bob, channel_id)
  const send = () => bob.post(`/api/channels/${id}/messages`, { content: 'x' })
  const [first] = await race(
    parley,
    (tx) => tx`select 1 from channels where id = ${id} for no key update`,
    [send],
    (tx) => tx`update channels set locked = true where id = ${id}`,
  )
  expect(first?.status).toBe(403)
  expect((await read(bob, id)).message_count).toBe(0)
  await sql`update channels set locked = false where id = ${id}`
  expect((await send()).status).toBe(201)
  expect((await read(bob, id)).message_count).toBe(1)
})

test('if the owner archives a thread while somebody writes there, the later of the two decides', async () => {
  const { channel_id } = await place(alice, bob)
  const archive = (id: number) => () => bob.put(`/api/channels/${id}`, { archived: true })
  const write = (id: number) => () => alice.post(`/api/channels/${id}/messages`, { content: 'x' })
  for (const order of [
    [archive, write],
    [write, archive],
  ]) {
    const { id } = await begin(bob, channel_id)
    const answers = await race(
      parley,
      (tx) => tx`select 1 from channels where id = ${id} for no key update`,
      order.map((request) => request(id)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 201])
    const thread = await read(bob, id)
    expect([thread.message_count, thread.archived_at !== null]).toEqual([1, order[1] === archive])
  }
})

test('the count of a thread follows its messages, and a refused one changes nothing', async () => {
  const { channel_id } = await place(alice, bob)
  const { id } = await begin(bob, channel_id)
  await archiveNow(id)
  const refused = await bob.post(`/api/channels/${id}/messages`, { content: 'x', file_ids: [999_999_999] })
  expect(refused.status).toBe(422)
  expect(await read(bob, id)).toMatchObject({ message_count: 0 })
  expect((await read(bob, id)).archived_at).toBeString()
  const nonce = { content: 'Once', nonce: 'n' }
  for (const status of [201, 200]) expect((await bob.post(`/api/channels/${id}/messages`, nonce)).status).toBe(status)
  const { id: message_id } = await say(bob, id, 'Twice')
  expect((await read(bob, id)).message_count).toBe(2)
  await bob.delete(`/api/messages/${message_id}`)
  expect(await read(bob, id)).toMatchObject({ message_count: 1, last_message_id: message_id })
})

test('a read mark in a thread is kept and replayed; a thread takes no call', async () => {
  const { channel_id } = await place(alice, bob)
  const { id } = await begin(bob, channel_id)
  const message = await say(alice, id, 'Read me')
  const live = await connect(bob)
  const other = await connect(bob)
  expect((await live.command('channel.ack', { channel_id: id, message_id: message.id })).d.message_id).toBe(message.id)
  expect((await other.next('channel.read')).d).toEqual({ channel_id: id, message_id: message.id })
  const refused = await live.command('voice.join', { channel_id: id, self_mute: false, self_deaf: false })
  expect(refused.error.errors[0].message).toStartWith('Must be a voice channel')
  live.close()
  other.close()
})
