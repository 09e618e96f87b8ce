import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { say, standard } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { place, rank } from '../../support/places.ts'
import { race } from '../../support/races.ts'
import { report, reportsOf } from '../../support/reports.ts'
import { newest, post, webhook } from '../../support/webhooks.ts'

const parley = await standard()
const { sql } = parley.parts
const MODERATES = permissions('moderate_members')

async function scene() {
  const [alice, mod, bob, dan, eve] = await passersBy(parley, 'alice', 'mod', 'bob', 'dan', 'eve')
  const at = await place(alice, mod, bob, dan, eve)
  await rank(parley, at.server_id, MODERATES, mod)
  return { ...at, alice, mod, bob, dan, eve }
}

test('if two moderators decide at the same moment, one learns that the other has decided', async () => {
  const { server_id, channel_id, alice, mod, bob, eve } = await scene()
  await report(bob, (await say(eve, channel_id, 'Buy feathers')).id)
  const [{ id }] = await reportsOf(mod, server_id)
  const path = `/api/reports/${id}`
  const answers = await Promise.all([
    mod.put(path, { state: 'resolved', note: 'Warned' }),
    alice.put(path, { state: 'dismissed', note: null }),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('already_decided')
  const [first, second] = answers[0].status === 200 ? [mod, alice] : [alice, mod]
  const winner = answers.find(({ status }) => status === 200)?.body
  expect((await first.get(path)).body).toMatchObject({ state: winner.state, note: winner.note })
  // The first one may repeat and change the decision; the second one opens the report again first.
  for (const state of ['resolved', 'dismissed']) expect((await first.put(path, { state })).status).toBe(200)
  expect((await second.put(path, { state: 'dismissed' })).body.code).toBe('already_decided')
  for (const state of ['open', 'resolved']) expect((await second.put(path, { state })).status).toBe(200)
  expect((await first.get(path)).body.closed_by.id).toBe(second.id)
})

test('a report never deadlocks with the deletion of its message and of one of the reporter', async () => {
  const { channel_id, bob, eve } = await scene()
  const { id } = await say(eve, channel_id, 'Buy feathers')
  const answers = await race(
    parley,
    (tx) => tx`select 1 from messages where id = ${id} for update`,
    [() => bob.post(`/api/messages/${id}/reports`, { reason: 'spam' })],
    // A deletion locks the accounts whose files it deletes, after the messages.
    (tx) => tx`select 1 from users where id = ${bob.id} for no key update`,
  )
  expect(answers.map(({ status }) => status)).toEqual([204])
})

test('new evidence for a report that was opened again is kept for 90 days too', async () => {
  const { server_id, channel_id, alice, mod, bob, eve } = await scene()
  const { id } = await say(eve, channel_id, 'Buy feathers')
  await report(bob, id)
  const [row] = await reportsOf(mod, server_id)
  const close = async () => {
    expect((await mod.put(`/api/reports/${row.id}`, { state: 'resolved' })).status).toBe(200)
    await sql`update reports set closed_at = now() - interval '91 days' where id = ${row.id}`
    await parley.sweep()
    return (await mod.get(`/api/reports/${row.id}`)).body.evidence
  }
  expect(await close()).toEqual([])
  await mod.put(`/api/reports/${row.id}`, { state: 'open' })
  await report(alice, id)
  expect((await mod.get(`/api/reports/${row.id}`)).body).toMatchObject({ content: 'Buy feathers', count: 2 })
  expect(await close()).toEqual([])
})

test('a report that only ignored accounts made stays when another account adds to it', async () => {
  const { server_id, channel_id, alice, mod, bob, dan, eve } = await scene()
  await sql`delete from member_roles where user_id = ${mod.id}`
  const { id } = await say(eve, channel_id, 'First')
  await report(bob, id)
  await alice.put(`/api/servers/${server_id}/ignored-reporters/${bob.id}`)
  expect(await reportsOf(alice, server_id)).toEqual([])
  await report(dan, id, 'hate')
  expect(await reportsOf(alice, server_id)).toMatchObject([{ count: 2, reasons: ['hate', 'spam'] }])
})

test('a webhook can be deleted while reports about it are kept, and its account goes with them', async () => {
  const { server_id, channel_id, alice, bob } = await scene()
  const hook = await webhook(alice, channel_id)
  await post(alice, hook.url, { content: 'Buy feathers' })
  const message = await newest(bob, channel_id)
  await report(bob, message.id)
  await alice.delete(`/api/messages/${message.id}`)
  expect((await alice.delete(`/api/webhooks/${hook.id}`)).status).toBe(204)
  await parley.sweep()
  const accounts = () => sql`select 1 from users where id = ${hook.id}`
  expect(await accounts()).toHaveLength(1)
  await sql`delete from reports where server_id = ${server_id}`
  await parley.sweep()
  expect(await accounts()).toHaveLength(0)
})

test('a report of a message in a thread is seen by those who read the channel of the thread', async () => {
  const { server_id, channel_id, everyone, alice, mod, bob, eve } = await scene()
  const thread = (await alice.post(`/api/channels/${channel_id}/threads`, { name: 'Trade' })).body
  await report(bob, (await say(eve, thread.id, 'Buy feathers')).id)
  expect(await reportsOf(mod, server_id)).toMatchObject([{ channel_id: thread.id }])
  await sql`insert into overwrites ${sql({ channel_id, role_id: everyone, deny: permissions('view_channel') })}`
  expect(await reportsOf(mod, server_id)).toEqual([])
})

test('reports of one message to moderators and to the operator are one, once its author owns the server', async () => {
  const { server_id, channel_id, alice, mod, bob, dan, eve } = await scene()
  const { id } = await say(eve, channel_id, 'Buy feathers')
  await report(bob, id)
  await report(dan, id)
  await report(bob, id, 'minor_safety')
  expect((await alice.post(`/api/servers/${server_id}/transfer`, { user_id: eve.id })).status).toBe(200)
  const rows = await sql`select id, for_operator, reporter_count from reports where server_id = ${server_id}`
  expect(rows).toMatchObject([{ for_operator: true, reporter_count: 2 }])
  const reasons =
    await sql`select reporter_id, reason from report_reasons where report_id = ${rows[0]?.id} order by reason`
  expect(reasons.map((row) => [row.reporter_id, row.reason])).toEqual([
    [bob.id, 'minor_safety'],
    [dan.id, 'spam'],
  ])
  for (const who of [alice, mod, eve]) expect((await who.get(`/api/reports/${rows[0]?.id}`)).status).toBe(404)
})
