import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { exportOf } from '../../support/factors.ts'
import { boot, type Person, newServer, say, standard, stop, until } from '../../support/harness.ts'
import { group, passersBy, peopleWithPassword, deleteAccountOf, write } from '../../support/people.ts'
import { place } from '../../support/places.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const save = (who: Person, id: number, change: object = {}) => who.put(`/api/saved/${id}`, change)
const saved = async (who: Person, query = ''): Promise<number[]> =>
  (await who.get(`/api/saved${query}`)).body.map((one: { message_id: number }) => one.message_id)
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
/** Lets the time of a reminder come. */
const pass = (who: Person, id: number) =>
  sql`update saved_messages set remind_at = now() - interval '1 second'
    where user_id = ${who.id} and message_id = ${id}`
const rows = async (who: Person): Promise<number> =>
  (await sql`select 1 from saved_messages where user_id = ${who.id}`).length

test('a saved message is listed with its note, newest first, only to its owner', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { server_id, channel_id } = await newServer(alice, bob)
  const [first, second] = [await say(alice, channel_id, 'First'), await say(bob, channel_id, 'Second')]
  const live = await connect(bob)
  const answer = await save(bob, first.id, { note: 'Answer this' })
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({ message_id: first.id, channel_id, server_id, note: 'Answer this', due: false })
  // The event log keeps no notes.
  const { note: _note, saved_at: _at, ...change } = answer.body
  expect((await live.next('saved.updated')).d).toEqual(change)
  await save(bob, second.id)
  expect(await saved(bob)).toEqual([second.id, first.id])
  expect(await saved(bob, '?limit=1&offset=1')).toEqual([first.id])
  expect(await saved(alice)).toEqual([])
  await alice.put(`/api/messages/${first.id}`, { content: 'Edited' })
  await bob.put(`/api/messages/${first.id}/reactions/${encodeURIComponent('🐦')}/@me`)
  const [, entry] = (await bob.get('/api/saved')).body
  expect(entry).toEqual({ ...answer.body, message: (await bob.get(`/api/messages/${first.id}`)).body })
  expect(entry.message).toMatchObject({ content: 'Edited', reactions: [{ me: true }] })
  expect((await bob.delete(`/api/saved/${first.id}`)).status).toBe(204)
  expect((await live.next('saved.removed')).d).toEqual({ message_id: first.id })
  expect((await bob.delete(`/api/saved/${first.id}`)).status).toBe(204)
  expect(await saved(bob)).toEqual([second.id])
  live.close()
})

test('saving again keeps what the request leaves out', async () => {
  const [alice] = await passersBy(parley, 'alice')
  const { channel_id } = await place(alice)
  const { id } = await say(alice, channel_id, 'Later')
  const remind_at = inDays(1)
  const before = (await save(alice, id, { note: 'Why', remind_at })).body
  expect((await save(alice, id)).body).toEqual(before)
  expect((await save(alice, id, { note: null })).body).toEqual({ ...before, note: null })
  expect((await save(alice, id, { remind_at: null })).body).toEqual({ ...before, note: null, remind_at: null })
})

test('a reminder lies in the next 366 days, and a note has one to 500 characters', async () => {
  const [alice] = await passersBy(parley, 'alice')
  const { channel_id } = await place(alice)
  const { id } = await say(alice, channel_id, 'Later')
  for (const change of [
    { remind_at: inDays(-1) },
    { remind_at: inDays(367) },
    { remind_at: 'tomorrow' },
    { note: '' },
    { note: 'x'.repeat(501) },
    { when: 'later' },
  ])
    expect((await save(alice, id, change)).status).toBe(422)
  expect(await rows(alice)).toBe(0)
  expect((await save(alice, id, { remind_at: inDays(365), note: '🐦'.repeat(500) })).status).toBe(200)
})

