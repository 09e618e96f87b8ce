import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { addRule, wordsRule } from '../../support/automod.ts'
import { addBot, botOf } from '../../support/bots.ts'
import { newServer, say, standard } from '../../support/harness.ts'
import { persons } from '../../support/people.ts'
import { connect, newestS } from '../../support/socket.ts'
import { webhook } from '../../support/webhooks.ts'

const parley = await standard()
const [alice, bob] = await persons(parley, 'alice', 'bob')
const NEWS = ['audit.created', 'webhooks.updated', 'event.attendee'] as const

test('a bot hears of acts in the audit log, of webhooks and of attendees; a weaker bot and people do not', async () => {
  const { server_id, channel_id } = await newServer(alice, bob)
  const [guard, clerk] = [await botOf(alice, 'Guard'), await botOf(alice, 'Clerk')]
  await addBot(alice, server_id, guard, permissions('view_audit_log', 'manage_webhooks'))
  await addBot(alice, server_id, clerk)
  const [guards, clerks, his] = [await connect(guard), await connect(clerk), await connect(bob)]
  await webhook(alice, channel_id)
  const { d } = await guards.next('audit.created', (frame) => frame.d.action === 'webhook.created')
  expect(d).toMatchObject({ server_id, actor: { id: alice.id } })
  expect((await guards.next('webhooks.updated')).d).toEqual({ server_id, channel_id })
  const [starts_at, ends_at] = [3_600_000, 7_200_000].map((ms) => new Date(Date.now() + ms).toISOString())
  const draft = { title: 'A walk', starts_at, ends_at, time_zone: 'UTC', place: { text: 'The bridge' }, signup: {} }
  const { id } = (await alice.post(`/api/servers/${server_id}/events`, draft)).body
  expect((await bob.put(`/api/events/${id}/signup`, { status: 'yes' })).status).toBeLessThan(300)
  expect((await guards.next('event.attendee')).d).toMatchObject({ event_id: id, user_id: bob.id, coming: true })
  // Every bot that sees the event hears who comes; the log and webhooks need permissions.
  await clerks.next('event.attendee')
  await his.settled()
  expect(NEWS.map((type) => clerks.of(type).length)).toEqual([0, 0, 1])
  expect(NEWS.map((type) => his.of(type).length)).toEqual([0, 0, 0])
  for (const gateway of [guards, clerks, his]) gateway.close()
})

test('bots hear of pins in channels that they see, and of followers of threads if they manage threads', async () => {
  const { server_id, channel_id } = await newServer(alice, bob)
  const [guard, clerk] = [await botOf(alice, 'Guard'), await botOf(alice, 'Clerk')]
  await addBot(alice, server_id, guard, permissions('manage_threads'))
  await addBot(alice, server_id, clerk)
  const [guards, clerks, his] = [await connect(guard), await connect(clerk), await connect(bob)]
  const { id } = await say(alice, channel_id, 'Pin me')
  expect((await alice.put(`/api/channels/${channel_id}/pins/${id}`)).status).toBe(204)
  expect((await clerks.next('pins.updated')).d).toEqual({ server_id, channel_id })
  const { body: thread } = await alice.post(`/api/channels/${channel_id}/threads`, { name: 'Owls' })
  const path = `/api/channels/${thread.id}/followers`
  expect((await alice.put(`${path}/${bob.id}`)).status).toBe(204)
  await his.next('thread.followed', ({ d }) => d.channel_id === thread.id && d.following)
  // Nothing changes, so nobody is notified.
  expect((await alice.put(`${path}/${bob.id}`)).status).toBe(204)
  const ids = (await guard.get(path)).body.map((user: any) => user.id)
  expect(new Set(ids)).toEqual(new Set([alice.id, bob.id]))
  expect((await clerk.get(path)).status).toBe(403)
  expect((await bob.delete(`${path}/@me`)).status).toBe(204)
  const change = { channel_id: thread.id, user_id: bob.id }
  await guards.next('thread.follower', ({ d }) => !d.following)
  for (const gateway of [guards, clerks, his]) await gateway.settled()
  const changes = [true, false].map((following) => ({ ...change, following }))
  expect(guards.of('thread.follower').map(({ d }) => d)).toEqual(changes)
  expect([...clerks.of('thread.follower'), ...his.of('thread.follower'), ...his.of('pins.updated')]).toEqual([])
  for (const gateway of [guards, clerks, his]) gateway.close()
})

