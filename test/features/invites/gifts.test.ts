import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { type Person, person, standard } from '../../support/harness.ts'
import { passerBy, place, rank } from '../../support/places.ts'
import { connect } from '../../support/socket.ts'
import { inVoice, voiceChannel } from '../../support/voice-people.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob] = [await person(parley, 'alice'), await passerBy(parley, 'bob')]
const codeOf = ({ status, body }: { status: number; body: any }) => [status, body?.code]
const MANAGES = permissions('manage_roles', 'create_invite', 'view_channel', 'send_messages')

/** A server of alice, with bob as a manager of roles above the self-assignable role Owls. */
async function aviary() {
  const home = await place(alice, bob)
  const { server_id } = home
  const path = `/api/servers/${server_id}`
  const owls = (await alice.post(`${path}/roles`, { name: 'Owls', self_assignable: true })).body.id
  const managers = await rank(parley, server_id, MANAGES, bob)
  const invite = (who: Person, gifts: object) => who.post('/api/invites', { server_id, ...gifts })
  const enter = async (code: string) => {
    const newcomer = await passerBy(parley, 'mallory')
    const { status } = await newcomer.post(`/api/invites/${code}/join`)
    return { newcomer, status }
  }
  const rolesOf = async ({ id }: Person) =>
    (await alice.get(`${path}/members/${id}/roles`)).body.map(({ name }: any) => name)
  const isMember = async (who: Person) => (await who.get(path)).status === 200
  return { ...home, path, owls, managers, invite, enter, rolesOf, isMember }
}

/** Lets the time of a temporary membership come. */
const pass = ({ id }: Person) => sql`update temporary_members set due_at = now() where user_id = ${id}`
const minutesLeft = async ({ id }: Person) => {
  const [row] = await sql<{ minutes: number }[]>`
    select round(extract(epoch from due_at - now()) / 60)::int as minutes from temporary_members where user_id = ${id}`
  return row?.minutes
}

test('an invite gives its role as long as its maker may give it, and the log names invite and maker', async () => {
  const { server_id, path, owls, managers, invite, enter, rolesOf } = await aviary()
  const { status, body } = await invite(bob, { role_id: owls })
  expect([status, body.role_id, body.temporary]).toEqual([201, owls, null])
  const live = await connect(alice)
  const { newcomer } = await enter(body.code)
  expect((await live.next('member.joined')).d).toMatchObject({ user: { id: newcomer.id }, role_ids: [owls] })
  live.close()
  const [entry] = (await alice.get(`${path}/audit-log?action=invite.used`)).body
  expect(entry).toMatchObject({ actor: { id: newcomer.id }, target_type: 'invite', target_id: body.id })
  expect(entry.changes).toMatchObject({ creator_id: { after: bob.id }, role_id: { after: owls } })

  await alice.put(`/api/roles/${managers}`, { position: 1 })
  expect(await rolesOf((await enter(body.code)).newcomer)).toEqual(['everyone'])
  await alice.put(`/api/roles/${managers}`, { position: 2, permissions: permissions('create_invite') })
  expect(await rolesOf((await enter(body.code)).newcomer)).toEqual(['everyone'])
  await alice.put(`/api/roles/${managers}`, { permissions: MANAGES })
  expect(await rolesOf((await enter(body.code)).newcomer)).toEqual(['everyone', 'Owls'])
  await alice.put(`${path}/members/${bob.id}`, { held_back: 'quarantined' })
  expect(await rolesOf((await enter(body.code)).newcomer)).toEqual(['everyone'])
  await alice.put(`${path}/members/${bob.id}`, { held_back: null })
  await alice.put(`/api/roles/${owls}`, { self_assignable: false, permissions: permissions('manage_messages') })
  expect(await rolesOf((await enter(body.code)).newcomer)).toEqual(['everyone'])
  await alice.delete(`/api/roles/${owls}`)
  expect((await enter(body.code)).status).toBe(201)
  const [listed] = (await alice.get(`${path}/invites`)).body
  expect([listed.id, listed.role_id, listed.server_id]).toEqual([body.id, null, server_id])
})

