import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  ALL_PERMISSIONS,
  bitOf,
  contains,
  difference,
  EVERYONE_PERMISSIONS,
  holds,
  type Permission,
  permissionBits,
  permissionNames,
  permissions,
  union,
  without,
} from '../../src/core/permissions.ts'
import { standard } from '../support/harness.ts'
import { cleanUp } from '../support/deadlocks.ts'

const parley = await standard()
const { sql } = parley.parts
const names = permissionNames
const bits: number[] = Object.values(permissionBits)
const sumOf = (positions: number[]) => positions.reduce((sum, bit) => sum + 2 ** bit, 0)

test('the permission bits have their published positions, in the code and in the database', async () => {
  expect(permissionBits).toEqual({
    create_invite: 0,
    kick_members: 1,
    ban_members: 2,
    administrator: 3,
    manage_channels: 4,
    manage_server: 5,
    add_reactions: 6,
    view_audit_log: 7,
    share_screen: 9,
    view_channel: 10,
    send_messages: 11,
    manage_messages: 13,
    attach_files: 15,
    read_history: 16,
    mention_everyone: 17,
    use_external_emoji: 18,
    connect: 20,
    speak: 21,
    mute_members: 22,
    deafen_members: 23,
    move_members: 24,
    change_nickname: 26,
    manage_nicknames: 27,
    manage_roles: 28,
    manage_webhooks: 29,
    manage_emoji: 30,
    use_commands: 31,
    manage_events: 33,
    manage_threads: 34,
    create_threads: 35,
    send_in_threads: 38,
    moderate_members: 40,
    use_soundboard: 42,
    create_events: 44,
    send_polls: 49,
    pin_messages: 51,
  })
  const named = await sql<{ name: string; bit: number }[]>`
    select name, permission_bit(name) as bit from unnest(${Object.keys(permissionBits)}::text[]) name`
  expect(Object.fromEntries(named.map(({ name, bit }) => [name, Math.log2(bit)]))).toEqual(permissionBits)
  await expect(sql`select permission_bit('view_chanel')`.execute()).rejects.toThrow('no permission called view_chanel')
  const [row] = await sql<{ every: number }[]>`select all_permissions() as every`
  expect(row?.every).toBe(ALL_PERMISSIONS)
  expect(ALL_PERMISSIONS).toBe(sumOf(bits))
  expect(EVERYONE_PERMISSIONS).toBe(sumOf([0, 6, 9, 10, 11, 15, 16, 18, 20, 21, 26, 31, 35, 38, 42, 49]))
})

test('a sum of bits holds its bits and no other, in the code as in the database', async () => {
  fc.assert(
    fc.property(fc.subarray(names), (chosen) => {
      const sum = permissions(...chosen)
      expect(names.filter((name) => holds(sum, name))).toEqual(chosen)
    }),
  )
  const sums = Array.from({ length: 200 }, (_, at) =>
    Number(BigInt(ALL_PERMISSIONS) & (0x9e3779b97f4a7n * BigInt(at * at))),
  )
  const rows = await sql<{ sum: number; held: Permission[]; sees: boolean }[]>`
    select sum, array(select name from unnest(${names}::text[]) name where holds(sum, name)) as held,
      can_view(sum) as sees
    from unnest(${sums}::bigint[]) sum`
  expect(rows.length).toBe(sums.length)
  for (const { sum, held, sees } of rows) {
    expect(held).toEqual(names.filter((name) => holds(sum, name)))
    expect(sees).toBe(holds(sum, 'view_channel'))
  }
})

test('each bit is distinct, can be removed from any sum and added to it, also above 32 bits', async () => {
  const rows = await sql<{ name: Permission; sum: number; held: Permission[]; rest: number; back: number }[]>`
    select name, permission_bit(name) as sum,
      array(select other from unnest(${names}::text[]) other where holds(permission_bit(name), other)) as held,
      permissions_of(false, all_permissions() & ~8::bigint, 0, permission_bit(name), 0, 0, false, null, false) as rest,
      permissions_of(false, 0, 0, 0, permission_bit(name), 0, false, null, false) as back
    from unnest(${names}::text[]) name`
  expect(rows.map((row) => row.name)).toEqual(names)
  const all = ALL_PERMISSIONS - bitOf('administrator')
  for (const { name, sum, held, rest, back } of rows) {
    expect([sum, back, permissions(name), union(sum, sum)]).toEqual(Array(4).fill(2 ** permissionBits[name]))
    expect([held, names.filter((other) => holds(sum, other))]).toEqual([[name], [name]])
    expect([without(all, sum), name === 'administrator' ? rest : difference(all, sum)]).toEqual([rest, rest])
    expect([contains(all, sum), contains(rest, sum)]).toEqual([name !== 'administrator', false])
    expect(union(rest, sum)).toBe(name === 'administrator' ? ALL_PERMISSIONS : all)
  }
})

