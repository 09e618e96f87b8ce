import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { type Person, say, standard } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { place, rank } from '../../support/places.ts'
import { goOffline, isResumed, resume } from '../../support/resuming.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const MODERATES = permissions('moderate_members', 'kick_members', 'ban_members')
const soon = () => new Date(Date.now() + 3_600_000).toISOString()

async function scene(...bits: Parameters<typeof permissions>) {
  const [alice, mod, eve] = await passersBy(parley, 'alice', 'mod', 'eve')
  const at = await place(alice, mod, eve)
  await rank(parley, at.server_id, MODERATES + permissions(...bits), mod)
  const code = (await alice.post('/api/invites', { server_id: at.server_id })).body.code
  const join = async (who: Person) => (await who.post(`/api/invites/${code}/join`)).status
  return { ...at, alice, mod, eve, code, join }
}
/** Another channel of the server, hidden from everyone if wanted. */
async function anotherChannel({ server_id, everyone }: { server_id: number; everyone: number }, isHidden = false) {
  const [channel] = await sql<[{ id: number }]>`insert into channels (server_id, name, type, position)
    values (${server_id}, ${`c${isHidden}`}, 'text', 1) returning id`
  const row = { channel_id: channel.id, role_id: everyone, deny: permissions('view_channel') }
  if (isHidden) await sql`insert into overwrites ${sql(row)}`
  return channel.id
}
const textsIn = async (who: Person, channel_id: number) =>
  (await who.get(`/api/channels/${channel_id}/messages`)).body.map(({ content }: any) => content)

test('a ban with an end keeps the account out until then, by the clock of the database', async () => {
  const { server_id, mod, eve, code, join } = await scene()
  const until = soon()
  const { body } = await mod.put(`/api/servers/${server_id}/bans/${eve.id}`, { until, reason: 'Feathers' })
  expect(body).toMatchObject({ until, reason: 'Feathers' })
  expect(await join(eve)).toBe(403)
  expect((await eve.get(`/api/invites/${code}`)).body.code).toBe('banned')
  const [row] = (await mod.get(`/api/servers/${server_id}/cases?kind=ban`)).body
  expect(row.until).toBe(until)
  await sql`update bans set until = now() - interval '1 second' where server_id = ${server_id}`
  expect((await mod.get(`/api/servers/${server_id}/bans`)).body).toEqual([])
  expect(await join(eve)).toBe(201)
  await parley.sweep()
  expect(await sql`select 1 from bans where server_id = ${server_id}`).toHaveLength(0)
})

test('an end in the past is refused, and a ban without one lasts', async () => {
  const { server_id, mod, eve, join } = await scene()
  const path = `/api/servers/${server_id}/bans/${eve.id}`
  expect((await mod.put(path, { until: '2020-01-01T00:00:00Z' })).body.code).toBe('validation_failed')
  expect((await mod.get(`/api/servers/${server_id}/members/${eve.id}/roles`)).status).toBe(200)
  await mod.put(path, { until: soon() })
  await mod.put(path, {})
  const [row] = (await mod.get(`/api/servers/${server_id}/bans`)).body
  expect(row.until).toBeNull()
  expect(await join(eve)).toBe(403)
})

test('a ban after one that has ended names its own moderator and time', async () => {
  const { server_id, alice, mod, eve } = await scene()
  const path = `/api/servers/${server_id}/bans/${eve.id}`
  await mod.put(path, { until: soon(), reason: 'First' })
  await sql`update bans set until = now() - interval '1 second', created_at = now() - interval '1 hour'
    where server_id = ${server_id}`
  const { body } = await alice.put(path, { reason: 'Second' })
  expect(body).toMatchObject({ reason: 'Second', until: null, banned_by: alice.id })
  expect(Date.now() - Date.parse(body.created_at)).toBeLessThan(60_000)
  const rows = (await alice.get(`/api/servers/${server_id}/cases?kind=ban`)).body
  expect(rows.map(({ reason }: any) => reason)).toEqual(['Second', 'First'])
})

