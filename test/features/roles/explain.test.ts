import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  ALL_PERMISSIONS,
  bitOf,
  contains,
  holds,
  permissionNames,
  permissions,
  union,
  without,
} from '../../../src/core/permissions.ts'
import { person, standard } from '../../support/harness.ts'
import { passerBy, place, rank } from '../../support/places.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob, mallory] = [
  await person(parley, 'alice'),
  await passerBy(parley, 'bob'),
  await passerBy(parley, 'mallory'),
]

test('each bit is explained by the owner, an administrator, a role, an overwrite, or nothing', async () => {
  const { server_id, channel_id, everyone } = await place(alice, bob, mallory)
  const role = await rank(parley, server_id, permissions('kick_members'), bob)
  const path = `/api/channels/${channel_id}/permissions`
  await alice.put(`${path}/${everyone}`, { deny: permissions('send_messages', 'attach_files') })
  await alice.put(`${path}/${role}`, { allow: permissions('attach_files'), deny: permissions('speak') })
  const because = async (userId: number) => {
    const { status, body } = await alice.get(`${path}/explain?user_id=${userId}`)
    expect([status, body.user_id]).toEqual([200, userId])
    return Object.fromEntries(body.bits.map((bit: any) => [bit.name, [bit.allowed, bit.because]]))
  }
  expect(await because(bob.id)).toMatchObject({
    kick_members: [true, { role }],
    view_channel: [true, { role: everyone }],
    send_messages: [false, { overwrite: everyone }],
    attach_files: [true, { overwrite: role }],
    speak: [false, { overwrite: role }],
    ban_members: [false, 'not_granted'],
  })
  expect((await because(alice.id)).send_messages).toEqual([true, 'owner'])
  await sql`update roles set permissions = ${permissions('administrator')} where id = ${role}`
  expect((await because(bob.id)).speak).toEqual([true, 'administrator'])
})

test('a member may ask about itself; about others with manage_roles in the channel', async () => {
  const { server_id, channel_id } = await place(alice, bob, mallory)
  const path = `/api/channels/${channel_id}/permissions/explain`
  expect((await mallory.get(path)).body.user_id).toBe(mallory.id)
  expect((await mallory.get(`${path}?user_id=${mallory.id}`)).status).toBe(200)
  expect((await mallory.get(`${path}?user_id=${bob.id}`)).body.code).toBe('missing_permission')
  await rank(parley, server_id, permissions('manage_roles'), mallory)
  expect((await mallory.get(`${path}?user_id=${bob.id}`)).status).toBe(200)
  expect((await mallory.get(`${path}?user_id=999999`)).status).toBe(404)
  expect((await mallory.get(`${path}?user_id=1e1`)).status).toBe(422)
})

interface SetUp {
  everyone: number
  roles: { permissions: number; held: boolean; allow: number; deny: number; overwritten: boolean }[]
  allow: number
  deny: number
  /** The overwrite for the member, and its category's. */
  own: { allow: number; deny: number }
  above: { allow: number; deny: number }
}

/** The permission rule, written again in TypeScript, to check the view. */
function resolved({ everyone, roles, allow, deny, own, above }: SetUp): number {
  const heldRoles = roles.filter((role) => role.held)
  const base = union(everyone, ...heldRoles.map((role) => role.permissions))
  if (holds(base, 'administrator')) return ALL_PERMISSIONS
  const special = heldRoles.filter((role) => role.overwritten)
  const general = union(without(base, deny), allow)
  const ofRoles = union(
    without(general, union(...special.map((role) => role.deny))),
    ...special.map((role) => role.allow),
  )
  const ofCategory = union(without(ofRoles, above.deny), above.allow)
  return union(without(ofCategory, own.deny), own.allow)
}

const bits = fc.subarray(permissionNames).map((names) => permissions(...names))
// Administrators make every question trivial, so they are rare.
const most = fc
  .tuple(bits, fc.integer({ min: 0, max: 9 }))
  .map(([sum, dice]) => (dice === 0 ? sum : without(sum, permissions('administrator'))))
