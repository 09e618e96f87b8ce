import { expect, test } from 'bun:test'
import { EVERYONE_PERMISSIONS, permissions } from '../../src/core/permissions.ts'
import { person, type Person, say, standard } from '../support/harness.ts'
import { passerBy, place, type Place, rank } from '../support/places.ts'
import { connect, type Gateway, newestS } from '../support/socket.ts'

const parley = await standard()
const [alice, bob, mallory] = [
  await person(parley, 'alice'),
  await passerBy(parley, 'bob'),
  await passerBy(parley, 'mallory'),
]
const view = permissions('view_channel')

/** A server with a role for bob and one for mallory. Both are connected, mallory on two devices. */
async function watchedServer(bits = { bob: 0, mallory: 0 }) {
  const watched = await place(alice, bob, mallory)
  const seers = await rank(parley, watched.server_id, bits.bob, bob)
  const others = await rank(parley, watched.server_id, bits.mallory, mallory)
  const [keeper, phone, laptop] = await Promise.all([connect(bob), connect(mallory), connect(mallory)])
  const close = () => [keeper, phone, laptop].forEach((gateway) => gateway.close())
  const rolePath = (who: Person, roleId: number) =>
    `/api/servers/${watched.server_id}/members/${who.id}/roles/${roleId}`
  return { ...watched, seers, others, keeper, phone, laptop, devices: [phone, laptop], close, held: rolePath }
}
const overwrite = (channel_id: number, roleId: number, body: object) =>
  alice.put(`/api/channels/${channel_id}/permissions/${roleId}`, body)
const done = async (...changes: Promise<{ status: number; body: any }>[]) => {
  for (const { status, body } of await Promise.all(changes)) if (status >= 400) throw new Error(JSON.stringify(body))
}

/** What a device has received, without presences, which come late. */
const received = (gateway: Gateway) => gateway.frames.filter(({ t }) => t !== 'presence.updated')
const contents = (gateway: Gateway) => gateway.of('message.created').map(({ d }) => d.content)

/** Each device received one channel.deleted, and receives nothing of the channel from now on. */
async function expectLost(devices: Gateway[], { server_id, channel_id }: Place, who: Person) {
  for (const gateway of devices) {
    await gateway.settled()
    expect(gateway.of('channel.deleted').map(({ d }) => d)).toEqual([{ id: channel_id, server_id }])
    gateway.frames.length = 0
  }
  const { id } = await say(alice, channel_id, 'secret')
  await alice.put(`/api/messages/${id}`, { content: 'still secret' })
  await alice.delete(`/api/messages/${id}`)
  await alice.put(`/api/channels/${channel_id}`, { topic: 'secret' })
  const typist = await connect(alice)
  await typist.command('typing.start', { channel_id })
  typist.close()
  for (const gateway of devices) {
    await gateway.settled()
    expect(received(gateway)).toEqual([])
    expect((await gateway.command('typing.start', { channel_id })).error.code).toBe('not_found')
    expect((await gateway.command('channel.ack', { channel_id, message_id: id })).error.code).toBe('not_found')
  }
  expect((await who.get(`/api/channels/${channel_id}`)).status).toBe(404)
}

/** Each device received one channel.created, and receives messages of the channel. */
async function expectGained(devices: Gateway[], { channel_id }: Place) {
  for (const gateway of devices) {
    await gateway.settled()
    expect(gateway.of('channel.created').map(({ d }) => d.id)).toEqual([channel_id])
    gateway.frames.length = 0
  }
  await say(alice, channel_id, 'welcome')
  for (const gateway of devices) {
    await gateway.settled()
    expect(contents(gateway)).toEqual(['welcome'])
    gateway.frames.length = 0
  }
}

test('an overwrite that hides or reveals a channel takes effect at once, on both devices of its members', async () => {
  const watched = await watchedServer()
  await done(overwrite(watched.channel_id, watched.seers, { allow: view }))
  await done(overwrite(watched.channel_id, watched.everyone, { deny: view }))
  await expectLost(watched.devices, watched, mallory)
  await watched.keeper.settled()
  expect(watched.keeper.of('channel.deleted')).toEqual([])
  expect(contents(watched.keeper)).toEqual(['secret'])
  await done(alice.delete(`/api/channels/${watched.channel_id}/permissions/${watched.everyone}`))
  await expectGained(watched.devices, watched)
  await watched.keeper.settled()
  expect(watched.keeper.of('channel.created')).toEqual([])
  watched.close()
})

