import { expect, test } from 'bun:test'
import { ALL_PERMISSIONS, EVERYONE_PERMISSIONS, permissions, without } from '../../../src/core/permissions.ts'
import { type Person, person, standard } from '../../support/harness.ts'
import { addRule, wordsRule } from '../../support/automod.ts'
import { passerBy, place, rank } from '../../support/places.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const [alice, bob, mallory] = [
  await person(parley, 'alice'),
  await passerBy(parley, 'bob'),
  await passerBy(parley, 'mallory'),
]
const codeOf = ({ status, body }: { status: number; body: any }) => [status, body?.code]
const VIEW = permissions('view_channel')
const STRONG = ['pin_messages', 'manage_messages', 'mention_everyone', 'administrator', 'manage_roles'] as const

/** A server with a self-assignable role, a private channel and a category with a channel. */
async function aviary() {
  const home = await place(alice, bob, mallory)
  const { server_id } = home
  const role = async (body: object) => (await alice.post(`/api/servers/${server_id}/roles`, body)).body
  const channel = async (body: object) => (await alice.post(`/api/servers/${server_id}/channels`, body)).body
  const birds = await role({ name: 'Birds', self_assignable: true })
  const hide = (id: number) => alice.put(`/api/channels/${id}/permissions/${home.everyone}`, { deny: VIEW })
  const secret = await channel({ name: 'secret', type: 'text' })
  await hide(secret.id)
  const category = await channel({ name: 'Nests', type: 'category' })
  const nest = await channel({ name: 'nest', type: 'text', parent_id: category.id })
  await hide(category.id)
  const pick = (who: Person, id = birds.id) => who.put(`/api/servers/${server_id}/members/@me/roles/${id}`)
  const drop = (who: Person, id = birds.id) => who.delete(`/api/servers/${server_id}/members/@me/roles/${id}`)
  const allow = (id: number, bits: number, confirm_opens?: number[]) =>
    alice.put(`/api/channels/${id}/permissions/${birds.id}`, { allow: bits, ...(confirm_opens && { confirm_opens }) })
  return { ...home, role, channel, birds, secret, category, nest, pick, drop, allow }
}

test('a member picks a self-assignable role and gives it back, and others are not picked', async () => {
  const { server_id, birds, role, pick, drop } = await aviary()
  expect(birds).toMatchObject({ self_assignable: true, permissions: 0 })
  const live = await connect(alice)
  const { status, body } = await pick(bob)
  expect([status, body.role_ids]).toEqual([200, [birds.id]])
  expect((await live.next('member.updated')).d).toMatchObject({ user: { id: bob.id }, role_ids: [birds.id] })
  live.close()
  expect((await pick(bob)).body.role_ids).toEqual([birds.id])
  expect((await drop(bob)).status).toBe(204)
  expect(codeOf(await drop(bob))).toEqual([404, 'not_found'])
  const staff = await role({ name: 'Staff' })
  expect(codeOf(await pick(bob, staff.id))).toEqual([403, 'forbidden'])
  expect(codeOf(await drop(bob, staff.id))).toEqual([403, 'forbidden'])
  const other = await place(alice)
  const { body: foreign } = await alice.post(`/api/servers/${other.server_id}/roles`, {
    name: 'X',
    self_assignable: true,
  })
  expect(codeOf(await pick(bob, foreign.id))).toEqual([404, 'not_found'])
  const { body: members } = await alice.get(`/api/servers/${server_id}/members`)
  expect(members.flatMap((member: any) => member.role_ids)).toEqual([])
})

test('members keep a role that is no longer self-assignable, until a moderator takes it back', async () => {
  const { server_id, birds, pick, drop } = await aviary()
  expect((await pick(bob)).status).toBe(200)
  const change = { self_assignable: false, permissions: permissions('manage_messages') }
  expect((await alice.put(`/api/roles/${birds.id}`, change)).status).toBe(200)
  const path = `/api/servers/${server_id}/members/${bob.id}/roles`
  const ids = async () => (await bob.get(path)).body.map(({ id }: { id: number }) => id)
  expect(await ids()).toContain(birds.id)
  expect(codeOf(await drop(bob))).toEqual([403, 'forbidden'])
  expect(codeOf(await pick(mallory))).toEqual([403, 'forbidden'])
  expect((await alice.delete(`${path}/${birds.id}`)).status).toBe(204)
  expect(await ids()).not.toContain(birds.id)
})

test('members who are held back or timed out pick nothing and give nothing back', async () => {
  const { server_id, pick, drop } = await aviary()
  await pick(bob)
  const limit = (body: object) => alice.put(`/api/servers/${server_id}/members/${bob.id}`, body)
  await limit({ held_back: 'quarantined' })
  expect([codeOf(await pick(bob)), codeOf(await drop(bob))]).toEqual(Array(2).fill([403, 'forbidden']))
  await limit({ held_back: null })
  await limit({ timed_out_until: new Date(Date.now() + 60_000).toISOString() })
  expect([codeOf(await pick(bob)), codeOf(await drop(bob))]).toEqual(Array(2).fill([403, 'forbidden']))
})

