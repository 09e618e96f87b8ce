import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { person, say, standard } from '../../support/harness.ts'
import { forbidEveryone } from '../../support/ranks.ts'
import { passerBy, place, rank } from '../../support/places.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const [alice, bob, mallory] = [
  await person(parley, 'alice'),
  await passerBy(parley, 'bob'),
  await passerBy(parley, 'mallory'),
]
const codeOf = ({ status, body }: { status: number; body: any }) => [status, body.code]

/** A server with a moderator, bob, who may set nicknames, and mallory below. */
async function birds() {
  const home = await place(alice, bob, mallory)
  const role = await rank(parley, home.server_id, permissions('manage_nicknames', 'manage_roles'), bob)
  const pathOf = ({ id }: { id: number }) => `/api/servers/${home.server_id}/members/${id}`
  const name = (who: typeof bob, target: typeof bob, nickname: unknown) => who.put(pathOf(target), { nickname })
  return { ...home, role, pathOf, name }
}

test('a member has a nickname, which the members of the server receive, and null ends it', async () => {
  const { server_id, name } = await birds()
  const live = await connect(alice)
  const { status, body } = await name(mallory, mallory, '  Kingfisher\u0301 ')
  expect([status, body.nickname, body.user.display_name]).toEqual([
    200,
    '  Kingfisher\u0301 '.normalize('NFC'),
    'mallory',
  ])
  const { d } = await live.next('member.updated')
  expect(d).toMatchObject({ server_id, nickname: body.nickname, timed_out_until: null, member_count: 3 })
  expect((await name(mallory, mallory, null)).body.nickname).toBe(null)
  live.close()
  for (const bad of ['', 'x'.repeat(33), ' \u200b ', 'a\nb', 'a\0', 7])
    expect(codeOf(await name(mallory, mallory, bad))).toEqual([422, 'validation_failed'])
})

test('change_nickname covers one’s own nickname, and manage_nicknames those of lower members', async () => {
  const { server_id, name } = await birds()
  expect(codeOf(await name(mallory, bob, 'x'))).toEqual([403, 'missing_permission'])
  expect((await name(bob, mallory, 'Puffin')).status).toBe(200)
  expect(codeOf(await name(bob, alice, 'x'))).toEqual([403, 'forbidden'])
  await forbidEveryone(alice, server_id, 'change_nickname')
  expect(codeOf(await name(mallory, mallory, 'x'))).toEqual([403, 'missing_permission'])
  expect((await name(alice, alice, 'Owner')).status).toBe(200)
  const [entry] = (await alice.get(`/api/servers/${server_id}/audit-log`)).body
  expect(entry).toMatchObject({ action: 'member.updated', target_id: mallory.id, actor: { id: bob.id } })
  expect(entry.changes).toEqual({ nickname: { before: null, after: 'Puffin' } })
})

test('members are found by part of the nickname or the display name, ignoring case, accents and width', async () => {
  const { server_id, name } = await birds()
  await name(alice, mallory, 'Puffin 100%')
  const found = async (q: string) =>
    (await bob.get(`/api/servers/${server_id}/members?q=${encodeURIComponent(q)}`)).body.map((row: any) => row.user.id)
  expect(await found('PUFF')).toEqual([mallory.id])
  expect(await found('mall')).toEqual([mallory.id])
  expect(await found('0%')).toEqual([mallory.id])
  expect(await found('%')).toEqual([mallory.id])
  expect(await found('_')).toEqual([])
  expect(await found('\u0301')).toEqual([])
  await name(alice, mallory, 'Zoë İnci 100％')
  for (const q of ['zoe', 'ZOË', 'inci', '0%', 'ｚｏｅ'])
    expect({ q, ids: await found(q) }).toEqual({ q, ids: [mallory.id] })
  expect((await bob.get(`/api/servers/${server_id}/members?q=`)).status).toBe(422)
  expect((await bob.get(`/api/servers/${server_id}/members?q=${'x'.repeat(65)}`)).status).toBe(422)
})

test('a message carries its author’s nickname and roles, and none after the author has left', async () => {
  const { server_id, channel_id, role, name } = await birds()
  const live = await connect(alice)
  await name(alice, bob, 'Heron')
  const sent = await say(bob, channel_id, 'Hello')
  const member = { nickname: 'Heron', role_ids: [role] }
  expect(sent.member).toEqual(member)
  const { d } = await live.next('message.created', (frame) => frame.d.id === sent.id)
  expect(d.member).toEqual(member)
  await bob.delete(`/api/servers/${server_id}/members/@me`)
  expect((await alice.get(`/api/messages/${sent.id}`)).body.member).toBe(null)
  live.close()
})

test('a role may be listed separately and be mentionable', async () => {
  const { server_id, role } = await birds()
  const { body } = await alice.post(`/api/servers/${server_id}/roles`, { name: 'Keepers', hoist: true })
  expect(body).toMatchObject({ hoist: true, mentionable: false })
  expect((await alice.put(`/api/roles/${role}`, { mentionable: true })).body).toMatchObject({
    hoist: false,
    mentionable: true,
  })
})