test('only who may read a message saves it, and sees it in the list', async () => {
  const [alice, bob, mallory] = await passersBy(parley, 'alice', 'bob', 'mallory')
  const { channel_id, everyone } = await place(alice, bob)
  const { id } = await say(alice, channel_id, 'Secret')
  expect((await save(mallory, id)).body.code).toBe('not_found')
  expect((await save(bob, id, { note: 'Mine' })).status).toBe(200)
  const path = `/api/channels/${channel_id}/permissions/${everyone}`
  await alice.put(path, { deny: permissions('read_history') })
  expect(await saved(bob)).toEqual([])
  expect((await save(bob, id)).body.code).toBe('missing_permission')
  await alice.put(path, { deny: permissions('view_channel') })
  expect(await saved(bob)).toEqual([])
  expect((await save(bob, id)).body.code).toBe('not_found')
  await alice.delete(path)
  expect(await saved(bob)).toEqual([id])
})

test('leaving a server or group, a kick and a deletion remove what was saved there for good', async () => {
  const [alice, bob, carol] = await passersBy(parley, 'alice', 'bob', 'carol')
  const { server_id, channel_id } = await newServer(alice, bob, carol)
  const other = await newServer(alice, bob)
  const groupId = await group(alice, bob, carol)
  const [inServer, elsewhere, inGroup] = [
    await say(alice, channel_id, 'Here'),
    await say(alice, other.channel_id, 'There'),
    await say(alice, groupId, 'Among us'),
  ]
  const direct = await write(alice, bob, 'You and me')
  for (const { id } of [inServer, elsewhere, inGroup, direct]) expect((await save(bob, id)).status).toBe(200)
  expect((await save(carol, inServer.id)).status).toBe(200)
  await bob.delete(`/api/servers/${server_id}/members/@me`)
  await alice.delete(`/api/servers/${server_id}/members/${carol.id}`)
  await bob.delete(`/api/channels/${groupId}/recipients/${bob.id}`)
  expect(await saved(bob)).toEqual([direct.id, elsewhere.id])
  expect([await rows(bob), await rows(carol)]).toEqual([2, 0])
  await alice.delete(`/api/messages/${elsewhere.id}`)
  expect(await saved(bob)).toEqual([direct.id])
})

test('a due reminder comes once to every socket, and stays in ready until it is dealt with', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { server_id, channel_id } = await place(alice, bob)
  const { id } = await say(alice, channel_id, 'Later')
  const [phone, desk] = [await connect(bob), await connect(bob)]
  await save(bob, id, { remind_at: inDays(1), note: 'Now' })
  await parley.sweep()
  expect(phone.of('saved.updated').filter(({ d }) => d.due)).toEqual([])
  await pass(bob, id)
  for (let n = 0; n < 2; n++) await parley.sweep()
  for (const device of [phone, desk]) {
    const due = await device.next('saved.updated', ({ d }) => d.due)
    expect(due.d).toMatchObject({ message_id: id, channel_id, server_id })
    expect(device.of('saved.updated').filter(({ d }) => d.due)).toHaveLength(1)
  }
  const reminders = async () => {
    const fresh = await connect(bob)
    const { d } = await fresh.next('ready')
    fresh.close()
    return d.reminders
  }
  expect(await reminders()).toEqual([{ message_id: id, channel_id, server_id }])
  // A new note does not deal with it; another time does.
  expect((await save(bob, id, { note: 'Still' })).body.due).toBe(true)
  expect(await reminders()).toHaveLength(1)
  expect((await save(bob, id, { remind_at: inDays(2) })).body.due).toBe(false)
  expect(await reminders()).toEqual([])
  await pass(bob, id)
  await parley.sweep()
  await until(() => desk.of('saved.updated').filter(({ d }) => d.due).length === 3)
  await save(bob, id, { remind_at: null })
  expect(await reminders()).toEqual([])
  expect(await saved(bob)).toEqual([id])
  for (const device of [phone, desk]) device.close()
})

test('due reminders are listed first', async () => {
  const [alice] = await passersBy(parley, 'alice')
  const { channel_id } = await place(alice)
  const [one, two, three] = [
    await say(alice, channel_id, '1'),
    await say(alice, channel_id, '2'),
    await say(alice, channel_id, '3'),
  ]
  for (const { id } of [one, two, three]) await save(alice, id, { remind_at: inDays(1) })
  await pass(alice, one.id)
  expect(await saved(alice)).toEqual([one.id, three.id, two.id])
})

