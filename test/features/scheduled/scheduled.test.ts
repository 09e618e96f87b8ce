import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { endSessions } from '../../../src/features/sessions/store.ts'
import { boot, call, type Person, newServer, say, standard, stop } from '../../support/harness.ts'
import { group, passersBy, peopleWithPassword, deleteAccountOf, write } from '../../support/people.ts'
import { place, session } from '../../support/places.ts'
import { promote } from '../../support/ranks.ts'
import { connect } from '../../support/socket.ts'
import { upload } from '../../support/uploads.ts'
import { exportOf } from '../../support/factors.ts'

const parley = await standard()
const { sql } = parley.parts
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
const schedule = (who: Person, channel_id: number, draft: object | string, send_at = inMinutes(60)) =>
  who.post(`/api/channels/${channel_id}/scheduled`, {
    draft: typeof draft === 'string' ? { content: draft } : draft,
    send_at,
  })
const scheduled = async (who: Person) => (await who.get('/api/scheduled')).body
/** Lets the time of all scheduled messages of the account come. */
const pass = (who: Person, on = sql) =>
  on`update scheduled_messages set send_at = now() - interval '1 second', due_at = now() - interval '1 second'
    where author_id = ${who.id}`
const contentsIn = async (who: Person, channel_id: number): Promise<string[]> =>
  (await who.get(`/api/channels/${channel_id}/messages`)).body
    .filter(({ kind }: { kind: string }) => kind === 'default')
    .map(({ content }: { content: string }) => content)

test('a scheduled message is listed only to its author, changed and cancelled', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { server_id, channel_id } = await place(alice, bob)
  const live = await connect(alice)
  const answer = await schedule(alice, channel_id, 'Good morning')
  expect(answer.status).toBe(201)
  expect(answer.body).toMatchObject({ channel_id, server_id, content: 'Good morning', state: 'waiting', reason: null })
  const { id, send_at } = answer.body
  // The event log keeps no texts.
  expect((await live.next('scheduled.updated')).d).toEqual({ id, channel_id, send_at, state: 'waiting', reason: null })
  expect(await scheduled(alice)).toEqual([answer.body])
  expect(await scheduled(bob)).toEqual([])
  for (const request of [
    bob.put(`/api/scheduled/${id}`, { send_at: inMinutes(5) }),
    bob.delete(`/api/scheduled/${id}`),
  ])
    expect((await request).status).toBe(404)
  const later = inMinutes(120)
  const changed = await alice.put(`/api/scheduled/${id}`, { draft: { content: 'Good evening' }, send_at: later })
  expect(changed.body).toEqual({ ...answer.body, content: 'Good evening', send_at: later })
  expect((await alice.delete(`/api/scheduled/${id}`)).status).toBe(204)
  expect((await live.next('scheduled.removed')).d).toEqual({ id, message_id: null })
  expect((await alice.delete(`/api/scheduled/${id}`)).status).toBe(404)
  expect(await scheduled(alice)).toEqual([])
  live.close()
})

test('at its time the message is sent once, with its files, reply and mentions, to everybody', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { channel_id } = await place(alice, bob)
  const question = await say(bob, channel_id, 'When?')
  const file = await upload(alice, 'plan.txt', 'text/plain', Buffer.from('At dawn'))
  const draft = { content: `Now, <@${bob.id}>`, file_ids: [file.id], reply_to_id: question.id }
  const { id } = (await schedule(alice, channel_id, draft)).body
  const [hers, his] = [await connect(alice), await connect(bob)]
  await parley.sweep()
  expect(await contentsIn(bob, channel_id)).toEqual(['When?'])
  await pass(alice)
  for (let n = 0; n < 2; n++) await parley.sweep()
  const { d: message } = await his.next('message.created')
  expect(message).toMatchObject({
    author: { id: alice.id },
    content: draft.content,
    reply_to_id: question.id,
    mention_ids: [bob.id],
    files: [{ id: file.id, message_id: message.id }],
    nonce: `scheduled:${id}`,
  })
  expect((await hers.next('scheduled.removed')).d).toEqual({ id, message_id: message.id })
  expect(await contentsIn(bob, channel_id)).toEqual([draft.content, 'When?'])
  expect(await scheduled(alice)).toEqual([])
  for (const live of [hers, his]) live.close()
})