test('no source file names a permission bit in SQL by its position', async () => {
  const files = [...new Bun.Glob('src/**/*.ts').scanSync()]
  const texts = await Promise.all(files.map(async (file) => [file, await Bun.file(file).text()] as const))
  expect(texts.filter(([, text]) => /\(1 << \d+\)/.test(text)).map(([file]) => file)).toEqual([])
})

interface Scene {
  owner: number
  /** The first is everyone's; the position of each other role is its index. */
  roles: bigint[]
  /** The roles of each member, by index. */
  members: number[][]
  /** The overwrites of each channel, by the role's index. */
  channels: ({ allow: bigint; deny: bigint } | null)[][]
}

const MEMBERS = 4
const aSum = fc.subarray(bits).map((chosen) => chosen.reduce((sum, bit) => sum | (1n << BigInt(bit)), 0n))
/** Administrators are rare, because they make everything else irrelevant. */
const aRole = fc.tuple(aSum, fc.nat(5)).map(([sum, chance]) => (chance === 0 ? sum | 8n : sum & ~8n))
const anOverwrite = fc.option(
  fc.tuple(aSum, aSum).map(([allow, deny]) => ({ allow, deny: deny & ~allow })),
  { freq: 2 },
)
const aScene: fc.Arbitrary<Scene> = fc.integer({ min: 1, max: 5 }).chain((count) => {
  const assigned = Array.from({ length: count - 1 }, (_, at) => at + 1)
  return fc.record({
    owner: fc.nat(MEMBERS - 1),
    roles: fc.array(aRole, { minLength: count, maxLength: count }),
    members: fc.array(fc.subarray(assigned), { minLength: MEMBERS, maxLength: MEMBERS }),
    channels: fc.array(fc.array(anOverwrite, { minLength: count, maxLength: count }), { minLength: 1, maxLength: 3 }),
  })
})

/** The published rules, written out. */
function resolve({ owner, roles, members, channels }: Scene, member: number, channel?: number): bigint {
  const every = BigInt(ALL_PERMISSIONS)
  if (owner === member) return every
  const mine = members[member] ?? []
  let effective = roles[0] ?? 0n
  for (const role of mine) effective |= roles[role] ?? 0n
  if ((effective & 8n) !== 0n) return every
  if (channel === undefined) return effective
  const overwrites = channels[channel] ?? []
  const everyone = overwrites[0]
  if (everyone) effective = (effective & ~everyone.deny) | everyone.allow
  for (const role of mine) effective &= ~(overwrites[role]?.deny ?? 0n)
  for (const role of mine) effective |= overwrites[role]?.allow ?? 0n
  return effective
}

const users = (
  await sql<{ id: number }[]>`insert into users (username, email, password_hash, display_name)
    select 'scene' || n, 'scene' || n || '@example.org', '', 'Otter' from generate_series(1, ${MEMBERS}::int) n
    returning id`
).map((row) => row.id)
const userAt = (member: number) => users[member] as number

/** Inserts a scene into the database. */
async function stage({ owner, roles, members, channels }: Scene) {
  const [server] = await sql<{ id: number }[]>`
    insert into servers (name, owner_id) values ('Scene', ${userAt(owner)}) returning id`
  const server_id = (server as { id: number }).id
  await sql`insert into members ${sql(users.map((user_id) => ({ server_id, user_id })))}`
  const roleIds = (
    await sql<{ id: number }[]>`
      insert into roles (server_id, name, permissions, position, is_everyone)
      select ${server_id}::bigint, 'role', permissions, at - 1, at = 1
      from unnest(${roles.map(Number)}::bigint[]) with ordinality as given (permissions, at) returning id`
  ).map((row) => row.id)
  const memberRoles = members.flatMap((mine, member) =>
    mine.map((role) => ({ server_id, user_id: userAt(member), role_id: roleIds[role] as number })),
  )
  if (memberRoles.length > 0) await sql`insert into member_roles ${sql(memberRoles)}`
  const channelIds: number[] = []
  for (const [at, overwrites] of channels.entries()) {
    const [channel] = await sql<{ id: number }[]>`
      insert into channels (server_id, name, type, position)
      values (${server_id}, ${`c${at}`}, 'text', ${at}) returning id`
    const channel_id = (channel as { id: number }).id
    channelIds.push(channel_id)
    const rows = overwrites.flatMap((overwrite, role) =>
      overwrite
        ? [
            {
              channel_id,
              role_id: roleIds[role] as number,
              allow: Number(overwrite.allow),
              deny: Number(overwrite.deny),
            },
          ]
        : [],
    )
    if (rows.length > 0) await sql`insert into overwrites ${sql(rows)}`
  }
  return { server_id, channelIds, unstage: () => cleanUp(() => sql`delete from servers where id = ${server_id}`) }
}