test('members of a role lose its channels when the role loses view_channel, and get them back with it', async () => {
  const watched = await watchedServer({ bob: view, mallory: view })
  await done(alice.put(`/api/roles/${watched.everyone}`, { permissions: EVERYONE_PERMISSIONS - view }))
  await watched.phone.settled()
  expect(watched.phone.of('channel.deleted')).toEqual([])
  await done(alice.put(`/api/roles/${watched.others}`, { permissions: 0 }))
  await expectLost(watched.devices, watched, mallory)
  await done(alice.put(`/api/roles/${watched.others}`, { permissions: view }))
  await expectGained(watched.devices, watched)
  await done(alice.put(`/api/roles/${watched.others}`, { permissions: 0 }))
  for (const gateway of watched.devices) await gateway.settled()
  for (const gateway of watched.devices) gateway.frames.length = 0
  await done(alice.put(`/api/roles/${watched.everyone}`, { permissions: EVERYONE_PERMISSIONS }))
  await expectGained(watched.devices, watched)
  await watched.keeper.settled()
  expect(watched.keeper.of('channel.deleted')).toEqual([])
  expect(contents(watched.keeper)).toEqual(['secret', 'welcome', 'welcome'])
  watched.close()
})

test('giving, taking or deleting the role that opens a channel takes effect at once', async () => {
  const watched = await watchedServer()
  const { channel_id, everyone, seers } = watched
  await done(overwrite(channel_id, seers, { allow: view }))
  await done(overwrite(channel_id, everyone, { deny: view }))
  await expectLost(watched.devices, watched, mallory)
  await done(alice.post(watched.held(mallory, seers)))
  await expectGained(watched.devices, watched)
  await done(alice.delete(watched.held(mallory, seers)))
  await expectLost(watched.devices, watched, mallory)
  await done(alice.post(watched.held(mallory, seers)))
  await expectGained(watched.devices, watched)
  await done(alice.delete(`/api/roles/${seers}`))
  await expectLost(watched.devices, watched, mallory)
  await watched.keeper.settled()
  expect(watched.keeper.of('channel.deleted').map(({ d }) => d.id)).toEqual([channel_id])
  expect((await bob.get(`/api/channels/${channel_id}`)).status).toBe(404)
  watched.close()
})

test('if everyone lacks view_channel, a new channel is announced only to members who see it', async () => {
  const watched = await watchedServer({ bob: view, mallory: 0 })
  await done(alice.put(`/api/roles/${watched.everyone}`, { permissions: EVERYONE_PERMISSIONS - view }))
  for (const gateway of [watched.keeper, ...watched.devices]) await gateway.settled()
  for (const gateway of [watched.keeper, ...watched.devices]) gateway.frames.length = 0
  const { body } = await alice.post(`/api/servers/${watched.server_id}/channels`, { name: 'attic', type: 'text' })
  await say(alice, body.id, 'hidden')
  await watched.keeper.settled()
  expect(watched.keeper.of('channel.created')[0]?.d.id).toBe(body.id)
  expect(contents(watched.keeper)).toEqual(['hidden'])
  for (const gateway of watched.devices) {
    await gateway.settled()
    expect(received(gateway)).toEqual([])
  }
  await done(alice.delete(`/api/channels/${body.id}`))
  await watched.keeper.settled()
  expect(watched.keeper.of('channel.deleted').map(({ d }) => d.id)).toEqual([body.id])
  for (const gateway of watched.devices) {
    await gateway.settled()
    expect(received(gateway)).toEqual([])
  }
  watched.close()
})

