import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { type Person, say, standard } from '../../support/harness.ts'
import { befriend, group, passersBy } from '../../support/people.ts'
import { place, rank } from '../../support/places.ts'
import { connect } from '../../support/socket.ts'
import { upload } from '../../support/uploads.ts'

const parley = await standard()
const { sql } = parley.parts

const remove = (who: Person, channel_id: number, ids: unknown) =>
  who.post(`/api/channels/${channel_id}/messages/bulk-delete`, { ids })
const remaining = async (who: Person, channel_id: number) =>
  (await who.get(`/api/channels/${channel_id}/messages?limit=100`)).body.map(({ id }: { id: number }) => id)

/** A channel with messages of two people, moderated by a third. */
async function stage(count: number) {
  const [alice, bob, carol] = await passersBy(parley, 'alice', 'bob', 'carol')
  const there = await place(alice, bob, carol)
  await rank(parley, there.server_id, permissions('manage_messages', 'view_audit_log'), carol)
  const ids: number[] = []
  for (let n = 0; n < count; n++) ids.push((await say(n % 2 ? alice : bob, there.channel_id, `Spam ${n}`)).id)
  return { alice, bob, carol, ids, ...there }
}

test('a moderator deletes a hundred messages at once, with an event for everyone and one audit log entry', async () => {
  const { bob, carol, ids, server_id, channel_id } = await stage(0)
  await sql`insert into messages (channel_id, author_id, content)
    select ${channel_id}, ${bob.id}, 'Spam' from generate_series(1, 102)`
  const all = (await remaining(bob, channel_id)).toSorted((a: number, b: number) => a - b)
  expect(ids).toEqual([])
  const live = await connect(bob)
  expect((await remove(carol, channel_id, all.slice(0, 100))).status).toBe(204)
  await live.settled()
  expect(live.of('message.deleted').map(({ d }) => d.id)).toEqual(all.slice(0, 100))
  expect((await remaining(bob, channel_id)).length).toBe(2)
  const [entry] = (await carol.get(`/api/servers/${server_id}/audit-log`)).body
  expect(entry).toMatchObject({ action: 'messages.deleted', target_type: 'channel', target_id: channel_id })
  expect(entry.changes.message_ids.before.length).toBe(100)
  expect(entry.changes.author_ids.before).toEqual([bob.id])
  expect((await remove(carol, channel_id, all.slice(0, 100))).status).toBe(204)
  expect((await carol.get(`/api/servers/${server_id}/audit-log`)).body.length).toBe(1)
  live.close()
})

test('only manage_messages deletes in bulk, only in its channel, and never in a dm or group', async () => {
  const { alice, bob, carol, ids, channel_id } = await stage(3)
  const elsewhere = await place(bob)
  const foreign = await say(bob, elsewhere.channel_id, 'Mine')
  expect((await remove(bob, channel_id, ids)).body.code).toBe('missing_permission')
  expect((await remove(carol, elsewhere.channel_id, [foreign.id])).status).toBe(404)
  expect((await remove(carol, channel_id, [foreign.id, 2 ** 50, ids[0]])).status).toBe(204)
  expect((await bob.get(`/api/messages/${foreign.id}`)).status).toBe(200)
  expect((await alice.get(`/api/channels/${channel_id}`)).body.last_message_id).toBe(ids[2])
  const party = await group(alice, bob, carol)
  const { id } = await say(alice, party, 'Hello')
  expect((await remove(alice, party, [id])).body.code).toBe('missing_permission')
  const dm = (await alice.post('/api/channels/direct', { recipient_ids: [bob.id] })).body.id
  expect((await remove(alice, dm, [(await say(alice, dm, 'Hi')).id])).body.code).toBe('missing_permission')
  for (const wrong of [[], 'all', [0], ['1'], [1.5], Array.from({ length: 101 }, (_, n) => n + 1)])
    expect((await remove(carol, channel_id, wrong)).status).toBe(422)
  await befriend(bob, carol)
})

test('files go with their messages, and two moderators at once delete each message once', async () => {
  const { alice, carol, ids, channel_id } = await stage(20)
  const file = await upload(alice, 'owl.txt', 'text/plain', Buffer.from('Owl'))
  const sent = await alice.post(`/api/channels/${channel_id}/messages`, { content: 'Owl', file_ids: [file.id] })
  ids.push(sent.body.id)
  const live = await connect(carol)
  const answers = await Promise.all([
    remove(carol, channel_id, ids),
    remove(alice, channel_id, ids.toReversed()),
    ...ids.slice(5, 9).map((id) => alice.delete(`/api/messages/${id}`)),
  ])
  for (const { status } of answers) expect([204, 404]).toContain(status)
  await live.settled()
  expect(
    live
      .of('message.deleted')
      .map(({ d }) => d.id)
      .toSorted((a, b) => a - b),
  ).toEqual(ids)
  expect([await remaining(carol, channel_id), (await alice.get(`/api/files/${file.id}`)).status]).toEqual([[], 404])
  live.close()
})