test('a self-assignable role never gets a permission that everyone does not start with', async () => {
  const { server_id, birds, role, secret, nest, category, allow } = await aviary()
  const create = (body: object) => alice.post(`/api/servers/${server_id}/roles`, { name: 'X', ...body })
  for (const name of STRONG) {
    const bits = permissions(name)
    expect(codeOf(await create({ self_assignable: true, permissions: bits }))).toEqual([422, 'role_too_strong'])
    expect(codeOf(await alice.put(`/api/roles/${birds.id}`, { permissions: bits }))).toEqual([422, 'role_too_strong'])
    for (const { id } of [secret, nest, category])
      expect(codeOf(await allow(id, bits))).toEqual([422, 'role_too_strong'])
    const strong = await role({ name: 'Strong', permissions: bits })
    expect(codeOf(await alice.put(`/api/roles/${strong.id}`, { self_assignable: true }))).toEqual([
      422,
      'role_too_strong',
    ])
    const pinners = await role({ name: 'Pinners' })
    await alice.put(`/api/channels/${secret.id}/permissions/${pinners.id}`, { allow: bits })
    expect(codeOf(await alice.put(`/api/roles/${pinners.id}`, { self_assignable: true }))).toEqual([
      422,
      'role_too_strong',
    ])
  }
  expect((await alice.put(`/api/roles/${birds.id}`, { permissions: EVERYONE_PERMISSIONS })).status).toBe(200)
  const { body: roles } = await alice.get(`/api/servers/${server_id}/roles`)
  expect(codeOf(await alice.put(`/api/roles/${roles[0].id}`, { self_assignable: true }))).toEqual([
    422,
    'role_too_strong',
  ])
  const [row] = await parley.parts.sql<{ starting: number }[]>`select starting_permissions() as starting`
  expect(row?.starting).toBe(EVERYONE_PERMISSIONS)
  expect(without(ALL_PERMISSIONS, EVERYONE_PERMISSIONS)).toBeGreaterThan(0)
})

test('a self-assignable role exempts nobody from automod, whichever comes first', async () => {
  const { server_id, birds, role } = await aviary()
  const rule = { ...wordsRule(['heron']), exempt_role_ids: [birds.id] }
  expect(codeOf(await alice.post(`/api/servers/${server_id}/automod`, rule))).toEqual([422, 'role_too_strong'])
  const exempt = await role({ name: 'Exempt' })
  await addRule(alice, server_id, { ...wordsRule(['heron']), exempt_role_ids: [exempt.id] })
  expect(codeOf(await alice.put(`/api/roles/${exempt.id}`, { self_assignable: true }))).toEqual([
    422,
    'role_too_strong',
  ])
})

test('a channel is opened to everybody by an overwrite only if it is named', async () => {
  const { birds, secret, category, nest, allow, pick } = await aviary()
  const refused = await allow(secret.id, VIEW)
  expect(codeOf(refused)).toEqual([409, 'opens_channels'])
  expect(refused.body.errors).toEqual([{ path: 'body.confirm_opens', message: `Must contain ${secret.id}` }])
  expect(codeOf(await allow(secret.id, VIEW, [nest.id]))).toEqual([409, 'opens_channels'])
  await pick(bob)
  expect((await bob.get(`/api/channels/${secret.id}`)).status).toBe(404)
  expect((await allow(secret.id, VIEW, [secret.id])).status).toBe(200)
  expect((await bob.get(`/api/channels/${secret.id}`)).status).toBe(200)
  // The same again opens nothing more.
  expect((await allow(secret.id, permissions('view_channel', 'send_messages'))).status).toBe(200)
  const both = await allow(category.id, VIEW, [category.id])
  expect(both.body.errors.map(({ message }: any) => message)).toEqual([`Must contain ${nest.id}`])
  expect((await allow(category.id, VIEW, [category.id, nest.id])).status).toBe(200)
  expect((await bob.get(`/api/channels/${nest.id}`)).status).toBe(200)
  expect(birds.id).toBeGreaterThan(0)
})

test('a move, a deleted overwrite and a changed role open no channel that is not named', async () => {
  const { server_id, everyone, role, secret, category, nest, allow } = await aviary()
  await allow(category.id, VIEW, [category.id, nest.id])
  const move = (body: object) => alice.put(`/api/channels/${secret.id}`, { parent_id: category.id, ...body })
  expect(codeOf(await move({}))).toEqual([409, 'opens_channels'])
  const order = (confirm_opens?: boolean) =>
    alice.put(`/api/servers/${server_id}/channels/order`, [
      { id: secret.id, parent_id: category.id, position: 0, ...(confirm_opens ? { confirm_opens } : {}) },
    ])
  expect(codeOf(await order())).toEqual([409, 'opens_channels'])
  expect((await alice.get(`/api/channels/${secret.id}`)).body.parent_id).toBe(null)
  expect((await order(true)).status).toBe(200)
  expect((await alice.put(`/api/channels/${secret.id}`, { parent_id: null })).status).toBe(200)
  expect((await move({ confirm_opens: [secret.id] })).status).toBe(200)

  const guests = await role({ name: 'Members', permissions: VIEW })
  const opened = `/api/channels/${nest.id}/permissions/${guests.id}`
  await alice.put(`/api/channels/${category.id}/permissions/${guests.id}`, { allow: VIEW })
  await alice.put(opened, { deny: VIEW })
  const assign = (confirm_opens: number[]) =>
    alice.put(`/api/roles/${guests.id}`, { self_assignable: true, confirm_opens })
  expect(codeOf(await assign([]))).toEqual([409, 'opens_channels'])
  expect((await assign([category.id, secret.id])).status).toBe(200)
  expect(codeOf(await alice.delete(opened))).toEqual([409, 'opens_channels'])
  expect((await alice.delete(opened, { confirm_opens: [nest.id] })).status).toBe(204)

  const { body: roles } = await alice.get(`/api/servers/${server_id}/roles`)
  expect(roles[0].id).toBe(everyone)
  const close = await alice.put(`/api/roles/${everyone}`, { permissions: 0 })
  expect(codeOf(close)).toEqual([409, 'opens_channels'])
})

