import { expect, test } from 'bun:test'
import { holds, permissions } from '../../../src/core/permissions.ts'
import { MEMBER_OVERWRITES_MAX } from '../../../src/features/members/member-overwrites.ts'
import { ThreadKeeper } from '../../../src/features/threads/thread-keeper.ts'
import { begun } from '../../support/forums.ts'
import { newServer, type Person, say, standard, until } from '../../support/harness.ts'
import { peopleWithPassword, deleteAccountOf, passersBy } from '../../support/people.ts'
import { passerBy, place, rank } from '../../support/places.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const SEND = permissions('send_messages')
const VIEW = permissions('view_channel')

const pathOf = (channel_id: number, { id }: Person) => `/api/channels/${channel_id}/permissions/members/${id}`
const permissionsOf = async (channel_id: number, { id }: Person): Promise<number> => {
  const [row] = await sql<{ permissions: number }[]>`select permissions from channel_access(${channel_id}, ${id})`
  return row?.permissions ?? 0
}
const may = async (channel_id: number, who: Person, bit: 'send_messages' | 'view_channel' | 'speak') =>
  holds(await permissionsOf(channel_id, who), bit)

test('an overwrite for a member counts more than those of its roles, and is explained', async () => {
  const [alice, bob, carol] = await passersBy(parley, 'alice', 'bob', 'carol')
  const { server_id, channel_id, everyone } = await place(alice, bob, carol)
  const role = await rank(parley, server_id, 0, bob)
  await alice.put(`/api/channels/${channel_id}/permissions/${everyone}`, { deny: SEND })
  await alice.put(`/api/channels/${channel_id}/permissions/${role}`, { deny: SEND, allow: permissions('speak') })
  const bits = { allow: SEND, deny: permissions('speak') }
  const answer = await alice.put(pathOf(channel_id, bob), bits)
  expect([answer.status, answer.body]).toEqual([
    200,
    { channel_id, user: expect.objectContaining({ id: bob.id }), ...bits },
  ])
  expect([await may(channel_id, bob, 'send_messages'), await may(channel_id, bob, 'speak')]).toEqual([true, false])
  expect(await may(channel_id, carol, 'send_messages')).toBeFalse()
  await say(bob, channel_id, 'I may')
  const explained = (await bob.get(`/api/channels/${channel_id}/permissions/explain`)).body.bits
  const because = (name: string) => explained.find((bit: any) => bit.name === name).because
  expect([because('send_messages'), because('speak')]).toEqual(Array(2).fill({ member_overwrite_at: channel_id }))
  expect((await alice.get(`/api/channels/${channel_id}/permissions/members`)).body).toEqual([answer.body])
  const [entry] = (await alice.get(`/api/servers/${server_id}/audit-log`)).body
  expect([entry.action, entry.changes.user_id.after]).toEqual(['overwrite.updated', bob.id])
  expect((await alice.delete(pathOf(channel_id, bob))).status).toBe(204)
  expect((await alice.delete(pathOf(channel_id, bob))).status).toBe(404)
  expect(await may(channel_id, bob, 'send_messages')).toBeFalse()
  const [channel] = await sql`select has_member_overwrites from channels where id = ${channel_id}`
  expect(channel?.has_member_overwrites).toBeFalse()
})

test('a channel inherits each bit of its category that its own overwrite leaves open, also once released', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { server_id } = await newServer(alice, bob)
  const make = async (draft: object) => (await alice.post(`/api/servers/${server_id}/channels`, draft)).body.id
  const category = await make({ name: 'Birds', type: 'category' })
  const channel = await make({ name: 'auk', type: 'text', parent_id: category })
  await alice.put(pathOf(category, bob), { deny: permissions('send_messages', 'speak') })
  await alice.put(pathOf(channel, bob), { allow: permissions('speak') })
  const inside = async () => [await may(channel, bob, 'send_messages'), await may(channel, bob, 'speak')]
  expect(await inside()).toEqual([false, true])
  const later = await make({ name: 'owl', type: 'text', parent_id: category })
  expect(await may(later, bob, 'send_messages')).toBeFalse()
  await alice.put(`/api/channels/${later}`, { parent_id: null })
  expect(await may(later, bob, 'send_messages')).toBeTrue()
  const { body } = await bob.get(`/api/channels/${channel}/permissions/explain`)
  expect(body.bits.find((bit: any) => bit.name === 'send_messages').because).toEqual({ member_overwrite_at: category })
  expect((await alice.delete(`/api/channels/${category}`)).status).toBe(204)
  expect(await inside()).toEqual([false, true])
})

