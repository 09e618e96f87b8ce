import { expect, test } from 'bun:test'
import { permissions } from '../../../src/core/permissions.ts'
import { person, type Person, say, standard } from '../../support/harness.ts'
import { passerBy, place, rank } from '../../support/places.ts'
import { race } from '../../support/races.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob, mallory] = [
  await person(parley, 'alice'),
  await passerBy(parley, 'bob'),
  await passerBy(parley, 'mallory'),
]
const view = permissions('view_channel')
const send = permissions('send_messages')

/** A server with a role of bob's with these bits, and the categories north and south. */
async function birds(bits = 0) {
  const home = await place(alice, bob, mallory)
  const role = await rank(parley, home.server_id, bits, bob)
  const channel = (draft: object) => alice.post(`/api/servers/${home.server_id}/channels`, { type: 'text', ...draft })
  const category = async (name: string): Promise<number> => (await channel({ name, type: 'category' })).body.id
  const [north, south] = [await category('north'), await category('south')]
  const within = async (parent_id: number | null, name: string): Promise<number> =>
    (await channel({ name, parent_id })).body.id
  const overwrite = (id: number, roleId: number, body: object) =>
    alice.put(`/api/channels/${id}/permissions/${roleId}`, body)
  const order = (who: Person, moves: object[]) => who.put(`/api/servers/${home.server_id}/channels/order`, moves)
  return { ...home, role, north, south, channel, within, overwrite, order }
}
const listed = async (who: Person, server_id: number): Promise<string[]> =>
  (await who.get(`/api/servers/${server_id}/channels?limit=100`)).body.map((row: any) => row.name)
const codeOf = ({ status, body }: { status: number; body: any }) => [status, body.code]

test('a category lists its channels behind it, and takes no messages', async () => {
  const { server_id, north, south, within, channel } = await birds()
  const auk = await within(south, 'auk')
  await within(north, 'owl')
  await within(null, 'tern')
  expect(await listed(bob, server_id)).toEqual(['general', 'tern', 'north', 'owl', 'south', 'auk'])
  expect((await bob.get(`/api/channels/${auk}`)).body).toMatchObject({ parent_id: south, position: 0, type: 'text' })
  expect((await bob.get(`/api/channels/${south}`)).body).toMatchObject({ parent_id: null, position: 1 })
  expect(codeOf(await alice.post(`/api/channels/${north}/messages`, { content: 'Hi' }))).toEqual([403, 'forbidden'])
  expect((await alice.get(`/api/channels/${north}/messages`)).body).toEqual([])
  for (const draft of [
    { name: 'x', type: 'category', parent_id: north },
    { name: 'x', parent_id: auk },
  ])
    expect(codeOf(await channel(draft))).toEqual([422, 'validation_failed'])
  const elsewhere = await birds()
  expect(codeOf(await channel({ name: 'x', parent_id: elsewhere.north }))).toEqual([422, 'validation_failed'])
  expect(codeOf(await channel({ name: 'x', parent_id: 2 ** 40 }))).toEqual([404, 'not_found'])
})

test('names are unique among the channels of one category', async () => {
  const { north, south, within, channel, order } = await birds()
  const [one, other] = [await within(north, 'auk'), await within(south, 'auk')]
  expect(codeOf(await channel({ name: 'auk', parent_id: north }))).toEqual([409, 'channel_name_taken'])
  expect((await channel({ name: 'north', type: 'category' })).status).toBe(201)
  expect(codeOf(await alice.put(`/api/channels/${one}`, { parent_id: south }))).toEqual([409, 'channel_name_taken'])
  expect((await alice.get(`/api/channels/${one}`)).body.parent_id).toBe(north)
  const renamed = await alice.put(`/api/channels/${one}`, { parent_id: south, name: 'owl' })
  expect(renamed.body).toMatchObject({ parent_id: south, name: 'owl', position: 1 })
  await alice.put(`/api/channels/${one}`, { parent_id: north, name: 'auk' })
  const swapped = await order(alice, [
    { id: one, parent_id: south, position: 0 },
    { id: other, parent_id: north, position: 0 },
  ])
  expect(swapped.body.map((row: any) => [row.id, row.parent_id])).toEqual([
    [one, south],
    [other, north],
  ])
})