test('a time lies in the next 90 days, and a draft has no forward, components or embeds', async () => {
  const [alice] = await passersBy(parley, 'alice')
  const { channel_id } = await place(alice)
  const { id } = await say(alice, channel_id, 'Original')
  for (const [draft, send_at] of [
    [{ content: 'x' }, inMinutes(-1)],
    [{ content: 'x' }, inMinutes(91 * 1440)],
    [{ content: '' }, inMinutes(1)],
    [{ content: 'x'.repeat(4001) }, inMinutes(1)],
    [{ content: 'x', forward_message_id: id }, inMinutes(1)],
    [{ content: 'x', embeds: [{ title: 'x' }] }, inMinutes(1)],
    [{ content: 'x', file_ids: [1] }, inMinutes(1)],
  ] as const)
    expect((await schedule(alice, channel_id, draft, send_at)).status).toBe(422)
  expect(await scheduled(alice)).toEqual([])
})

test('scheduling takes the permission to send, and the channel', async () => {
  const [alice, bob, mallory] = await passersBy(parley, 'alice', 'bob', 'mallory')
  const { channel_id, everyone } = await place(alice, bob)
  expect((await schedule(mallory, channel_id, 'Hello')).body.code).toBe('not_found')
  const path = `/api/channels/${channel_id}/permissions/${everyone}`
  await alice.put(path, { deny: permissions('attach_files') })
  const file = await upload(bob, 'a.txt', 'text/plain', Buffer.from('a'))
  expect((await schedule(bob, channel_id, { file_ids: [file.id] })).body.code).toBe('missing_permission')
  await alice.put(path, { deny: permissions('send_messages') })
  expect((await schedule(bob, channel_id, 'Hello')).body.code).toBe('missing_permission')
})

test('the whole door of a send applies at the moment of sending: what it refuses is returned', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { channel_id, everyone } = await place(alice, bob)
  const { id } = (await schedule(bob, channel_id, 'Hello')).body
  const path = `/api/channels/${channel_id}/permissions/${everyone}`
  await alice.put(path, { deny: permissions('send_messages') })
  const live = await connect(bob)
  await pass(bob)
  await parley.sweep()
  expect((await live.next('scheduled.updated')).d).toMatchObject({ state: 'returned', reason: 'missing_permission' })
  expect(await scheduled(bob)).toMatchObject([{ id, content: 'Hello', state: 'returned' }])
  const fresh = await connect(bob)
  expect((await fresh.next('ready')).d.unsent).toEqual([id])
  expect((await bob.put(`/api/scheduled/${id}`, { send_at: inMinutes(1) })).body.code).toBe('missing_permission')
  await alice.delete(path)
  expect((await bob.put(`/api/scheduled/${id}`, { draft: { content: 'Again' } })).status).toBe(422)
  const waiting = await bob.put(`/api/scheduled/${id}`, { send_at: inMinutes(1) })
  expect(waiting.body).toMatchObject({ state: 'waiting', reason: null })
  await pass(bob)
  await parley.sweep()
  expect(await contentsIn(alice, channel_id)).toEqual(['Hello'])
  for (const one of [live, fresh]) one.close()
})

test('slowmode, a block, a deleted channel and an empty text return the message with their reasons', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { server_id, channel_id } = await place(alice, bob)
  const { channel_id: dm } = await write(alice, bob, 'Hi')
  const doomed = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'doomed', type: 'text' })).body.id
  const file = await upload(bob, 'a.txt', 'text/plain', Buffer.from('a'))
  await alice.put(`/api/channels/${channel_id}`, { slowmode_seconds: 3600 })
  for (const [where, draft] of [
    [channel_id, { content: 'Too soon' }],
    [dm, { content: 'Blocked' }],
    [doomed, { content: 'Nowhere' }],
    [channel_id, { file_ids: [file.id] }],
  ] as const)
    expect((await schedule(bob, where, draft)).status).toBe(201)
  await say(bob, channel_id, 'First')
  await alice.post(`/api/friends/${bob.id}/block`)
  await alice.delete(`/api/channels/${doomed}`)
  expect((await bob.delete(`/api/files/${file.id}`)).body.code).toBe('already_attached')
  await sql`delete from files where id = ${file.id}`
  await pass(bob)
  await parley.sweep()
  const reasons = (await scheduled(bob)).map(({ content, reason }: any) => [content, reason])
  expect(Object.fromEntries(reasons)).toEqual({
    'Too soon': 'slowmode',
    Blocked: 'cannot_contact',
    Nowhere: 'not_found',
    '': 'validation_failed',
  })
})