test('only who ranks above the member and has the bits sets an overwrite, never for itself or the owner', async () => {
  const [alice, bob, carol, dave] = await passersBy(parley, 'alice', 'bob', 'carol', 'dave')
  const { server_id, channel_id } = await place(alice, bob, carol, dave)
  await rank(parley, server_id, 0, carol)
  await rank(parley, server_id, permissions('manage_roles'), bob)
  const codeOf = async (who: Person, target: Person, bits: object) =>
    (await who.put(pathOf(channel_id, target), bits)).body.code
  expect(await codeOf(dave, carol, { deny: SEND })).toBe('missing_permission')
  expect(await codeOf(bob, carol, { allow: permissions('ban_members') })).toBe('missing_permission')
  expect(await codeOf(bob, bob, { allow: SEND })).toBe('cannot_target_self')
  expect(await codeOf(bob, alice, { deny: SEND })).toBe('forbidden')
  expect(await codeOf(carol, bob, { deny: SEND })).toBe('missing_permission')
  expect(await codeOf(bob, carol, { allow: SEND, deny: SEND })).toBe('validation_failed')
  expect(await codeOf(bob, carol, {})).toBe('validation_failed')
  expect(await codeOf(bob, await passerBy(parley, 'stranger'), { deny: SEND })).toBe('not_found')
  expect(await codeOf(bob, carol, { deny: SEND })).toBeUndefined()
  // A denial by the owner is nothing that its target lifts, whatever roles the target manages.
  expect(await codeOf(alice, bob, { deny: SEND })).toBeUndefined()
  expect((await bob.delete(pathOf(channel_id, bob))).body.code).toBe('cannot_target_self')
  const category = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'Birds', type: 'category' })).body.id
  await alice.put(`/api/channels/${channel_id}`, { parent_id: category })
  await alice.put(pathOf(category, bob), { deny: permissions('speak') })
  await sql`update roles set permissions = ${permissions('manage_roles', 'manage_channels')}
    where server_id = ${server_id} and position = 2`
  expect((await bob.put(`/api/channels/${channel_id}`, { parent_id: null })).body.code).toBe('missing_permission')
  await alice.put(pathOf(category, bob), { deny: permissions('attach_files') })
  await sql`update member_overwrites set deny = 0, allow = ${permissions('attach_files')}
    where channel_id = ${category} and user_id = ${bob.id}`
  expect((await bob.put(`/api/channels/${channel_id}`, { parent_id: null })).body.code).toBe('forbidden')
  expect((await dave.get(`/api/channels/${channel_id}/permissions/members`)).body.code).toBe('missing_permission')
})

test('a hidden channel appears only for the member, with its overwrite, and disappears again', async () => {
  const [alice, bob, carol] = await passersBy(parley, 'alice', 'bob', 'carol')
  const { server_id, channel_id } = await newServer(alice, bob, carol)
  const everyone = (await alice.get(`/api/servers/${server_id}/roles`)).body[0].id
  const hidden = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'ticket', type: 'text' })).body.id
  await alice.put(`/api/channels/${hidden}/permissions/${everyone}`, { deny: VIEW })
  const [his, hers] = [await connect(bob), await connect(carol)]
  // A denial in a channel that the member does not see tells the member nothing.
  await alice.put(pathOf(hidden, carol), { deny: SEND })
  await alice.put(pathOf(hidden, bob), { allow: VIEW, deny: permissions('attach_files') })
  await his.next('channel.created', ({ d }) => d.id === hidden)
  const own = { channel_id: hidden, server_id, allow: VIEW, deny: permissions('attach_files') }
  expect((await his.next('channel.own_overwrite_updated')).d).toEqual(own)
  await say(alice, hidden, 'For you')
  await his.next('message.created', ({ d }) => d.channel_id === hidden)
  await hers.settled()
  expect(JSON.stringify(hers.frames)).not.toContain('"ticket"')
  expect(hers.of('channel.own_overwrite_updated')).toEqual([])
  expect(hers.of('message.created')).toEqual([])
  const fresh = await connect(bob)
  expect(fresh.of('ready')[0]?.d.own_overwrites).toEqual([own])
  expect(fresh.of('server.snapshot')[0]?.d.own_overwrites).toEqual([own])
  expect((await connect(carol)).of('ready')[0]?.d.own_overwrites).toEqual([])
  await alice.put(`/api/channels/${hidden}/permissions/${everyone}`, { allow: 0, deny: 0 })
  await hers.next('channel.created', ({ d }) => d.id === hidden)
  await hers.next('channel.own_overwrite_updated', ({ d }) => d.deny === SEND)
  await alice.put(pathOf(channel_id, bob), { deny: VIEW })
  await his.next('channel.deleted', ({ d }) => d.id === channel_id)
  await say(alice, channel_id, 'Not for you')
  await his.settled()
  expect(his.of('message.created').filter(({ d }) => d.channel_id === channel_id)).toEqual([])
  for (const live of [his, hers, fresh]) live.close()
})

