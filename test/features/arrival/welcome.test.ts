import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { person, standard } from '../../support/harness.ts'
import { passerBy, place } from '../../support/places.ts'

const parley = await standard()
const [alice, bob] = [await person(parley, 'alice'), await passerBy(parley, 'bob')]
const codeOf = ({ status, body }: { status: number; body: any }) => [status, body?.code]

test('a welcome names up to five channels of the server, and shows members those that they see', async () => {
  const { server_id, channel_id, everyone } = await place(alice, bob)
  const path = `/api/servers/${server_id}/welcome`
  expect((await bob.get(path)).body).toEqual({ server_id, content: '', channels: [] })
  const { body: staff } = await alice.post(`/api/servers/${server_id}/channels`, { name: 'staff', type: 'text' })
  await alice.put(`/api/channels/${staff.id}/permissions/${everyone}`, { deny: permissions('view_channel') })
  const general = { channel_id, emoji: '👋', line: 'Say hello' }
  const welcome = { content: 'Welcome!', channels: [general, { channel_id: staff.id, emoji: null, line: '' }] }
  expect((await alice.put(path, welcome)).body).toEqual({ server_id, ...welcome })
  expect((await bob.get(path)).body).toEqual({ server_id, content: 'Welcome!', channels: [general] })
  expect(codeOf(await bob.put(path, welcome))).toEqual([403, 'missing_permission'])
  const [entry] = (await alice.get(`/api/servers/${server_id}/audit-log?action=welcome.updated`)).body
  expect(entry.changes.welcome).toEqual({ before: '', after: 'Welcome!' })
})

test('a welcome refuses channels of other servers, repeated ones and more than five', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  const other = await place(alice)
  const put = (...ids: number[]) =>
    alice.put(`/api/servers/${server_id}/welcome`, { content: 'Hi', channels: ids.map((id) => ({ channel_id: id })) })
  for (const ids of [[other.channel_id], [channel_id, channel_id], [4_000_000], [1, 2, 3, 4, 5, 6]])
    expect(codeOf(await put(...ids))).toEqual([422, 'validation_failed'])
  const long = await alice.put(`/api/servers/${server_id}/welcome`, { content: 'x'.repeat(501) })
  expect(codeOf(long)).toEqual([422, 'validation_failed'])
  expect((await alice.get(`/api/servers/${server_id}/welcome`)).body.content).toBe('')
})
