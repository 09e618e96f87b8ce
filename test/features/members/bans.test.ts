import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { addBot, botOf } from '../../support/bots.ts'
import { newServer, say, standard, until } from '../../support/harness.ts'
import { persons } from '../../support/people.ts'
import { race } from '../../support/races.ts'
import { promote } from '../../support/ranks.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob, mallory] = await persons(parley, 'alice', 'bob', 'mallory')

const ban = (server_id: number, who: { id: number }, body: object = {}) =>
  alice.put(`/api/servers/${server_id}/bans/${who.id}`, body)

test('a banned member is removed, receives nothing more, and cannot join until the ban is lifted', async () => {
  const { server_id, channel_id } = await newServer(alice, bob, mallory)
  const [live, other] = [await connect(mallory), await connect(bob)]
  const invite = await alice.post('/api/invites', { server_id, max_uses: 1 })
  const banned = await ban(server_id, mallory, { reason: 'Scared the herons' })
  expect(banned.status).toBe(200)
  expect(banned.body).toMatchObject({ server_id, reason: 'Scared the herons', banned_by: alice.id })
  await say(alice, channel_id, 'Without mallory')
  await other.next('message.created')
  await live.settled()
  expect(live.of('message.created')).toEqual([])
  expect(live.of('server.deleted')).toEqual([{ t: 'server.deleted', d: { id: server_id } }])
  expect(other.of('member.left').map(({ d }) => d.user_id)).toEqual([mallory.id])
  const refused = await mallory.post(`/api/invites/${invite.body.code}/join`)
  expect([refused.status, refused.body.code]).toEqual([403, 'banned'])
  expect((await alice.get(`/api/servers/${server_id}/bans`)).body).toEqual([banned.body])
  expect((await alice.delete(`/api/servers/${server_id}/bans/${mallory.id}`)).status).toBe(204)
  expect((await alice.delete(`/api/servers/${server_id}/bans/${mallory.id}`)).status).toBe(404)
  expect((await mallory.post(`/api/invites/${invite.body.code}/join`)).status).toBe(201)
  for (const gateway of [live, other]) gateway.close()
})

test('an account that is no member can be banned; an account that does not exist cannot', async () => {
  const { server_id } = await newServer(alice)
  const live = await connect(alice)
  const banned = await ban(server_id, mallory)
  expect(banned.body).toMatchObject({ reason: null, user: { id: mallory.id } })
  expect((await ban(server_id, { id: Number.MAX_SAFE_INTEGER })).status).toBe(404)
  await live.settled()
  expect(live.of('member.left')).toEqual([])
  expect((await alice.get(`/api/servers/${server_id}`)).body.member_count).toBe(1)
  live.close()
})

test('banning again replaces the reason, which may be empty, absent or null', async () => {
  const { server_id } = await newServer(alice, mallory)
  expect((await ban(server_id, mallory, { reason: 'First' })).body.reason).toBe('First')
  expect((await ban(server_id, mallory, { reason: '' })).body.reason).toBe('')
  expect((await ban(server_id, mallory, { reason: null })).body.reason).toBeNull()
  const bodiless = await alice.put(`/api/servers/${server_id}/bans/${mallory.id}`)
  expect([bodiless.status, bodiless.body.reason]).toEqual([200, null])
  expect((await ban(server_id, mallory, { reason: '🪶'.repeat(512) })).status).toBe(200)
  for (const body of [{ reason: '🪶'.repeat(513) }, { reason: 'nul\0' }, { why: 'not' }, []])
    expect([body, (await ban(server_id, mallory, body)).status]).toEqual([body, 422])
  expect((await alice.get(`/api/servers/${server_id}/bans`)).body).toHaveLength(1)
})

test('a member bans only members strictly below, never the owner and never themselves', async () => {
  const { server_id } = await newServer(alice, bob, mallory)
  const codeOf = async (target: { id: number }) =>
    (await mallory.put(`/api/servers/${server_id}/bans/${target.id}`)).body.code
  expect(await codeOf(bob)).toBe('missing_permission')
  await promote(mallory, server_id, { position: 1, bits: ['ban_members'] })
  await promote(bob, server_id, { position: 1 })
  expect(await codeOf(alice)).toBe('forbidden')
  expect(await codeOf(bob)).toBe('forbidden')
  expect(await codeOf(mallory)).toBe('cannot_target_self')
  expect(await sql`select 1 from bans where server_id = ${server_id}`).toHaveLength(0)
  await promote(mallory, server_id, { position: 2 })
  expect(await codeOf(bob)).toBeUndefined()
  expect((await mallory.get(`/api/servers/${server_id}/bans`)).body[0].user.id).toBe(bob.id)
})