async function compare(scene: Scene, { server_id, channelIds }: { server_id: number; channelIds: number[] }) {
  const inServer = await sql<{ user_id: number; permissions: number; position: number; is_owner: boolean }[]>`
    select user_id, permissions, position, is_owner from member_permissions where server_id = ${server_id}`
  const inChannels = await sql<{ user_id: number; channel_id: number; permissions: number }[]>`
    select user_id, channel_id, permissions from channel_permissions where server_id = ${server_id}`
  expect([inServer.length, inChannels.length]).toEqual([MEMBERS, MEMBERS * channelIds.length])
  for (const { user_id, ...answer } of inServer) {
    const member = users.indexOf(user_id)
    expect(answer).toEqual({
      permissions: Number(resolve(scene, member)),
      position: Math.max(0, ...(scene.members[member] ?? [])),
      is_owner: scene.owner === member,
    })
  }
  for (const { user_id, channel_id, permissions: permissionSum } of inChannels)
    expect(permissionSum).toBe(Number(resolve(scene, users.indexOf(user_id), channelIds.indexOf(channel_id))))
}

test('the database resolves permissions by the published rules, in any server and channel', async () => {
  await fc.assert(
    fc.asyncProperty(aScene, aScene, async (one, other) => {
      const staged = [await stage(one), await stage(other)] as const
      await compare(one, staged[0])
      await compare(other, staged[1])
      for (const { unstage } of staged) await unstage()
    }),
    { numRuns: 60 },
  )
})

const NOTHING = { allow: 0n, deny: BigInt(ALL_PERMISSIONS) }

test('the owner and an administrator hold every bit in a channel that denies everyone everything', async () => {
  const scene: Scene = {
    owner: 0,
    roles: [BigInt(EVERYONE_PERMISSIONS), 8n],
    members: [[], [1], [], []],
    channels: [[NOTHING, NOTHING]],
  }
  const staged = await stage(scene)
  const rows = await sql<{ user_id: number; permissions: number }[]>`
    select user_id, permissions from channel_permissions where server_id = ${staged.server_id} order by user_id`
  expect(rows.map((row) => row.permissions)).toEqual([ALL_PERMISSIONS, ALL_PERMISSIONS, 0, 0])
  await staged.unstage()
})

test('the administrator bit in an overwrite makes nobody an administrator', async () => {
  const everyone = BigInt(EVERYONE_PERMISSIONS)
  const scene: Scene = { owner: 0, roles: [everyone], members: [[], [], [], []], channels: [[{ allow: 8n, deny: 0n }]] }
  const staged = await stage(scene)
  const [row] = await sql<{ permissions: number }[]>`
    select permissions from channel_permissions where channel_id = ${staged.channelIds[0] as number}
      and user_id = ${userAt(1)}`
  expect(row?.permissions).toBe(EVERYONE_PERMISSIONS + 8)
  await staged.unstage()
})

test('among a member’s roles an allow beats a deny, and both beat the overwrite of everyone', async () => {
  const view = 1n << 10n
  const scene: Scene = {
    owner: 0,
    roles: [view, 0n, 0n],
    members: [[], [1], [1, 2], []],
    channels: [
      [
        { allow: 0n, deny: 0n },
        { allow: 0n, deny: view },
        { allow: view, deny: 0n },
      ],
    ],
  }
  const staged = await stage(scene)
  const rows = await sql<{ seen: boolean }[]>`
    select permissions & ${Number(view)} <> 0 as seen from channel_permissions
    where server_id = ${staged.server_id} order by user_id`
  expect(rows.map((row) => row.seen)).toEqual([true, false, true, true])
  await staged.unstage()
})
