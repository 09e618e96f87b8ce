import { expect, test } from 'bun:test'
import { boot, say, standard, stop } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { place } from '../../support/places.ts'
import { forbidEveryone, promote } from '../../support/ranks.ts'
import { report, reportsOf } from '../../support/reports.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, mod, bob, eve, mallory] = await passersBy(parley, 'alice', 'mod', 'bob', 'eve', 'mallory')

/** A server of alice's in which mod moderates. */
async function scene() {
  const at = await place(alice, mod, bob, eve)
  await promote(mod, at.server_id, { bits: ['moderate_members', 'view_audit_log'] })
  return at
}

test('a report reaches the moderators with the text, the five messages before, and who reported', async () => {
  const { server_id, channel_id } = await scene()
  for (let n = 1; n <= 7; n++) await say(bob, channel_id, `Before ${n}`)
  const { id } = await say(eve, channel_id, 'Buy feathers')
  await say(bob, channel_id, 'After')
  const sockets = [await connect(mod), await connect(bob), await connect(eve)] as const
  await report(bob, id, 'spam', 'Again and again')
  const [row] = await reportsOf(mod, server_id)
  expect(row).toMatchObject({
    server_id,
    channel_id,
    message_id: id,
    subject: 'message',
    author: { id: eve.id },
    content: 'Buy feathers',
    state: 'open',
    count: 1,
    reasons: ['spam'],
    is_deleted: false,
    closed_by: null,
  })
  const { body } = await mod.get(`/api/reports/${row.id}`)
  expect(body.reporters).toMatchObject([{ user: { id: bob.id }, reason: 'spam', note: 'Again and again' }])
  const texts = [3, 4, 5, 6, 7].map((n) => `Before ${n}`)
  expect(body.evidence.map(({ content }: any) => content)).toEqual([...texts, 'Buy feathers'])
  const event = await sockets[0].next('report.created')
  expect(event.d).toEqual({ id: row.id, server_id, state: 'open', count: 1 })
  await say(alice, channel_id, 'Last')
  for (const socket of sockets) await socket.next('message.created', ({ d }) => d.content === 'Last')
  for (const socket of sockets.slice(1)) expect(socket.of('report.created')).toEqual([])
  for (const socket of sockets) socket.close()
})

test('reports of one message are one row; the second of the same account changes nothing', async () => {
  const { server_id, channel_id } = await scene()
  const { id } = await say(eve, channel_id, 'Buy feathers')
  await report(bob, id)
  await report(bob, id, 'hate')
  await report(alice, id, 'harassment')
  const rows = await reportsOf(mod, server_id)
  expect(rows).toMatchObject([{ count: 2, reasons: ['harassment', 'spam'] }])
})

test('simultaneous reports of one message are one row with every reporter', async () => {
  const at = await scene()
  const crowd = await passersBy(parley, 'a', 'b', 'c')
  for (const { id } of crowd) await sql`insert into members ${sql({ server_id: at.server_id, user_id: id })}`
  const { id } = await say(eve, at.channel_id, 'Buy feathers')
  await Promise.all(crowd.flatMap((who) => [report(who, id), report(who, id)]))
  expect(await reportsOf(mod, at.server_id)).toMatchObject([{ count: 3 }])
})

test('a decision is noted, announced, and in the audit log without the reported account', async () => {
  const { server_id, channel_id } = await scene()
  const { id } = await say(eve, channel_id, 'Buy feathers')
  await report(bob, id)
  const [{ id: reportId }] = await reportsOf(mod, server_id)
  const live = await connect(alice)
  const resolved = await mod.put(`/api/reports/${reportId}`, { state: 'resolved', note: 'Warned' })
  expect(resolved.body).toMatchObject({ state: 'resolved', note: 'Warned', closed_by: { id: mod.id } })
  const event = await live.next('report.updated')
  expect(event.d).toEqual({ id: reportId, server_id, state: 'resolved', count: 1 })
  expect(await reportsOf(mod, server_id, '?state=open')).toEqual([])
  expect(await reportsOf(mod, server_id, '?state=resolved')).toHaveLength(1)
  const [entry] = (await mod.get(`/api/servers/${server_id}/audit-log`)).body
  expect(entry).toMatchObject({ action: 'report.decided', target_type: 'report', target_id: reportId })
  expect(entry.changes).toEqual({ state: { before: 'open', after: 'resolved' } })

  // A report of a decided message begins anew, and the earlier one cannot be opened too.
  await report(bob, id)
  expect(await reportsOf(mod, server_id)).toHaveLength(2)
  expect((await mod.put(`/api/reports/${reportId}`, { state: 'open' })).body.code).toBe('already_reported')
  const [fresh] = await reportsOf(mod, server_id, '?state=open')
  expect((await mod.put(`/api/reports/${fresh.id}`, { state: 'dismissed' })).status).toBe(200)
  const reopened = await mod.put(`/api/reports/${reportId}`, { state: 'open' })
  expect(reopened.body).toMatchObject({ state: 'open', closed_at: null, closed_by: null, note: 'Warned' })
  live.close()
})