test('two processes announce each reminder once', async () => {
  const own = await boot()
  const sibling = await boot({}, own)
  const [alice] = await passersBy(own, 'alice')
  const { channel_id } = await place(alice)
  await own.parts.sql`with written as (
      insert into messages (channel_id, author_id, content)
      select ${channel_id}, ${alice.id}, 'Later' from generate_series(1, 450) returning id)
    insert into saved_messages (user_id, message_id, remind_at) select ${alice.id}, id, now() from written`
  await Promise.all([own.sweep(), sibling.sweep(), own.sweep(), sibling.sweep()])
  await own.sweep()
  const [{ count }] = await own.parts.sql<[{ count: number }]>`
    select count(*)::int as count from events where type = 'saved.updated' and user_id = ${alice.id}`
  expect(count).toBe(450)
  await Promise.all([stop(sibling), stop(own)])
})

test('a reminder of a message that may not be read any more is dropped instead of announced', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { channel_id, everyone } = await place(alice, bob)
  const { id } = await say(alice, channel_id, 'Secret')
  await save(bob, id, { remind_at: inDays(1) })
  await alice.put(`/api/channels/${channel_id}/permissions/${everyone}`, { deny: permissions('view_channel') })
  await pass(bob, id)
  const live = await connect(bob)
  expect((await live.next('ready')).d.reminders).toEqual([])
  await parley.sweep()
  await live.next('saved.removed', ({ d }) => d.message_id === id)
  expect(live.of('saved.updated')).toEqual([])
  expect(await rows(bob)).toBe(0)
  live.close()
})

test('five hundred saved messages are the most, also for racing requests, and unreadable ones make way', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { channel_id } = await place(alice, bob)
  const hidden = await place(alice, bob)
  const fill = (id: number, count: number) => sql`with written as (
      insert into messages (channel_id, author_id, content)
      select ${id}, ${alice.id}, 'Later' from generate_series(1, ${count}::int) returning id)
    insert into saved_messages (user_id, message_id) select ${bob.id}, id from written`
  await fill(channel_id, 489)
  await fill(hidden.channel_id, 10)
  const more = await Promise.all(Array.from({ length: 3 }, (_, n) => say(alice, channel_id, `${n}`)))
  const racing = await Promise.all(more.map(({ id }) => save(bob, id)))
  expect(racing.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  expect(racing.find(({ status }) => status === 409)?.body.code).toBe('too_many_saved')
  expect(await rows(bob)).toBe(500)
  await alice.put(`/api/channels/${hidden.channel_id}/permissions/${hidden.everyone}`, {
    deny: permissions('view_channel'),
  })
  for (const { id } of more) expect((await save(bob, id)).status).toBe(200)
  expect(await rows(bob)).toBe(492)
})

test('the export has what the account has saved, and deleting the account removes it', async () => {
  const [alice, bob] = await peopleWithPassword(parley, 'alice', 'bob')
  const { channel_id } = await place(bob, alice)
  const { id } = await say(bob, channel_id, 'Later')
  await save(alice, id, { note: 'Mine' })
  const { body } = await exportOf(alice)
  expect(body.saved).toEqual([
    { message_id: id, channel_id, note: 'Mine', remind_at: null, saved_at: expect.any(String) },
  ])
  expect((await deleteAccountOf(alice)).status).toBe(204)
  expect(await rows(alice)).toBe(0)
})

test('an account reads the list twenty times at once, then once a second', async () => {
  const strict = await boot({ RATE_LIMITS: 'on' })
  const [eve] = await passersBy(strict, 'eve')
  const many = await Promise.all(Array.from({ length: 30 }, () => eve.get('/api/saved')))
  expect(many.filter(({ status }) => status === 200).length).toBeWithin(20, 26)
  await stop(strict)
})