test('only who manages roles below its own gives one by an invite, and only one that members can pick', async () => {
  const { path, owls, managers, invite } = await aviary()
  const mallory = await passerBy(parley, 'mallory')
  const { code } = (await invite(alice, {})).body
  await mallory.post(`/api/invites/${code}/join`)
  expect((await invite(mallory, {})).status).toBe(201)
  expect(codeOf(await invite(mallory, { role_id: owls }))).toEqual([403, 'missing_permission'])
  const strong = (await alice.post(`${path}/roles`, { name: 'Keepers', permissions: MANAGES })).body.id
  for (const role_id of [strong, managers]) expect((await invite(bob, { role_id })).body.code).toBe('validation_failed')
  const high = (await alice.post(`${path}/roles`, { name: 'High', self_assignable: true })).body.id
  await alice.put(`/api/roles/${high}`, { position: 9 })
  expect(codeOf(await invite(bob, { role_id: high }))).toEqual([403, 'forbidden'])
  const other = await aviary()
  expect((await invite(alice, { role_id: other.owls })).body.code).toBe('validation_failed')
  expect(codeOf(await invite(alice, { role_id: 999_999 }))).toEqual([404, 'not_found'])
  for (const temporary of ['week', 1, {}])
    expect(codeOf(await invite(alice, { temporary }))).toEqual([422, 'validation_failed'])
})

test('a member for a day is removed afterwards and notified, unless a moderator has given it a role', async () => {
  const { path, owls, managers, invite, enter, isMember } = await aviary()
  const { body } = await invite(alice, { temporary: 'day', role_id: owls })
  expect((await alice.get(`/api/invites/${body.code}`)).body.temporary).toBe('day')
  const [{ newcomer }, { newcomer: trusted }] = [await enter(body.code), await enter(body.code)]
  expect(await minutesLeft(newcomer)).toBe(24 * 60)
  await parley.sweep()
  expect(await isMember(newcomer)).toBe(true)
  // A role that members pick does not count.
  await alice.post(`${path}/members/${trusted.id}/roles/${managers}`)
  await pass(newcomer)
  await pass(trusted)
  const live = await connect(newcomer)
  await parley.sweep()
  expect((await live.next('membership.ended')).d).toMatchObject({ cause: 'expired', reason: null })
  live.close()
  expect([await isMember(newcomer), await isMember(trusted)]).toEqual([false, true])
  expect(await minutesLeft(trusted)).toBeUndefined()
  const [entry] = (await alice.get(`${path}/audit-log?action=member.expired`)).body
  expect([entry.actor.id, entry.target_id]).toEqual([newcomer.id, newcomer.id])
  expect((await newcomer.post(`/api/invites/${body.code}/join`)).status).toBe(201)
})

test('a member for a call stays while it lasts, and five minutes longer', async () => {
  const { server_id, invite, enter, isMember } = await aviary()
  const voice = await voiceChannel(alice, server_id, 'Perch')
  const { body } = await invite(alice, { temporary: 'call' })
  const { newcomer } = await enter(body.code)
  expect(await minutesLeft(newcomer)).toBe(24 * 60)
  const { gateway } = await inVoice(newcomer, voice)
  expect(await minutesLeft(newcomer)).toBe(5)
  await pass(newcomer)
  await parley.sweep()
  expect(await minutesLeft(newcomer)).toBe(5)
  await gateway.command('voice.leave')
  await parley.sweep()
  expect(await isMember(newcomer)).toBe(true)
  await pass(newcomer)
  await parley.sweep()
  expect(await isMember(newcomer)).toBe(false)
  gateway.close()
})

test('a temporary member makes no invite to come back by', async () => {
  const { server_id, invite, enter } = await aviary()
  const { newcomer } = await enter((await invite(alice, { temporary: 'day' })).body.code)
  expect(codeOf(await newcomer.post('/api/invites', { server_id }))).toEqual([403, 'forbidden'])
})