test('leaving, a kick, a ban and leaving a group delete what was scheduled there', async () => {
  const [alice, bob, carol, dave] = await passersBy(parley, 'alice', 'bob', 'carol', 'dave')
  const { server_id, channel_id } = await newServer(alice, bob, carol, dave)
  const other = await newServer(alice, bob)
  const groupId = await group(alice, bob, carol)
  for (const who of [bob, carol, dave]) expect((await schedule(who, channel_id, 'Here')).status).toBe(201)
  await schedule(bob, groupId, 'Among us')
  const remaining = (await schedule(bob, other.channel_id, 'There')).body
  const live = await connect(bob)
  await bob.delete(`/api/servers/${server_id}/members/@me`)
  await live.next('scheduled.removed')
  await alice.delete(`/api/servers/${server_id}/members/${carol.id}`)
  await alice.put(`/api/servers/${server_id}/bans/${dave.id}`, {})
  await bob.delete(`/api/channels/${groupId}/recipients/${bob.id}`)
  expect(await scheduled(bob)).toEqual([remaining])
  const rows = await sql`select 1 from scheduled_messages where author_id = any(${[carol.id, dave.id]})`
  expect(rows.length).toBe(0)
  live.close()
})

test('the end of all sessions holds the messages until their owner confirms; late ones are returned', async () => {
  const [alice] = await passersBy(parley, 'alice')
  const { channel_id } = await place(alice)
  const late = (await schedule(alice, channel_id, 'Late', inMinutes(1))).body
  const early = (await schedule(alice, channel_id, 'Early', inMinutes(60))).body
  expect((await alice.post('/api/auth/logout-all')).status).toBe(200)
  await sql`update scheduled_messages set send_at = now(), due_at = now() where id = ${late.id}`
  await parley.sweep()
  expect(await sql`select 1 from messages where channel_id = ${channel_id}`).toHaveLength(0)
  alice.token = await session(parley, alice.id)
  const live = await connect(alice)
  expect((await live.next('ready')).d.unsent).toEqual([late.id, early.id].toSorted((a, b) => a - b))
  expect((await scheduled(alice)).map(({ state }: any) => state)).toEqual(['held', 'held'])
  expect((await alice.post('/api/scheduled/confirm')).status).toBe(204)
  const states = (await scheduled(alice)).map(({ id, state, reason }: any) => [id, state, reason])
  expect(states).toEqual([
    [late.id, 'returned', 'overdue'],
    [early.id, 'waiting', null],
  ])
  await pass(alice)
  await parley.sweep()
  expect(await contentsIn(alice, channel_id)).toEqual(['Early'])
  live.close()
})

test('ending one session holds nothing', async () => {
  const [alice] = await passersBy(parley, 'alice')
  const { channel_id } = await place(alice)
  await schedule(alice, channel_id, 'Later')
  const other = await session(parley, alice.id)
  await call(parley, 'POST', '/api/auth/logout', { token: other })
  expect(await scheduled(alice)).toMatchObject([{ state: 'waiting' }])
})

test('a hold that races the send wins before it or comes after it, and nothing is half sent', async () => {
  const [alice] = await passersBy(parley, 'alice')
  const { channel_id } = await place(alice)
  for (let round = 0; round < 5; round++) {
    await schedule(alice, channel_id, `Round ${round}`)
    await pass(alice)
    await Promise.all([parley.sweep(), parley.parts.write((tx, _emit, notify) => endSessions(tx, notify, alice.id))])
    alice.token = await session(parley, alice.id)
    const heldRows = (await scheduled(alice)).filter(({ state }: any) => state === 'held')
    const sent = (await contentsIn(alice, channel_id)).filter((content) => content === `Round ${round}`)
    expect(heldRows.length + sent.length).toBe(1)
    for (const { id } of heldRows) await alice.delete(`/api/scheduled/${id}`)
  }
})

test('two processes send each of many messages once, and one that died in a claim loses none', async () => {
  const own = await boot()
  const sibling = await boot({}, own)
  const authors = await passersBy(own, 'alice', 'bob', 'carol')
  const [alice] = authors
  const { channel_id } = await place(...authors)
  for (const who of authors)
    await own.parts.sql`insert into scheduled_messages (author_id, channel_id, content, reply_mention, send_at, due_at)
      select ${who.id}, ${channel_id}, ${who.id} || ' ' || n, true, now(), now() from generate_series(1, 50) n`
  // These were claimed by a process that died.
  await own.parts.sql`update scheduled_messages set attempts = 1, due_at = now() + interval '1 hour'
    where author_id = ${alice.id}`
  await Promise.all([own.sweep(), sibling.sweep(), own.sweep(), sibling.sweep()])
  const sent = async () =>
    (await own.parts.sql<{ content: string }[]>`select content from messages where channel_id = ${channel_id}`).map(
      ({ content }) => content,
    )
  expect((await sent()).length).toBe(100)
  // Their claims end.
  await own.parts.sql`update scheduled_messages set due_at = now()`
  await Promise.all([own.sweep(), sibling.sweep(), own.sweep(), sibling.sweep()])
  const contents = await sent()
  expect([contents.length, new Set(contents).size]).toEqual([150, 150])
  expect(await own.parts.sql`select 1 from scheduled_messages`).toHaveLength(0)
  await Promise.all([stop(sibling), stop(own)])
})

