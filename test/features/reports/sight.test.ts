import { afterAll, expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { boot, type Person, say, stop } from '../../support/harness.ts'
import { seeded } from '../../support/happenings.ts'
import { promote as makeOperator } from '../../support/operators.ts'
import { befriend, group, passersBy, write } from '../../support/people.ts'
import { place, rank } from '../../support/places.ts'
import { report, reportsOf } from '../../support/reports.ts'
import { connect, type Gateway } from '../../support/socket.ts'

const parley = await boot()
afterAll(() => stop(parley))
const { sql } = parley.parts
const MODERATES = permissions('moderate_members')

interface Member {
  who: Person
  position: number
  moderates: boolean
  sees: boolean
}

/** True if the member may read a report of a message of the author's in a channel that only some see. */
const maySee = (viewer: Member, author: Member, isOwner: (one: Member) => boolean) =>
  !isOwner(author) &&
  viewer !== author &&
  (isOwner(viewer) || (viewer.moderates && viewer.sees && viewer.position > author.position))

for (const seed of [1, 2, 3])
  test(`exactly those above the author who moderate and read see a report and its events (seed ${seed})`, async () => {
    const random = seeded(seed)
    const people = await passersBy(parley, 'owner', 'a', 'b', 'c', 'd', 'e', 'f')
    const [owner, ...others] = people
    const { server_id, channel_id, everyone } = await place(owner, ...others)
    await sql`insert into overwrites ${sql({ channel_id, role_id: everyone, deny: permissions('view_channel') })}`
    const members: Member[] = [{ who: owner, position: 0, moderates: true, sees: true }]
    for (const who of others) {
      const [moderates, sees] = [random() < 0.6, random() < 0.7]
      const role_id = await rank(parley, server_id, moderates ? MODERATES : 0, who)
      const allow = permissions('view_channel')
      if (sees) await sql`insert into overwrites ${sql({ channel_id, role_id, allow })}`
      const [role] = await sql<[{ position: number }]>`select position from roles where id = ${role_id}`
      members.push({ who, position: role.position, moderates, sees })
    }
    const isOwner = (one: Member) => one.who === owner
    const sockets = new Map<Member, Gateway>()
    for (const member of members) sockets.set(member, await connect(member.who))
    for (const author of members.filter(({ sees }) => sees)) {
      const [message] = await sql<[{ id: number }]>`insert into messages (channel_id, author_id, content)
        values (${channel_id}, ${author.who.id}, 'Buy feathers') returning id`
      const reporter = members.find((one) => one !== author && one.sees) as Member
      await report(reporter.who, message.id)
      const [row] = await sql<[{ id: number }]>`select id from reports where subject_id = ${message.id}`
      for (const viewer of members) {
        const expected = maySee(viewer, author, isOwner)
        const isListed = viewer.moderates
          ? (await reportsOf(viewer.who, server_id)).some(({ id }) => id === row.id)
          : (await viewer.who.get(`/api/servers/${server_id}/reports`)).status !== 403
        const { status } = await viewer.who.get(`/api/reports/${row.id}`)
        const decision = await viewer.who.put(`/api/reports/${row.id}`, { state: 'open' })
        expect([viewer.who.display_name, author.who.display_name, isListed, status, decision.status]).toEqual([
          viewer.who.display_name,
          author.who.display_name,
          expected,
          expected ? 200 : 404,
          expected ? 200 : 404,
        ])
        if (expected) await sockets.get(viewer)?.next('report.created', ({ d }) => d.id === row.id)
      }
      const receivers = members.filter((one) =>
        sockets
          .get(one)
          ?.of('report.created')
          .some(({ d }) => d.id === row.id),
      )
      expect(receivers.map(({ who }) => who.id)).toEqual(
        members.filter((viewer) => maySee(viewer, author, isOwner)).map(({ who }) => who.id),
      )
    }
    for (const socket of sockets.values()) socket.close()
  })

test('a moderator does not see the reports about their bot, their webhook or a member of the same rank', async () => {
  const [owner, mod, peer, bob] = await passersBy(parley, 'owner', 'mod', 'peer', 'bob')
  const { server_id, channel_id } = await place(owner, mod, peer, bob)
  await rank(parley, server_id, MODERATES, mod, peer)
  const [bot] = await sql<[{ id: number }]>`insert into users (username, email, password_hash, display_name, kind)
    values ('bot:1', 'bot:1', 'none', 'Dice', 'bot') returning id`
  await sql`insert into applications ${sql({ id: bot.id, owner_id: mod.id })}`
  for (const author of [bot.id, peer.id]) {
    const [message] = await sql<[{ id: number }]>`insert into messages (channel_id, author_id, content)
      values (${channel_id}, ${author}, 'Buy feathers') returning id`
    await report(bob, message.id)
  }
  expect(await reportsOf(mod, server_id)).toEqual([])
  expect((await reportsOf(peer, server_id)).map(({ author }) => author.id)).toEqual([bot.id])
  expect(await reportsOf(owner, server_id)).toHaveLength(2)
  // The owner is the only moderator, and the bot is the owner's: only the operator is left.
  const lone = await place(owner, bob)
  await sql`update applications set owner_id = ${owner.id} where id = ${bot.id}`
  const [message] = await sql<[{ id: number }]>`insert into messages (channel_id, author_id, content)
    values (${lone.channel_id}, ${bot.id}, 'Buy feathers') returning id`
  await report(bob, message.id)
  expect(await reportsOf(owner, lone.server_id)).toEqual([])
  expect(await sql`select 1 from reports where subject_id = ${message.id} and for_operator`).toHaveLength(1)
})

test('a moderator who loses the rank, channel or bit loses the report, its evidence and its files', async () => {
  const [owner, mod, bob, eve] = await passersBy(parley, 'owner', 'mod', 'bob', 'eve')
  const { server_id, channel_id } = await place(owner, mod, bob, eve)
  const role_id = await rank(parley, server_id, MODERATES, mod)
  await report(bob, (await say(eve, channel_id, 'Buy feathers')).id)
  const [row] = await reportsOf(mod, server_id)
  const statusNow = async () => (await mod.get(`/api/reports/${row.id}`)).status
  const deny = permissions('read_history')
  await sql`insert into overwrites ${sql({ channel_id, role_id, deny })}`
  expect(await statusNow()).toBe(404)
  await sql`delete from overwrites where role_id = ${role_id}`
  expect(await statusNow()).toBe(200)
  await sql`insert into timeouts ${sql({ server_id, user_id: mod.id, until: '2099-01-01T00:00:00Z' })}`
  expect(await statusNow()).toBe(404)
  await sql`delete from timeouts where user_id = ${mod.id}`
  await rank(parley, server_id, 0, eve)
  expect(await statusNow()).toBe(404)
  await sql`delete from member_roles where user_id = ${eve.id}`
  expect((await owner.delete(`/api/channels/${channel_id}`)).status).toBe(204)
  expect(await statusNow()).toBe(404)
  expect((await owner.get(`/api/reports/${row.id}`)).body.evidence).toMatchObject([{ content: 'Buy feathers' }])
  await owner.delete(`/api/servers/${server_id}/members/${mod.id}`)
  expect(await statusNow()).toBe(404)
})

test('reports from dms and groups, about an owner, of a profile and of minor_safety reach only operators', async () => {
  const [olga, owner, mod, bob, eve] = await passersBy(parley, 'olga', 'owner', 'mod', 'bob', 'eve')
  await makeOperator(olga)
  const { server_id, channel_id } = await place(owner, mod, bob, eve)
  await rank(parley, server_id, MODERATES, mod)
  await befriend(eve, bob)
  const groupId = await group(owner, bob, eve)
  const live = [await connect(olga), await connect(mod), await connect(owner)] as const
  const ids = [
    (await write(eve, bob, 'In a dm')).id,
    (await say(eve, groupId, 'In a group')).id,
    (await say(owner, channel_id, 'By the owner')).id,
  ]
  for (const id of ids) await report(bob, id)
  await report(bob, (await say(eve, channel_id, 'Of a minor')).id, 'minor_safety')
  expect((await bob.post(`/api/users/${eve.id}/reports`, { reason: 'spam' })).status).toBe(204)
  const rows = (await olga.get('/api/operator/reports?limit=5')).body
  const texts = [eve.display_name, 'Of a minor', 'By the owner', 'In a group', 'In a dm']
  expect(rows.map(({ content }: any) => content)).toEqual(texts)
  for (const who of [mod, owner]) {
    expect(await reportsOf(who, server_id)).toEqual([])
    for (const { id } of rows) expect((await who.get(`/api/reports/${id}`)).status).toBe(404)
  }
  for (const { id } of rows) {
    const event = await live[0].next('report.created', ({ d }) => d.id === id)
    expect(event.d).toEqual({ id, server_id: null, state: 'open', count: 1 })
  }
  for (const socket of live.slice(1)) expect(socket.of('report.created')).toEqual([])
  for (const socket of live) socket.close()
})

test('an operator reads what was reported to operators, each view is logged, and no report of moderators', async () => {
  const [olga, owner, mod, bob, eve] = await passersBy(parley, 'olga', 'owner', 'mod', 'bob', 'eve')
  await makeOperator(olga)
  const { server_id, channel_id } = await place(owner, mod, bob, eve)
  const { id } = await say(eve, channel_id, 'Of a minor')
  await report(bob, id)
  await report(bob, id, 'minor_safety', 'See her profile')
  const [ours] = await reportsOf(owner, server_id)
  expect(ours.reasons).toEqual(['spam'])
  const [{ id: reportId }] = (await olga.get('/api/operator/reports?limit=1&state=open')).body
  expect((await olga.get(`/api/operator/reports/${ours.id}`)).status).toBe(404)
  expect((await olga.get(`/api/reports/${reportId}`)).status).toBe(404)
  const { body } = await olga.get(`/api/operator/reports/${reportId}`)
  expect(body).toMatchObject({ server_id, content: 'Of a minor', reporters: [{ note: 'See her profile' }] })
  expect((await olga.delete(`/api/operator/reports/${reportId}/message`)).status).toBe(204)
  expect((await olga.delete(`/api/operator/reports/${reportId}/message`)).status).toBe(404)
  const decision = await olga.put(`/api/operator/reports/${reportId}`, { state: 'resolved', note: 'Suspended' })
  expect(decision.body).toMatchObject({ state: 'resolved', is_deleted: true, closed_by: { id: olga.id } })
  const log = (await olga.get('/api/operator/log?limit=5')).body.toReversed()
  const target = { target_type: 'report', target_id: reportId }
  expect(log).toMatchObject([
    { action: 'report', changes: { refused: expect.any(String) } },
    { action: 'report', ...target },
    { action: 'delete', ...target, changes: { message: id } },
    { action: 'delete', changes: { refused: 'The reported message is gone.' } },
    { action: 'decide-report', ...target, changes: { state: { before: 'open', after: 'resolved' } } },
  ])
  expect(JSON.stringify(log)).not.toInclude('minor')
})

test('an operator does not see the reports about themselves, and gets no event of them', async () => {
  const [olga, oscar, bob] = await passersBy(parley, 'olga', 'oscar', 'bob')
  for (const who of [olga, oscar]) await makeOperator(who)
  const [olgas, oscars] = [await connect(olga), await connect(oscar)]
  await bob.post(`/api/users/${olga.id}/reports`, { reason: 'impersonation' })
  const [{ id, author }] = (await oscar.get('/api/operator/reports?limit=1')).body
  expect(author.id).toBe(olga.id)
  expect((await olga.get(`/api/operator/reports/${id}`)).status).toBe(404)
  expect((await olga.put(`/api/operator/reports/${id}`, { state: 'dismissed' })).status).toBe(404)
  expect((await oscar.put(`/api/operator/reports/${id}`, { state: 'dismissed' })).status).toBe(200)
  await oscars.next('report.updated', ({ d }) => d.id === id)
  await olgas.settled()
  for (const name of ['report.created', 'report.updated']) expect(olgas.of(name)).toEqual([])
  for (const socket of [olgas, oscars]) socket.close()
})