test('nobody is added to a thread by someone they block, nor to one that is locked or archived', async () => {
  const { channel_id } = await newServer(alice, bob)
  const { body: thread } = await alice.post(`/api/channels/${channel_id}/threads`, { name: 'Owls' })
  const path = `/api/channels/${thread.id}`
  const add = async () => (await bob.put(`${path}/followers/${alice.id}`)).body?.code
  expect((await alice.delete(`${path}/followers/@me`)).status).toBe(204)
  expect((await alice.post(`/api/friends/${bob.id}/block`)).status).toBeLessThan(300)
  expect(await add()).toBe('cannot_contact')
  expect((await alice.post(`/api/friends/${bob.id}/unblock`)).status).toBeLessThan(300)
  expect((await alice.put(path, { locked: true })).status).toBe(200)
  expect(await add()).toBe('missing_permission')
  expect((await alice.put(path, { locked: false, archived: true })).status).toBe(200)
  expect(await add()).toBe('forbidden')
  expect((await alice.get(`${path}/followers`)).body).toEqual([])
})

test('a bot that manages the server hears of automod rules and their acts, and nobody else does', async () => {
  const { server_id, channel_id } = await newServer(alice, bob)
  const [guard, clerk] = [await botOf(alice, 'Guard'), await botOf(alice, 'Clerk')]
  await addBot(alice, server_id, guard, permissions('manage_server'))
  await addBot(alice, server_id, clerk)
  const [guards, clerks, hers] = [await connect(guard), await connect(clerk), await connect(alice)]
  const id = await addRule(alice, server_id, wordsRule(['bittern']))
  expect((await guards.next('automod.created')).d).toMatchObject({ id, server_id })
  const refused = await bob.post(`/api/channels/${channel_id}/messages`, { content: 'A bittern' })
  expect(refused.body.code).toBe('automod_blocked')
  expect((await guards.next('automod.executed')).d).toMatchObject({
    rule: { id },
    user: { id: bob.id },
    channel_id,
    alert_id: null,
    content: 'A bittern',
    found: 'bittern',
  })
  await alice.put(`/api/automod/${id}`, wordsRule(['heron']))
  expect((await guards.next('automod.updated')).d.trigger.words).toEqual(['heron'])
  await alice.delete(`/api/automod/${id}`)
  expect((await guards.next('automod.deleted')).d.id).toBe(id)
  for (const gateway of [clerks, hers]) {
    await gateway.settled()
    expect(gateway.frames.filter(({ t }) => t.startsWith('automod.'))).toEqual([])
  }
  for (const gateway of [guards, clerks, hers]) gateway.close()
})

test('a bot that no longer manages the server does not get news of its rules when it resumes', async () => {
  const { server_id } = await newServer(alice)
  const guard = await botOf(alice, 'Guard')
  await addBot(alice, server_id, guard, permissions('manage_server'))
  const before = await connect(guard)
  const s = newestS(before)
  before.close()
  await before.closed
  await addRule(alice, server_id, wordsRule(['bittern']))
  const { body: roles } = await alice.get(`/api/servers/${server_id}/roles`)
  const role = roles.find((each: any) => each.bot_id === guard.id)
  expect((await alice.put(`/api/roles/${role.id}`, { permissions: 0 })).status).toBe(200)
  const after = await connect(guard, `&s=${s}`)
  await after.next('role.updated')
  expect(after.of('automod.created')).toEqual([])
  after.close()
})