test('nobody reads of a ban from a server that they were never in', async () => {
  const { server_id, mod } = await scene()
  const [stranger] = await passersBy(parley, 'stranger')
  expect((await mod.put(`/api/servers/${server_id}/bans/${stranger.id}`, { reason: 'An insult' })).status).toBe(200)
  expect((await stranger.get('/api/users/@me/bans')).body).toEqual([])
})

test('banned people read the reason, the end and the contact for appeals', async () => {
  const { server_id, alice, mod, eve } = await scene()
  const contact = 'appeals@example.org'
  expect((await mod.put(`/api/servers/${server_id}`, { appeal_contact: contact })).status).toBe(403)
  const changed = await alice.put(`/api/servers/${server_id}`, { appeal_contact: contact })
  expect(changed.body.appeal_contact).toBe(contact)
  const live = await connect(eve)
  const until = soon()
  await mod.put(`/api/servers/${server_id}/bans/${eve.id}`, { until, reason: 'Feathers' })
  const event = await live.next('membership.ended')
  expect(event.d).toMatchObject({ cause: 'banned', reason: 'Feathers', until, appeal_contact: contact })
  expect((await eve.get('/api/users/@me/bans')).body).toMatchObject([
    { server_id, server_name: 'Birdwatchers', reason: 'Feathers', until, appeal_contact: contact },
  ])
  expect((await mod.get('/api/users/@me/bans')).body).toEqual([])
  live.close()
})

test('a ban deletes the messages of the last hours where the moderator manages messages, by one event', async () => {
  const at = await scene('manage_messages')
  const { server_id, channel_id, alice, mod, eve } = at
  const [open, hidden] = [await anotherChannel(at), await anotherChannel(at, true)]
  const ids: number[] = []
  for (let n = 0; n < 3; n++) ids.push((await say(eve, channel_id, `Feathers ${n}`)).id)
  await say(mod, channel_id, 'Mine')
  await say(eve, open, 'Elsewhere')
  await sql`insert into messages (channel_id, author_id, content) values (${hidden}, ${eve.id}, 'Unseen')`
  await sql`update messages set created_at = now() - interval '3 hours' where id = ${ids[0] ?? 0}`
  const live = await connect(alice)
  const s = await goOffline(alice)
  await mod.put(`/api/servers/${server_id}/bans/${eve.id}`, { delete_messages_hours: 2 })
  await parley.sweep()
  expect(await textsIn(alice, channel_id)).toEqual(['Mine', 'Feathers 0'])
  expect(await textsIn(alice, open)).toEqual([])
  expect(await textsIn(alice, hidden)).toEqual(['Unseen'])
  const event = await live.next('channel.pruned_by', ({ d }) => d.channel_id === channel_id)
  expect(event.d).toMatchObject({ author_id: eve.id, after_id: (ids[1] ?? 0) - 1 })
  expect(event.d.before_id).toBeGreaterThan(ids[2] ?? 0)
  expect(live.of('message.deleted')).toEqual([])
  live.close()
  const back = await resume(alice, s)
  expect(isResumed(back)).toBeTrue()
  await back.next('channel.pruned_by', ({ d }) => d.channel_id === channel_id)
  back.close()
  const log = (await alice.get(`/api/servers/${server_id}/audit-log?action=messages.deleted`)).body
  expect(log.map(({ target_id }: any) => target_id).toSorted()).toEqual([channel_id, open].toSorted())
  expect(await sql`select 1 from author_prunes where server_id = ${server_id}`).toHaveLength(0)
})