test('a bot that may ban learns of bans and of their ends; a person and a weaker bot do not', async () => {
  const { server_id } = await newServer(alice, bob)
  const [guard, clerk] = [await botOf(alice, 'Guard'), await botOf(alice, 'Clerk')]
  await addBot(alice, server_id, guard, permissions('ban_members'))
  await addBot(alice, server_id, clerk)
  const [guards, ...others] = [await connect(guard), await connect(clerk), await connect(bob)]
  await ban(server_id, mallory)
  expect((await guards.next('ban.created')).d).toMatchObject({ server_id, user: { id: mallory.id, kind: 'person' } })
  await ban(server_id, mallory, { reason: 'Once more' })
  await alice.delete(`/api/servers/${server_id}/bans/${mallory.id}`)
  expect((await guards.next('ban.deleted')).d).toMatchObject({ server_id, user: { id: mallory.id } })
  expect(guards.of('ban.created')).toHaveLength(1)
  for (const other of others) {
    await other.settled()
    expect([...other.of('ban.created'), ...other.of('ban.deleted')]).toEqual([])
  }
  for (const gateway of [guards, ...others]) gateway.close()
})

test('listing and lifting bans takes ban_members', async () => {
  const { server_id } = await newServer(alice, bob)
  await ban(server_id, mallory)
  const path = `/api/servers/${server_id}/bans`
  for (const refused of [await bob.get(path), await bob.delete(`${path}/${mallory.id}`)])
    expect([refused.status, refused.body.code]).toEqual([403, 'missing_permission'])
  await promote(bob, server_id, { bits: ['ban_members'] })
  expect((await bob.get(path)).body).toHaveLength(1)
  expect((await bob.delete(`${path}/${mallory.id}`)).status).toBe(204)
})

test('a ban racing a join never leaves a banned member inside', async () => {
  const { server_id } = await newServer(alice)
  const path = `/api/servers/${server_id}/bans/${mallory.id}`
  const invite = await alice.post('/api/invites', { server_id })
  for (let round = 0; round < 10; round++) {
    const [joined, banned] = await Promise.all(
      round % 2 === 0
        ? [mallory.post(`/api/invites/${invite.body.code}/join`), alice.put(path)]
        : [alice.put(path), mallory.post(`/api/invites/${invite.body.code}/join`)].toReversed(),
    )
    expect(banned?.status).toBe(200)
    expect([201, 403]).toContain(joined?.status as number)
    expect((await mallory.get(`/api/servers/${server_id}`)).status).toBe(404)
    expect((await alice.get(`/api/servers/${server_id}`)).body.member_count).toBe(1)
    expect((await alice.delete(path)).status).toBe(204)
  }
})

test('requests of a moderator that wait while it is kicked are refused', async () => {
  const { server_id, channel_id } = await newServer(alice, bob, mallory)
  await promote(mallory, server_id, { position: 1, bits: ['administrator'] })
  const answers = await race(
    parley,
    (tx) => tx`select 1 from servers where id = ${server_id} for update`,
    [
      () => mallory.delete(`/api/servers/${server_id}/members/${bob.id}`),
      () => mallory.put(`/api/servers/${server_id}/bans/${bob.id}`),
      () => mallory.put(`/api/servers/${server_id}`, { name: 'Malloryville' }),
      () => mallory.post(`/api/servers/${server_id}/channels`, { name: 'mallory-was-here', type: 'text' }),
      () => mallory.put(`/api/channels/${channel_id}`, { name: 'mallory-was-here' }),
      () => mallory.delete(`/api/channels/${channel_id}`),
      () => mallory.post('/api/invites', { server_id }),
    ],
    (tx) => tx`delete from members where server_id = ${server_id} and user_id = ${mallory.id}`,
  )
  expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404, 404, 404, 404, 404])
  expect((await bob.get(`/api/servers/${server_id}`)).body.name).toBe('Birdwatchers')
  expect((await bob.get(`/api/channels/${channel_id}`)).body.name).toBe('general')
})