test('a server has 50 categories, which do not count as channels', async () => {
  const { server_id, channel } = await birds()
  await sql`insert into channels (server_id, name, type, position)
    select ${server_id}, 'more', 'category', n from generate_series(2, 49) n`
  expect(codeOf(await channel({ name: 'fifty-one', type: 'category' }))).toEqual([409, 'too_many_categories'])
  await sql`insert into channels (server_id, name, type, position)
    select ${server_id}, 'c' || n, 'voice', n from generate_series(1, 499) n`
  expect(codeOf(await channel({ name: 'last' }))).toEqual([409, 'too_many_channels'])
})

test('many channels move at once, positions stay dense, and one bad move moves none', async () => {
  const { server_id, north, south, within, order, channel_id } = await birds()
  const [auk, owl] = [await within(north, 'auk'), await within(north, 'owl')]
  const moves = [
    { id: north, parent_id: null, position: 9 },
    { id: channel_id, parent_id: south, position: 1 },
    { id: owl, parent_id: south, position: 0 },
  ]
  const live = await connect(bob)
  expect((await order(alice, moves)).status).toBe(200)
  expect(await listed(bob, server_id)).toEqual(['south', 'owl', 'general', 'north', 'auk'])
  await live.settled()
  expect(live.of('channel.updated').map(({ d }) => [d.id, d.parent_id, d.position])).toEqual(
    expect.arrayContaining(
      [
        [south, null, 0],
        [north, null, 1],
        [owl, south, 0],
        [channel_id, south, 1],
        [auk, north, 0],
      ].filter(([id]) => id !== auk),
    ),
  )
  live.close()
  const back = { id: owl, parent_id: north, position: 0 }
  const bad: [object[], number, string][] = [
    [[back, { id: 2 ** 40, parent_id: null, position: 0 }], 404, 'not_found'],
    [[back, { id: auk, parent_id: 2 ** 40, position: 0 }], 404, 'not_found'],
    [[back, { id: auk, parent_id: owl, position: 0 }], 422, 'validation_failed'],
    [[back, { id: south, parent_id: north, position: 0 }], 422, 'validation_failed'],
    [[back, back], 422, 'validation_failed'],
    [[], 422, 'validation_failed'],
    [[{ id: owl, position: 0 }], 422, 'validation_failed'],
    [[{ ...back, position: 0.5 }], 422, 'validation_failed'],
  ]
  for (const [body, status, code] of bad) expect(codeOf(await order(alice, body))).toEqual([status, code])
  expect(await listed(bob, server_id)).toEqual(['south', 'owl', 'general', 'north', 'auk'])
  const elsewhere = await birds()
  const foreign = [{ id: elsewhere.channel_id, parent_id: null, position: 0 }]
  expect(codeOf(await order(alice, foreign))).toEqual([404, 'not_found'])
})

test('a hidden channel and a hidden category answer 404 to members who move channels', async () => {
  const { server_id, north, channel_id, everyone, within, overwrite, order } = await birds(
    permissions('manage_channels', 'manage_roles'),
  )
  const secret = await within(north, 'secret')
  await overwrite(north, everyone, { deny: view })
  const into = [{ id: channel_id, parent_id: north, position: 0 }]
  const out = [{ id: secret, parent_id: null, position: 0 }]
  for (const moves of [into, out]) expect(codeOf(await order(bob, moves))).toEqual([404, 'not_found'])
  expect((await bob.put(`/api/channels/${channel_id}`, { parent_id: north })).status).toBe(404)
  expect(await listed(bob, server_id)).toEqual(['general', 'south'])
})

test('a category’s overwrite of a bit holds in its channels, unless their own overwrites set that bit', async () => {
  const { north, everyone, role, within, overwrite } = await birds()
  const [auk, owl] = [await within(north, 'auk'), await within(north, 'owl')]
  await overwrite(north, everyone, { deny: send })
  await overwrite(owl, everyone, { allow: send })
  const may = async (who: Person, id: number) =>
    (await who.post(`/api/channels/${id}/messages`, { content: 'Hi' })).status === 201
  expect([await may(bob, auk), await may(bob, owl), await may(mallory, auk)]).toEqual([false, true, false])
  await overwrite(north, role, { allow: send })
  expect([await may(bob, auk), await may(mallory, auk)]).toEqual([true, false])
  const bits = (await bob.get(`/api/channels/${auk}/permissions/explain`)).body.bits
  const because = (name: string) => bits.find((bit: any) => bit.name === name).because
  expect(because('send_messages')).toEqual({ overwrite: role, at: north })
  const open = (await mallory.get(`/api/channels/${owl}/permissions/explain`)).body.bits
  expect(open.find((bit: any) => bit.name === 'send_messages').because).toEqual({ overwrite: everyone, at: owl })
})