test('without manage_messages in any channel, the deletion is refused, and the ban with it', async () => {
  const { server_id, channel_id, mod, eve } = await scene()
  await say(eve, channel_id, 'Feathers')
  for (const ask of [
    () => mod.put(`/api/servers/${server_id}/bans/${eve.id}`, { delete_messages_hours: 1 }),
    () => mod.delete(`/api/servers/${server_id}/members/${eve.id}`, { delete_messages_hours: 1 }),
    () => mod.put(`/api/servers/${server_id}/members/${eve.id}`, { timed_out_until: soon(), delete_messages_hours: 1 }),
  ])
    expect((await ask()).body.code).toBe('missing_permission')
  const [member] = (await mod.get(`/api/servers/${server_id}/members?q=eve`)).body
  expect(member).toMatchObject({ user: { id: eve.id }, timed_out_until: null })
})

test('kicks and timeouts delete messages too; what comes later stays', async () => {
  const { server_id, channel_id, mod, eve, join } = await scene('manage_messages')
  await say(eve, channel_id, 'First')
  const path = `/api/servers/${server_id}/members/${eve.id}`
  await mod.put(path, { timed_out_until: soon(), delete_messages_hours: 1 })
  await mod.put(path, { timed_out_until: null })
  await say(eve, channel_id, 'Second')
  await parley.sweep()
  expect(await textsIn(mod, channel_id)).toEqual(['Second'])
  const live = await connect(mod)
  const s = await goOffline(mod)
  await mod.delete(path, { delete_messages_hours: 1 })
  expect(await join(eve)).toBe(201)
  await say(eve, channel_id, 'Third')
  await parley.sweep()
  expect(await textsIn(mod, channel_id)).toEqual(['Third'])
  // The newest event of a resource is the only one in a replay, so a second list tells of each message.
  await live.next('message.deleted')
  const back = await resume(mod, s)
  await back.next('message.deleted')
  for (const socket of [live, back]) socket.close()
  expect((await mod.put(`/api/servers/${server_id}/bans/${eve.id}`, { delete_messages_hours: 169 })).status).toBe(422)
})

test('messages that are older than their ids, as imported ones, stay on every screen', async () => {
  const { server_id, channel_id, mod, eve } = await scene('manage_messages')
  const first = await say(eve, channel_id, 'First')
  const imported = await say(eve, channel_id, 'Imported')
  await say(eve, channel_id, 'Last')
  await sql`update messages set created_at = now() - interval '3 years' where id = ${imported.id}`
  const live = await connect(mod)
  await mod.delete(`/api/servers/${server_id}/members/${eve.id}`, { delete_messages_hours: 1 })
  await parley.sweep()
  expect(await textsIn(mod, channel_id)).toEqual(['Imported'])
  await live.next('message.deleted', ({ d }) => d.id === first.id)
  expect(live.of('channel.pruned_by')).toEqual([])
  live.close()
})

test("a moderator's second list of the same author replaces the first, and covers its hours", async () => {
  const { server_id, channel_id, mod, eve } = await scene('manage_messages')
  const { id } = await say(eve, channel_id, 'Old')
  await sql`update messages set created_at = now() - interval '3 hours' where id = ${id}`
  for (const hours of [4, 1, 2])
    await mod.put(`/api/servers/${server_id}/members/${eve.id}`, {
      timed_out_until: soon(),
      delete_messages_hours: hours,
    })
  const lists = await sql`select 1 from author_prunes where server_id = ${server_id}`
  expect(lists.length).toBeLessThanOrEqual(1)
  await parley.sweep()
  expect(await textsIn(mod, channel_id)).toEqual([])
})

test('the name of a thread is found again after a moderator has deleted its first message with others', async () => {
  const { server_id, channel_id, alice, mod, eve } = await scene('manage_messages')
  const thread = (await alice.post(`/api/channels/${channel_id}/threads`, { name: 'Kingfishers' })).body
  await say(eve, thread.id, 'Feathers')
  const { id } = await say(alice, thread.id, 'Second')
  await parley.sweep()
  await mod.delete(`/api/servers/${server_id}/members/${eve.id}`, { delete_messages_hours: 1 })
  await parley.sweep()
  await parley.sweep()
  const found = (await alice.get(`/api/search?q=Kingfishers&server_id=${server_id}`)).body
  expect(JSON.stringify(found)).toInclude(`"id":${id}`)
})