test('a change that races the send is refused or counts: the earlier text never follows it', async () => {
  const [alice] = await passersBy(parley, 'alice')
  const { channel_id } = await place(alice)
  for (let round = 0; round < 5; round++) {
    const { id } = (await schedule(alice, channel_id, `Old ${round}`)).body
    await pass(alice)
    const [changed] = await Promise.all([
      alice.put(`/api/scheduled/${id}`, { draft: { content: `New ${round}` }, send_at: inMinutes(5) }),
      parley.sweep(),
    ])
    const contents = await contentsIn(alice, channel_id)
    expect(contents.includes(`Old ${round}`)).toBe(changed.status === 404)
    expect(contents).not.toContain(`New ${round}`)
    if (changed.status === 200) await alice.delete(`/api/scheduled/${id}`)
  }
})

test('files of a scheduled message count as attached, and are free after it is cancelled', async () => {
  const [alice] = await passersBy(parley, 'alice')
  const { channel_id } = await place(alice)
  const file = await upload(alice, 'a.txt', 'text/plain', Buffer.from('a'))
  const { id } = (await schedule(alice, channel_id, { file_ids: [file.id] })).body
  const direct = () => alice.post(`/api/channels/${channel_id}/messages`, { content: '', file_ids: [file.id] })
  expect((await direct()).body.code).toBe('already_attached')
  expect((await schedule(alice, channel_id, { file_ids: [file.id] })).body.code).toBe('already_attached')
  // The job that deletes unused files leaves it.
  await sql`update files set created_at = now() - interval '3 days' where id = ${file.id}`
  await parley.sweep()
  expect((await alice.get(`/api/files/${file.id}`)).status).toBe(200)
  await sql`update files set created_at = now() where id = ${file.id}`
  expect((await alice.put(`/api/scheduled/${id}`, { draft: { content: 'Without it' } })).body.files).toEqual([])
  expect((await direct()).status).toBe(201)
  await alice.delete(`/api/scheduled/${id}`)
})

test('a repeated request with its nonce schedules once, and another request with it is refused', async () => {
  const [alice] = await passersBy(parley, 'alice')
  const { channel_id } = await place(alice)
  const send_at = inMinutes(10)
  const draft = { content: 'Once', nonce: 'a-nonce' }
  const first = await schedule(alice, channel_id, draft, send_at)
  const again = await schedule(alice, channel_id, draft, send_at)
  expect([first.status, again.status]).toEqual([201, 200])
  expect(again.body).toEqual(first.body)
  expect((await schedule(alice, channel_id, { ...draft, content: 'Twice' }, send_at)).body.code).toBe('nonce_conflict')
})

test('fifty scheduled messages are the most, also for racing requests', async () => {
  const [alice] = await passersBy(parley, 'alice')
  const { channel_id } = await place(alice)
  await sql`insert into scheduled_messages (author_id, channel_id, content, reply_mention, send_at, due_at)
    select ${alice.id}, ${channel_id}, 'Later', true, at, at
    from (select now() + interval '1 day' as at) later, generate_series(1, 49)`
  const racing = await Promise.all([1, 2, 3].map((n) => schedule(alice, channel_id, `${n}`)))
  expect(racing.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
  expect(racing.find(({ status }) => status === 409)?.body.code).toBe('too_many_scheduled')
})

test('a timed-out member’s scheduled message is returned', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { server_id, channel_id } = await place(alice, bob)
  await promote(alice, server_id, { bits: ['moderate_members'] })
  await schedule(bob, channel_id, 'Later')
  const timed_out_until = new Date(Date.now() + 3_600_000).toISOString()
  expect((await alice.put(`/api/servers/${server_id}/members/${bob.id}`, { timed_out_until })).status).toBe(200)
  await pass(bob)
  await parley.sweep()
  expect(await scheduled(bob)).toMatchObject([{ reason: 'missing_permission' }])
})

test('the export has what the account has scheduled, and deleting the account removes it', async () => {
  const [alice, bob] = await peopleWithPassword(parley, 'alice', 'bob')
  const { channel_id } = await place(alice, bob)
  const { body } = await schedule(bob, channel_id, 'Mine')
  expect((await exportOf(bob)).body.scheduled).toEqual([body])
  expect((await deleteAccountOf(bob)).status).toBe(204)
  expect(await sql`select 1 from scheduled_messages where author_id = ${bob.id}`).toHaveLength(0)
})