test('members who see a channel of a hidden category see the category, and nobody else does', async () => {
  const { server_id, north, everyone, role, within, overwrite } = await birds()
  const [auk, owl] = [await within(north, 'auk'), await within(north, 'owl')]
  const [his, hers] = [await connect(bob), await connect(mallory)]
  await overwrite(north, everyone, { deny: view })
  expect([await listed(bob, server_id), await listed(mallory, server_id)]).toEqual(Array(2).fill(['general', 'south']))
  for (const live of [his, hers]) {
    await live.settled()
    expect(
      live
        .of('channel.deleted')
        .map(({ d }) => d.id)
        .toSorted(),
    ).toEqual([north, auk, owl].toSorted())
    live.frames.length = 0
  }
  await overwrite(owl, role, { allow: view })
  expect(await listed(bob, server_id)).toEqual(['general', 'north', 'owl', 'south'])
  expect((await bob.get(`/api/channels/${north}`)).status).toBe(200)
  const { bits } = (await bob.get(`/api/channels/${north}/permissions/explain`)).body
  expect(bits.find((bit: any) => bit.name === 'view_channel')).toMatchObject({ allowed: true, because: 'sees_channel' })
  await his.settled()
  expect(
    his
      .of('channel.created')
      .map(({ d }) => d.id)
      .toSorted(),
  ).toEqual([north, owl].toSorted())
  his.frames.length = 0
  expect((await alice.delete(`/api/channels/${owl}`)).status).toBe(204)
  await his.settled()
  expect(
    his
      .of('channel.deleted')
      .map(({ d }) => d.id)
      .toSorted(),
  ).toEqual([north, owl].toSorted())
  await hers.settled()
  expect(hers.frames.filter(({ t }) => t.startsWith('channel.'))).toEqual([])
  his.close()
  hers.close()
})

test('moving a channel into a hidden category hides it at once, and out of it shows it', async () => {
  const { north, channel_id, everyone, overwrite, order } = await birds()
  await overwrite(north, everyone, { deny: view })
  const live = await connect(bob)
  await order(alice, [{ id: channel_id, parent_id: north, position: 0 }])
  await say(alice, channel_id, 'secret')
  await live.settled()
  expect(live.of('channel.deleted').map(({ d }) => d.id)).toEqual([channel_id])
  expect(live.of('message.created')).toEqual([])
  await alice.put(`/api/channels/${channel_id}`, { parent_id: null })
  await say(alice, channel_id, 'hello')
  await live.settled()
  expect(live.of('channel.created').map(({ d }) => d.id)).toEqual([channel_id])
  expect(live.of('message.created').map(({ d }) => d.content)).toEqual(['hello'])
  live.close()
})

test('a move that changes permissions needs manage_roles, those bits, and a rank above these roles', async () => {
  const { server_id, north, south, everyone, role, within, overwrite } = await birds(permissions('manage_channels'))
  const auk = await within(south, 'auk')
  const move = async (parent_id: number | null) => codeOf(await bob.put(`/api/channels/${auk}`, { parent_id }))
  await overwrite(north, everyone, { deny: send })
  expect((await bob.put(`/api/channels/${auk}`, { parent_id: null })).status).toBe(200)
  expect(await move(north)).toEqual([403, 'missing_permission'])
  await alice.put(`/api/roles/${role}`, { permissions: permissions('manage_channels', 'manage_roles') })
  await overwrite(north, everyone, { deny: send + permissions('kick_members') })
  expect(await move(north)).toEqual([403, 'missing_permission'])
  await overwrite(north, everyone, { deny: send })
  await overwrite(north, role, { deny: send })
  expect(await move(north)).toEqual([403, 'forbidden'])
  await alice.delete(`/api/channels/${north}/permissions/${role}`)
  expect((await bob.put(`/api/channels/${auk}`, { parent_id: north })).body.parent_id).toBe(north)
  // The channel's own overwrites do not change with its category.
  await overwrite(auk, everyone, { allow: send })
  await alice.put(`/api/roles/${role}`, { permissions: permissions('manage_channels') })
  expect((await bob.put(`/api/channels/${auk}`, { parent_id: south })).status).toBe(200)
  const log = (await alice.get(`/api/servers/${server_id}/audit-log?limit=1`)).body
  expect(log[0]).toMatchObject({ action: 'channel.updated', target_id: auk })
  expect(log[0].changes.parent_id).toEqual({ before: north, after: south })
})