for (const [way, act] of Object.entries({
  kicked: ({ server_id }: Place) => alice.delete(`/api/servers/${server_id}/members/${mallory.id}`),
  banned: ({ server_id }: Place) => alice.put(`/api/servers/${server_id}/bans/${mallory.id}`, { reason: 'noise' }),
  leaving: ({ server_id }: Place) => mallory.delete(`/api/servers/${server_id}/members/@me`),
})) {
  test(`a member who is ${way} receives nothing more of the server on any device`, async () => {
    const watched = await watchedServer({ bob: 0, mallory: permissions('manage_server', 'view_channel') })
    await done(act(watched))
    for (const gateway of watched.devices) {
      await gateway.settled()
      expect(gateway.of('server.deleted').map(({ d }) => d)).toEqual([{ id: watched.server_id }])
      gateway.frames.length = 0
    }
    await say(alice, watched.channel_id, 'secret')
    await done(
      alice.post('/api/invites', { server_id: watched.server_id }),
      alice.put(`/api/servers/${watched.server_id}`, { name: 'Without her' }),
      alice.put(`/api/roles/${watched.others}`, { name: 'Empty' }),
      overwrite(watched.channel_id, watched.everyone, { deny: view }),
    )
    for (const gateway of watched.devices) {
      await gateway.settled()
      expect(received(gateway)).toEqual([])
    }
    const again = await connect(mallory, `&s=${newestS(watched.keeper)}`)
    expect(again.frames[0]?.d.servers.map(({ id }: { id: number }) => id)).not.toContain(watched.server_id)
    for (const gateway of [again, watched]) gateway.close()
  })
}

test("after a transfer the channels that only the owner sees are the new owner's", async () => {
  const watched = await place(bob, mallory)
  const hidden = { allow: 0, deny: view }
  await done(bob.put(`/api/channels/${watched.channel_id}/permissions/${watched.everyone}`, hidden))
  const [before, after] = [await connect(bob), await connect(mallory)]
  await done(bob.post(`/api/servers/${watched.server_id}/transfer`, { user_id: mallory.id }))
  await say(mallory, watched.channel_id, 'mine now')
  await mallory.post('/api/invites', { server_id: watched.server_id })
  await Promise.all([before.settled(), after.settled()])
  expect(before.of('channel.deleted').map(({ d }) => d.id)).toEqual([watched.channel_id])
  expect([contents(before), before.of('invite.created')]).toEqual([[], []])
  expect(after.of('channel.created').map(({ d }) => d.id)).toEqual([watched.channel_id])
  expect([contents(after).length, after.of('invite.created').length]).toEqual([1, 1])
  for (const gateway of [before, after]) gateway.close()
})

test('an invite is announced to the members who hold manage_server at that moment', async () => {
  const watched = await watchedServer()
  const invites = async (invite = alice.post('/api/invites', { server_id: watched.server_id })) => {
    await done(invite)
    for (const gateway of watched.devices) await gateway.settled()
    return watched.devices.map((gateway) => gateway.of('invite.created').length)
  }
  const manage = permissions('manage_server')
  expect(await invites()).toEqual([0, 0])
  await done(alice.put(`/api/roles/${watched.others}`, { permissions: manage }))
  expect(await invites()).toEqual([1, 1])
  await done(alice.delete(watched.held(mallory, watched.others)))
  expect(await invites()).toEqual([1, 1])
  await done(alice.post(watched.held(mallory, watched.others)))
  expect(await invites()).toEqual([2, 2])
  await done(alice.delete(`/api/roles/${watched.others}`))
  expect(await invites()).toEqual([2, 2])
  watched.close()
})

test('a fresh connection and a resumed one receive what the account may see now', async () => {
  const watched = await watchedServer()
  const s = newestS(watched.phone)
  const here = (gateway: Gateway, type: string) =>
    gateway.of(type).filter(({ d }) => (d.channel_id ?? d.id) === watched.channel_id)
  await say(alice, watched.channel_id, 'before')
  await done(overwrite(watched.channel_id, watched.everyone, { deny: view }))
  await say(alice, watched.channel_id, 'after')
  for (const query of ['', `&s=${s}`]) {
    const again = await connect(mallory, query)
    const server = again.frames[0]?.d.servers.find((one: { id: number }) => one.id === watched.server_id)
    expect(server.channel_ids).toEqual([])
    expect(here(again, 'message.created')).toEqual([])
    expect(here(again, 'channel.permissions_updated')).toEqual([])
    expect(again.of('server.snapshot').flatMap(({ d }) => d.channels.map((one: any) => one.id))).not.toContain(
      watched.channel_id,
    )
    again.close()
  }
  await done(overwrite(watched.channel_id, watched.everyone, { deny: permissions('read_history') }))
  const again = await connect(mallory, `&s=${s}`)
  expect(here(again, 'message.created')).toEqual([])
  expect(here(again, 'channel.permissions_updated').length).toBe(1)
  for (const gateway of [again, watched]) gateway.close()
})