test('when a member leaves, allowed bits go and denials wait; with the account everything goes', async () => {
  const [alice, bob] = await peopleWithPassword(parley, 'alice', 'bob')
  const { server_id, channel_id } = await newServer(alice, bob)
  const voice = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'Talk', type: 'voice' })).body.id
  await alice.put(pathOf(channel_id, bob), { allow: permissions('mention_everyone'), deny: SEND })
  await alice.put(pathOf(voice, bob), { allow: permissions('mute_members') })
  const rows = () => sql`select channel_id, allow, deny from member_overwrites where user_id = ${bob.id}`
  expect((await bob.delete(`/api/servers/${server_id}/members/@me`)).status).toBe(204)
  expect([...(await rows())]).toMatchObject([{ channel_id, allow: 0, deny: SEND }])
  const { code } = (await alice.post('/api/invites', { server_id })).body
  await bob.post(`/api/invites/${code}/join`)
  expect(await may(channel_id, bob, 'send_messages')).toBeFalse()
  await alice.delete(`/api/servers/${server_id}/members/${bob.id}`)
  expect((await alice.get(`/api/channels/${channel_id}/permissions/members`)).body).toMatchObject([{ deny: SEND }])
  expect((await alice.put(pathOf(channel_id, bob), { deny: VIEW })).body.code).toBe('not_found')
  expect((await deleteAccountOf(bob)).status).toBe(204)
  await until(async () => (await rows()).length === 0)
})

test('a channel has overwrites for at most a hundred members', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { server_id, channel_id } = await place(alice, bob)
  await sql`with crowd as (insert into users (username, email, password_hash, display_name)
      select 'many' || ${channel_id}::text || n, 'many' || ${channel_id}::text || n || '@example.org', 'none', 'Many'
      from generate_series(1, ${MEMBER_OVERWRITES_MAX}) n returning id)
    insert into member_overwrites (server_id, channel_id, user_id, allow, deny)
    select ${server_id}, ${channel_id}, id, 0, ${SEND} from crowd`
  expect((await alice.put(pathOf(channel_id, bob), { deny: SEND })).body.code).toBe('too_many_overwrites')
})

test('an overwrite for a member that gives manage_threads also shows the names of hidden posts', async () => {
  const [alice, bob, carol, dave] = await passersBy(parley, 'alice', 'bob', 'carol', 'dave')
  const { server_id } = await place(alice, bob, carol, dave)
  const make = async (draft: object) => (await alice.post(`/api/servers/${server_id}/channels`, draft)).body.id
  const category = await make({ name: 'Birds', type: 'category' })
  const forum = await make({ name: 'help', type: 'forum', parent_id: category })
  const allow = permissions('manage_threads')
  expect((await alice.put(pathOf(forum, bob), { allow })).status).toBe(200)
  for (const who of [carol, dave]) expect((await alice.put(pathOf(category, who), { allow })).status).toBe(200)
  expect((await alice.put(pathOf(forum, dave), { deny: allow })).status).toBe(200)
  const spam = await begun(dave, forum, 'Peregrine')
  const lives = await Promise.all([bob, carol, dave].map((who) => connect(who)))
  expect((await alice.put(`/api/channels/${spam.id}`, { hidden: true })).status).toBe(200)
  await new ThreadKeeper(parley.parts).run()
  const names: string[] = []
  for (const live of lives) {
    const isHidden = ({ d }: { d: any }) => d.id === spam.id && d.hidden
    await live.next('thread.updated', isHidden)
    await live.settled()
    names.push(live.of('thread.updated').filter(isHidden).at(-1)?.d.name)
    live.close()
  }
  expect(names).toEqual(['Peregrine', 'Peregrine', ''])
})