test('a member who changes a category’s overwrite must hold the bits in each channel that follows it', async () => {
  const { north, everyone, role, within, overwrite } = await birds(permissions('manage_roles'))
  const auk = await within(north, 'auk')
  const change = async () => codeOf(await bob.put(`/api/channels/${north}/permissions/${everyone}`, { deny: send }))
  await overwrite(auk, role, { deny: send })
  expect(await change()).toEqual([403, 'missing_permission'])
  await overwrite(auk, role, { deny: permissions('manage_roles') })
  expect(await change()).toEqual([403, 'missing_permission'])
  await overwrite(auk, everyone, { allow: send })
  expect((await change())[0]).toBe(200)
})

test('deleting a category leaves its channels their permissions, and equal names get a number', async () => {
  const { server_id, north, everyone, role, within, overwrite } = await birds()
  const [general, auk] = [await within(north, 'general'), await within(north, 'auk')]
  const long = await within(north, 'x'.repeat(100))
  await within(null, 'x'.repeat(100))
  await overwrite(north, everyone, { deny: view + send })
  await overwrite(north, role, { allow: view })
  await overwrite(auk, everyone, { allow: send })
  const storedPermissions = () => sql`select channel_id, user_id, permissions from channel_permissions
    where server_id = ${server_id} and channel_id <> ${north} order by channel_id, user_id`
  const before = await storedPermissions()
  const [his, hers] = [await connect(bob), await connect(mallory)]
  expect((await alice.delete(`/api/channels/${north}`)).status).toBe(204)
  expect([...(await storedPermissions())]).toEqual([...before])
  const names = ['general', 'x'.repeat(100), 'general-2', 'auk', `${'x'.repeat(98)}-2`, 'south']
  expect(await listed(alice, server_id)).toEqual(names)
  const rows = await alice.get(`/api/channels/${auk}/permissions`)
  expect(rows.body).toEqual([
    { channel_id: auk, role_id: everyone, allow: send, deny: view },
    { channel_id: auk, role_id: role, allow: view, deny: 0 },
  ])
  await his.settled()
  expect(his.of('channel.deleted').map(({ d }) => d.id)).toEqual([north])
  expect(his.of('channel.updated').map(({ d }) => [d.id, d.parent_id])).toEqual(
    expect.arrayContaining([general, auk, long].map((id) => [id, null])),
  )
  await hers.settled()
  expect(
    hers.frames.filter(({ t, d }) => t.startsWith('channel.') && d.id !== undefined).map(({ d }) => d.name),
  ).toEqual(['south'])
  his.close()
  hers.close()
})

test('a channel that moves into a category while that is being deleted is not lost', async () => {
  const { server_id, north, channel_id } = await birds()

  const [deleted, moved] = await race(
    parley,
    (tx) => tx`select 1 from servers where id = ${server_id} for no key update`,
    [
      () => alice.delete(`/api/channels/${north}`),
      () => alice.put(`/api/channels/${channel_id}`, { parent_id: north }),
    ],
  )
  expect([deleted?.status, moved?.status]).toEqual([204, 404])
  expect((await alice.get(`/api/channels/${channel_id}`)).body.parent_id).toBe(null)
  const other = await birds()
  const answers = await race(
    parley,
    (tx) => tx`select 1 from servers where id = ${other.server_id} for no key update`,
    [
      () => alice.put(`/api/channels/${other.channel_id}`, { parent_id: other.north }),
      () => alice.delete(`/api/channels/${other.north}`),
    ],
  )
  expect(answers.map((answer) => answer.status)).toEqual([200, 204])
  expect((await alice.get(`/api/channels/${other.channel_id}`)).body.parent_id).toBe(null)
})

test('a message sent just before its channel moves into a hidden category reaches its earlier readers', async () => {
  const { north, channel_id, everyone, overwrite, order } = await birds()
  await overwrite(north, everyone, { deny: view })
  const live = await connect(mallory)
  const [sent, moved] = await race(parley, (tx) => tx`select 1 from users where id = ${bob.id} for update`, [
    () => bob.post(`/api/channels/${channel_id}/messages`, { content: 'in time' }),
    () => order(alice, [{ id: channel_id, parent_id: north, position: 0 }]),
  ])
  expect([sent?.status, moved?.status]).toEqual([201, 200])
  expect((await bob.post(`/api/channels/${channel_id}/messages`, { content: 'late' })).status).toBe(404)
  await live.settled()
  expect(live.of('message.created').map(({ d }) => d.content)).toEqual(['in time'])
  live.close()
})