test('bans and members are paged by user id', async () => {
  const { server_id } = await newServer(alice, bob, mallory)
  const first = await alice.get(`/api/servers/${server_id}/members?limit=2`)
  expect(first.headers.get('link')).toBe(
    `</api/servers/${server_id}/members?limit=2&after=${first.body[1].user.id}>; rel="next"`,
  )
  const rest = await alice.get(`/api/servers/${server_id}/members?limit=2&after=${first.body[1].user.id}`)
  const ids = [...first.body, ...rest.body].map((member: any) => member.user.id)
  expect(ids).toEqual([alice.id, bob.id, mallory.id].toSorted((a, b) => a - b))
  expect(rest.headers.get('link')).toBeNull()
  for (const who of [bob, mallory]) await ban(server_id, who)
  const [one] = (await alice.get(`/api/servers/${server_id}/bans?limit=1`)).body
  const [two] = (await alice.get(`/api/servers/${server_id}/bans?limit=1&after=${one.user.id}`)).body
  expect([one.user.id, two.user.id]).toEqual([bob.id, mallory.id].toSorted((a, b) => a - b))
})

test('a ban deletes what the account wrote last in the server, and nothing older or elsewhere', async () => {
  const [home, away] = [await newServer(alice, bob, mallory), await newServer(alice, mallory)]
  const moved = await alice.post(`/api/servers/${home.server_id}/channels`, { name: 'reeds', type: 'text' })
  const old = await say(mallory, home.channel_id, 'Of yesterday')
  await sql`update messages set created_at = now() - interval '1 day' where id = ${old.id}`
  const [keptMessage, elsewhere] = [
    await say(bob, home.channel_id, 'Of bob'),
    await say(mallory, away.channel_id, 'Away'),
  ]
  const spam = [
    await say(mallory, home.channel_id, 'One'),
    await say(mallory, moved.body.id, 'Two'),
    await say(mallory, home.channel_id, 'Three'),
  ]
  const live = await connect(bob)
  expect((await ban(home.server_id, mallory, { delete_message_seconds: 604_801 })).status).toBe(422)
  expect((await ban(home.server_id, mallory, { delete_message_seconds: 3600 })).status).toBe(200)
  for (const { id } of spam) await live.next('message.deleted', ({ d }) => d.id === id)
  await until(async () => (await sql`select from ban_sweeps`).length === 0)
  const remaining =
    await sql`select id from messages where id = any(${[old, keptMessage, elsewhere, ...spam].map(({ id }) => id)})`
  expect(remaining.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([old.id, keptMessage.id, elsewhere.id])
  const log = (await alice.get(`/api/servers/${home.server_id}/audit-log?user_id=${mallory.id}`)).body
  const acts = log.map((entry: { action: string }) => entry.action)
  expect(acts.toSorted()).toEqual(['member.banned', 'messages.deleted', 'messages.deleted'])
  expect(log.at(-1).changes.delete_message_seconds).toEqual({ before: null, after: 3600 })
  live.close()
})

test('a ban deletes more messages than one batch has, and does not stop before', async () => {
  const { server_id, channel_id } = await newServer(alice, mallory)
  await sql`insert into messages (channel_id, author_id, content)
    select ${channel_id}, ${mallory.id}, 'Spam ' || n from generate_series(1, 250) n`
  await ban(server_id, mallory, { delete_message_seconds: 86_400 })
  await until(async () => (await sql`select from messages where channel_id = ${channel_id} limit 1`).length === 0)
})

test('a ban whose messages cannot be deleted holds up no ban behind it', async () => {
  const [first, second] = [await newServer(alice, mallory), await newServer(alice, mallory)]
  await say(mallory, first.channel_id, 'Stuck')
  const { id } = await say(mallory, second.channel_id, 'Spam')
  await sql.unsafe(`
    create function refuse_deletion() returns trigger language plpgsql as $$ begin
      if old.channel_id = ${first.channel_id} then raise 'not this one'; end if; return old; end $$;
    create trigger refuse_deletion before delete on messages for each row execute function refuse_deletion()`)
  await ban(first.server_id, mallory, { delete_message_seconds: 3600 })
  await ban(second.server_id, mallory, { delete_message_seconds: 3600 })
  await until(async () => (await sql`select from messages where id = ${id}`).length === 0)
  expect(await sql`select server_id from ban_sweeps`).toEqual([{ server_id: first.server_id }] as never)
  await sql.unsafe('drop function refuse_deletion cascade')
  await until(async () => (await sql`select from ban_sweeps`).length === 0)
})