test('only readers report a message, and nobody their own or a notice', async () => {
  const { server_id, channel_id } = await scene()
  const { id } = await say(eve, channel_id, 'Buy feathers')
  const post = async (who: typeof bob, messageId: number) =>
    (await who.post(`/api/messages/${messageId}/reports`, { reason: 'spam' })).body.code
  expect(await post(mallory, id)).toBe('not_found')
  expect(await post(eve, id)).toBe('cannot_target_self')
  expect(await post(bob, 999_999_999)).toBe('not_found')
  await eve.delete(`/api/messages/${id}`)
  expect(await post(bob, id)).toBe('not_found')
  await promote(bob, server_id, { bits: ['pin_messages'] })
  const pinned = await say(eve, channel_id, 'Nest')
  await bob.put(`/api/channels/${channel_id}/pins/${pinned.id}`)
  const [notice] = (await bob.get(`/api/channels/${channel_id}/messages`)).body
  expect(await post(alice, notice.id)).toBe('forbidden')
  await forbidEveryone(bob, server_id, 'read_history')
  expect(await post(bob, pinned.id)).toBe('missing_permission')
  expect(await reportsOf(mod, server_id)).toEqual([])
})

test('a report without a known reason, with a long note or an unknown field is refused', async () => {
  const { server_id, channel_id } = await scene()
  const { id } = await say(eve, channel_id, 'Buy feathers')
  for (const body of [{}, { reason: 'dull' }, { reason: 'spam', note: 'x'.repeat(501) }, { reason: 'spam', to: 1 }])
    expect((await bob.post(`/api/messages/${id}/reports`, body)).body.code).toBe('validation_failed')
  expect(await reportsOf(mod, server_id)).toEqual([])
})

test('the evidence stays as it was reported, whatever its author edits and deletes', async () => {
  const { server_id, channel_id } = await scene()
  const { id } = await say(eve, channel_id, 'Harmless')
  await report(bob, id)
  await eve.put(`/api/messages/${id}`, { content: 'Buy feathers' })
  await report(alice, id)
  await eve.put(`/api/messages/${id}`, { content: 'Harmless again' })
  await eve.delete(`/api/messages/${id}`)
  const [row] = await reportsOf(mod, server_id)
  expect(row).toMatchObject({ is_deleted: true, content: 'Buy feathers', count: 2 })
  const { body } = await mod.get(`/api/reports/${row.id}`)
  expect(body.evidence.map(({ content }: any) => content)).toEqual(['Harmless', 'Buy feathers'])
})

test('a profile is reported to the moderators of a shared server, with its names', async () => {
  const { server_id } = await scene()
  await sql`update members set nickname = 'Free feathers' where server_id = ${server_id} and user_id = ${eve.id}`
  const post = (who: typeof bob, body: object) => who.post(`/api/users/${eve.id}/reports`, body)
  expect((await post(bob, { reason: 'spam', server_id })).status).toBe(204)
  expect((await post(mallory, { reason: 'spam', server_id })).status).toBe(404)
  expect((await post(eve, { reason: 'spam', server_id })).body.code).toBe('cannot_target_self')
  expect((await bob.post(`/api/users/${mallory.id}/reports`, { reason: 'spam', server_id })).status).toBe(404)
  const rows = await reportsOf(mod, server_id)
  expect(rows).toMatchObject([{ subject: 'profile', message_id: null, channel_id: null, author: { id: eve.id } }])
  expect(rows[0].content).toBe(`Free feathers\n${eve.display_name}`)
})

test('a server has at most 200 open reports, 20 of one account, and a decision makes room', async () => {
  const at = await scene()
  const { server_id, channel_id } = at
  const messages = []
  for (let n = 0; n < 21; n++) messages.push((await say(eve, channel_id, `Feathers ${n}`)).id)
  for (const id of messages.slice(0, 20)) await report(bob, id)
  const post = (who: typeof bob, id: number | undefined) => who.post(`/api/messages/${id}/reports`, { reason: 'spam' })
  expect((await post(bob, messages[20])).body.code).toBe('too_many_reports')
  // A report of a reported message takes no further row.
  await report(alice, messages[0] ?? 0)
  await sql`insert into reports (subject, subject_id, server_id, author_id, for_operator)
    select 'message', 1000000 + n, ${server_id}, ${eve.id}, false from generate_series(1, 180) n`
  expect((await post(alice, messages[20])).body.code).toBe('too_many_reports')
  const [newest] = await reportsOf(mod, server_id)
  await mod.put(`/api/reports/${newest.id}`, { state: 'dismissed' })
  expect((await post(alice, messages[20])).status).toBe(204)
})

test('a member who is held back reports at most three times a day in that server', async () => {
  const { server_id, channel_id } = await scene()
  await mod.put(`/api/servers/${server_id}/members/${bob.id}`, { held_back: 'quarantined' })
  const codes: unknown[] = []
  for (let n = 0; n < 4; n++) {
    const { id } = await say(eve, channel_id, `Feathers ${n}`)
    codes.push((await bob.post(`/api/messages/${id}/reports`, { reason: 'spam' })).body?.code)
  }
  expect(codes).toEqual([undefined, undefined, undefined, 'too_many_reports'])
  await mod.put(`/api/servers/${server_id}/members/${bob.id}`, { held_back: null })
  await report(bob, (await say(eve, channel_id, 'More feathers')).id)
})

test('an account reports at most 20 times an hour', async () => {
  const limited = await boot({ RATE_LIMITS: 'on' })
  const [owner, reporter, author] = await passersBy(limited, 'owner', 'reporter', 'author')
  const { channel_id } = await place(owner, reporter, author)
  const { id } = await say(author, channel_id, 'Buy feathers')
  const statuses = []
  for (let n = 0; n < 21; n++)
    statuses.push((await reporter.post(`/api/messages/${id}/reports`, { reason: 'spam' })).status)
  expect(statuses).toEqual([...Array(20).fill(204), 429])
  await stop(limited)
})
