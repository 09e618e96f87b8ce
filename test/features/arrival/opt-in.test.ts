import { expect, test } from 'bun:test'
import { person, standard } from '../../support/harness.ts'
import { passerBy, place } from '../../support/places.ts'

const parley = await standard()
const [alice, bob] = [await person(parley, 'alice'), await passerBy(parley, 'bob')]
const codeOf = ({ status, body }: { status: number; body: any }) => [status, body?.code]
const levelOf = async (who: { id: number }, channel_id: number) => {
  const [row] = await parley.parts.sql<{ level: string }[]>`select level_in(${who.id}, ${channel_id}) as level`
  return row?.level
}

test('a channel to choose notifies who lists it; earlier members and permissions stay as they are', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  await alice.put(`/api/servers/${server_id}`, { default_notifications: 'all' })
  const { status, body } = await alice.put(`/api/channels/${channel_id}`, { opt_in: true })
  expect([status, typeof body.opt_in_since]).toEqual([200, 'string'])
  const { code } = (await alice.post('/api/invites', { server_id })).body
  const later = await passerBy(parley, 'later')
  await later.post(`/api/invites/${code}/join`)
  expect([await levelOf(bob, channel_id), await levelOf(later, channel_id)]).toEqual(['all', 'nothing'])
  expect((await later.post(`/api/channels/${channel_id}/messages`, { content: 'Hi' })).status).toBe(201)
  const thread = (await alice.post(`/api/channels/${channel_id}/threads`, { name: 'Owls' })).body
  expect(await levelOf(later, thread.id)).toBe('nothing')

  const set = (who: typeof bob, change: object) => who.put(`/api/notifications/channels/${channel_id}`, change)
  expect((await set(later, { listed: true })).body).toMatchObject({ listed: true, level: null })
  expect([await levelOf(later, channel_id), await levelOf(later, thread.id)]).toEqual(['all', 'all'])
  await set(later, { listed: false })
  expect(await levelOf(later, channel_id)).toBe('nothing')
  await set(later, { level: 'mentions' })
  expect(await levelOf(later, channel_id)).toBe('mentions')
  await set(bob, { listed: false })
  expect(await levelOf(bob, channel_id)).toBe('nothing')

  const again = await alice.put(`/api/channels/${channel_id}`, { opt_in: true })
  expect(again.body.opt_in_since).toBe(body.opt_in_since)
  await alice.put(`/api/channels/${channel_id}`, { opt_in: false })
  expect(await levelOf(bob, channel_id)).toBe('all')
})

test('text channels, voice channels and forums can be ones to choose, by members with manage_channels', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  const make = async (body: object) => (await alice.post(`/api/servers/${server_id}/channels`, body)).body
  const category = await make({ name: 'Nests', type: 'category' })
  const voice = await make({ name: 'Talk', type: 'voice' })
  const thread = (await alice.post(`/api/channels/${channel_id}/threads`, { name: 'Owls' })).body
  for (const { id } of [category, thread])
    expect(codeOf(await alice.put(`/api/channels/${id}`, { opt_in: true }))).toEqual([422, 'validation_failed'])
  const forum = await make({ name: 'Help', type: 'forum' })
  for (const { id } of [voice, forum])
    expect((await alice.put(`/api/channels/${id}`, { opt_in: true })).status).toBe(200)
  expect(codeOf(await bob.put(`/api/channels/${voice.id}`, { opt_in: false }))).toEqual([403, 'missing_permission'])
})