const overwritten = fc.tuple(bits, bits).map(([allow, deny]) => ({ allow, deny: without(deny, allow) }))
const setUp: fc.Arbitrary<SetUp> = fc
  .record({
    everyone: most,
    ofEveryone: overwritten,
    own: overwritten,
    above: overwritten,
    roles: fc.array(
      fc
        .record({ permissions: most, held: fc.boolean(), overwritten: fc.boolean(), own: overwritten })
        .map(({ own, ...role }) => ({ ...role, ...own })),
      { maxLength: 4 },
    ),
  })
  .map(({ ofEveryone, ...rest }) => ({ ...rest, ...ofEveryone }))

test('for any roles and overwrites the view follows the rule, and the explanation agrees with the sum', async () => {
  const { server_id, channel_id, everyone } = await place(alice, bob)
  const [{ id: category }] = await sql<[{ id: number }]>`insert into channels (server_id, name, type, position)
    values (${server_id}, 'Birds', 'category', 0) returning id`
  await sql`update channels set parent_id = ${category} where id = ${channel_id}`
  await fc.assert(
    fc.asyncProperty(setUp, async (setup) => {
      await sql`delete from roles where server_id = ${server_id} and not is_everyone`
      await sql`update roles set permissions = ${setup.everyone} where id = ${everyone}`
      const { allow, deny } = setup
      await sql`insert into overwrites ${sql({ channel_id, role_id: everyone, allow, deny })}
        on conflict (channel_id, role_id) do update set allow = excluded.allow, deny = excluded.deny`
      for (const role of setup.roles) {
        const role_id = await rank(parley, server_id, role.permissions, ...(role.held ? [bob] : []))
        const row = { channel_id, role_id, allow: role.allow, deny: role.deny }
        if (role.overwritten) await sql`insert into overwrites ${sql(row)}`
      }
      for (const [at, sums] of [
        [channel_id, setup.own],
        [category, setup.above],
      ] as const)
        await sql`insert into member_overwrites ${sql({ server_id, channel_id: at, user_id: bob.id, ...sums })}
          on conflict (channel_id, user_id) do update set allow = excluded.allow, deny = excluded.deny`
      const expected = resolved(setup)
      const [row] = await sql<[{ permissions: number }]>`select permissions from channel_permissions
        where channel_id = ${channel_id} and user_id = ${bob.id}`
      expect(row.permissions).toBe(expected)
      const { body } = await alice.get(`/api/channels/${channel_id}/permissions/explain?user_id=${bob.id}`)
      expect(body.permissions).toBe(expected)
      expect(body.bits.map((bit: any) => bit.name)).toEqual(permissionNames)
      await expectReasons(channel_id, body.bits)
    }),
    { numRuns: 60 },
  )
})

/** Each reason is true: the named role or overwrite does what the explanation says. */
async function expectReasons(channel_id: number, explained: any[]) {
  for (const { name, allowed, because } of explained) {
    const bit = bitOf(name)
    if (because === 'administrator') expect(allowed).toBe(true)
    else if (because === 'not_granted') expect(allowed).toBe(false)
    else if (because.role) {
      const [role] = await sql<[{ permissions: number }]>`select permissions from roles where id = ${because.role}`
      expect([allowed, contains(role.permissions, bit)]).toEqual([true, true])
    } else if (because.member_overwrite_at) {
      const [row] = await sql<[{ allow: number; deny: number }]>`select allow, deny from member_overwrites
        where channel_id = ${because.member_overwrite_at} and user_id = ${bob.id}`
      expect(contains(allowed ? row.allow : row.deny, bit)).toBe(true)
    } else {
      const [row] = await sql<[{ allow: number; deny: number }]>`select allow, deny from overwrites
        where channel_id = ${channel_id} and role_id = ${because.overwrite}`
      expect(contains(allowed ? row.allow : row.deny, bit)).toBe(true)
    }
  }
}