test('a self-assignable role has no rank: moderators below it act on whoever picks it', async () => {
  const { server_id, birds, pick } = await aviary()
  await rank(parley, server_id, permissions('kick_members', 'manage_roles'), bob)
  const { body: high } = await alice.put(`/api/roles/${birds.id}`, { position: 99 })
  expect(high.position).toBeGreaterThan(1)
  await pick(mallory)
  expect(codeOf(await mallory.put(`/api/servers/${server_id}/members/${bob.id}`, { nickname: 'x' }))).toEqual([
    403,
    'missing_permission',
  ])
  expect((await bob.delete(`/api/servers/${server_id}/members/${mallory.id}`)).status).toBe(204)
})

test('only who holds a role’s permissions makes it self-assignable, and a bot picks none', async () => {
  const { server_id, role, pick } = await aviary()
  await rank(parley, server_id, permissions('manage_roles', 'view_channel'), bob)
  const { body: roles } = await alice.get(`/api/servers/${server_id}/roles`)
  await alice.put(`/api/roles/${roles[0].id}`, { permissions: VIEW })
  const files = await role({ name: 'Files', permissions: permissions('attach_files') })
  expect(codeOf(await bob.put(`/api/roles/${files.id}`, { self_assignable: true }))).toEqual([
    403,
    'missing_permission',
  ])
  expect((await alice.put(`/api/roles/${files.id}`, { self_assignable: true })).status).toBe(200)
  const { body: application } = await alice.post('/api/applications', { name: 'Robin' })
  await alice.put(`/api/servers/${server_id}/applications/${application.id}`, { permissions: 0 })
  const bot = await fetch(`${parley.url}/api/servers/${server_id}/members/@me/roles/${files.id}`, {
    method: 'PUT',
    headers: { authorization: `Bot ${application.token}` },
  })
  expect([bot.status, ((await bot.json()) as any).code]).toEqual([403, 'not_for_bots'])
  expect((await pick(mallory, files.id)).status).toBe(200)
})

test('one of two concurrent changes that together make a self-assignable role strong is refused', async () => {
  const { server_id, role, channel } = await aviary()
  for (const strong of [{ permissions: permissions('manage_messages') }, undefined]) {
    const { id } = await role({ name: 'Owls' })
    const { id: channelId } = await channel({ name: `owls-${id}`, type: 'text' })
    const [first, second] = await Promise.all([
      alice.put(`/api/roles/${id}`, { self_assignable: true }),
      strong
        ? alice.put(`/api/roles/${id}`, strong)
        : alice.put(`/api/channels/${channelId}/permissions/${id}`, { allow: permissions('manage_messages') }),
    ])
    expect([first, second].map(({ status }) => status).toSorted()).toEqual([200, 422])
  }
  const { body: roles } = await alice.get(`/api/servers/${server_id}/roles`)
  expect(roles.filter((each: any) => each.self_assignable && each.permissions !== 0)).toEqual([])
})

test('a deleted category leaves its channels closed to the roles that everybody can pick', async () => {
  const { everyone, birds, role, category, nest, pick, server_id } = await aviary()
  // Everyone sees nothing, the birds see what their category does not deny them.
  await alice.put(`/api/channels/${category.id}/permissions/${everyone}`, {})
  await alice.put(`/api/channels/${category.id}/permissions/${birds.id}`, { deny: VIEW })
  await alice.put(`/api/roles/${everyone}`, { permissions: permissions('read_history') })
  const { body: channels } = await alice.get(`/api/servers/${server_id}/channels`)
  await alice.put(`/api/roles/${birds.id}`, { permissions: VIEW, confirm_opens: channels.map((each: any) => each.id) })
  await pick(bob)
  expect((await bob.get(`/api/channels/${nest.id}`)).status).toBe(404)
  expect((await alice.delete(`/api/channels/${category.id}`)).status).toBe(204)
  expect((await bob.get(`/api/channels/${nest.id}`)).status).toBe(404)
  await role({ name: 'Owls', self_assignable: true })
  expect((await bob.get(`/api/channels/${nest.id}`)).status).toBe(404)
})
