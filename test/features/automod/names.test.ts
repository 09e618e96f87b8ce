import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { person, standard } from '../../support/harness.ts'
import { addRule } from '../../support/automod.ts'
import { passerBy, place, rank } from '../../support/places.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const alice = await person(parley, 'alice')
type Who = typeof alice
const codeOf = ({ status, body }: { status: number; body: any }) => [status, body.code]
const BLOCKED = [403, 'automod_blocked']

const profileRule = (draft: object = {}) => ({
  name: 'Names',
  trigger: { type: 'profile', words: ['*heron*'], patterns: ['free\\s*gulls'] },
  actions: [{ type: 'block' }],
  ...draft,
})

async function birds(...others: Who[]) {
  const home = await place(alice, ...others)
  const { code } = (await alice.post('/api/invites', { server_id: home.server_id })).body
  const nicknameOf = async ({ id }: Who) => {
    const { body } = await alice.get(`/api/servers/${home.server_id}/members`)
    return body.find((member: any) => member.user.id === id)?.nickname
  }
  const name = (who: Who, target: Who, nickname: string | null) =>
    who.put(`/api/servers/${home.server_id}/members/${target.id}`, { nickname })
  return { ...home, join: (who: Who) => who.post(`/api/invites/${code}/join`), nicknameOf, name }
}
const rename = (who: Who, display_name: string) => who.put('/api/auth/display-name', { display_name })

test('a rule about profiles judges nicknames, and no messages', async () => {
  const bob = await passerBy(parley, 'bob')
  const { server_id, channel_id, name, nicknameOf } = await birds(bob)
  await addRule(alice, server_id, profileRule())
  for (const nickname of ['Heron', 'grey HÉRON 7', 'Free  Gulls'])
    expect(codeOf(await name(bob, bob, nickname))).toEqual(BLOCKED)
  expect(codeOf(await name(alice, bob, 'Heron'))).toEqual(BLOCKED)
  expect((await name(bob, bob, 'Gull')).body.nickname).toBe('Gull')
  expect(await nicknameOf(bob)).toBe('Gull')
  expect((await bob.post(`/api/channels/${channel_id}/messages`, { content: 'heron' })).status).toBe(201)
})

test('a member who may not change a nickname hears that, and nothing of the rules', async () => {
  const [bob, carol] = [await passerBy(parley, 'bob'), await passerBy(parley, 'carol')]
  const { server_id, everyone, name } = await birds(bob, carol)
  await addRule(alice, server_id, profileRule())
  expect(codeOf(await name(bob, carol, 'Heron'))).toEqual([403, 'missing_permission'])
  await alice.put(`/api/roles/${everyone}`, { permissions: permissions('view_channel') })
  expect(codeOf(await name(bob, bob, 'Heron'))).toEqual([403, 'missing_permission'])
})

test('a display name that breaks a rule is covered by a neutral nickname when its account joins', async () => {
  const bob = await passerBy(parley, 'bob')
  const { server_id, join, nicknameOf, name } = await birds()
  await addRule(alice, server_id, profileRule())
  await rename(bob, 'Heron of Doom')
  expect((await join(bob)).status).toBe(201)
  expect(await nicknameOf(bob)).toBe(`Member ${bob.id}`)
  const [entry] = (await alice.get(`/api/servers/${server_id}/audit-log?limit=1`)).body
  expect([entry.action, entry.target_id, entry.changes.nickname.after]).toEqual([
    'automod.renamed',
    bob.id,
    `Member ${bob.id}`,
  ])
  expect((await name(bob, bob, null)).body.nickname).toBe(`Member ${bob.id}`)
  expect((await bob.get('/api/auth/me')).body.display_name).toBe('Heron of Doom')
})

test('a display name that breaks a rule is covered when it changes, in that server and no other', async () => {
  const bob = await passerBy(parley, 'bob')
  const [ruled, other] = [await birds(bob), await birds(bob)]
  await addRule(alice, ruled.server_id, profileRule())
  const live = await connect(alice)
  await rename(bob, 'free gulls')
  expect((await live.next('member.updated')).d).toMatchObject({ user: { id: bob.id }, nickname: `Member ${bob.id}` })
  live.close()
  expect([await ruled.nicknameOf(bob), await other.nicknameOf(bob)]).toEqual([`Member ${bob.id}`, null])
  const carol = await passerBy(parley, 'carol')
  await ruled.join(carol)
  await ruled.name(carol, carol, 'Tern')
  await rename(carol, 'heron')
  expect(await ruled.nicknameOf(carol)).toBe('Tern')
})

test('exempt roles keep their names, and the other actions of a rule happen', async () => {
  const [bob, carol] = [await passerBy(parley, 'bob'), await passerBy(parley, 'carol')]
  const { server_id, nicknameOf } = await birds(bob, carol)
  const exempt = await rank(parley, server_id, 0, bob)
  await addRule(alice, server_id, profileRule({ actions: [{ type: 'quarantine' }], exempt_role_ids: [exempt] }))
  for (const who of [bob, carol]) await rename(who, 'heron')
  expect([await nicknameOf(bob), await nicknameOf(carol)]).toEqual([null, `Member ${carol.id}`])
  const rows =
    await sql`select user_id, held_back from members where server_id = ${server_id} and held_back is not null`
  expect([...rows]).toEqual([{ user_id: carol.id, held_back: 'quarantined' }] as never)
  const { body: hits } = await alice.get(`/api/servers/${server_id}/automod/hits`)
  expect(hits).toMatchObject([{ user: { id: carol.id }, channel_id: null, texts: ['heron'] }])
})
