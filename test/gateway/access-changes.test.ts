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
  const home = await place(alice, bob, mallory)
  const seers = await rank(parley, home.server_id, bits.bob, bob)
  const others = await rank(parley, home.server_id, bits.mallory, mallory)
  const [keeper, phone, laptop] = await Promise.all([connect(bob), connect(mallory), connect(mallory)])
  const close = () => [keeper, phone, laptop].forEach((gateway) => gateway.close())
  const held = (who: Person, role_id: number) => `/api/servers/${home.server_id}/members/${who.id}/roles/${role_id}`
  return { ...home, seers, others, keeper, phone, laptop, devices: [phone, laptop], close, held }
}
const overwrite = (channel_id: number, role_id: number, body: object) =>
  alice.put(`/api/channels/${channel_id}/permissions/${role_id}`, body)
const done = async (...changes: Promise<{ status: number; body: any }>[]) => {
  for (const { status, body } of await Promise.all(changes)) if (status >= 400) throw new Error(JSON.stringify(body))
}

const contents = (gateway: Gateway) => gateway.of('message.created').map(({ d }) => d.content)

/** These devices received one channel.deleted, and receive nothing that is sent to the channel from now on. */
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
    expect(gateway.frames.filter(({ t }) => t !== 'presence.updated')).toEqual([])
    expect((await gateway.command('typing.start', { channel_id })).error.code).toBe('not_found')
    expect((await gateway.command('channel.ack', { channel_id, message_id: id })).error.code).toBe('not_found')
  }
  expect((await who.get(`/api/channels/${channel_id}`)).status).toBe(404)
}

/** These devices received one channel.created, and receive what is sent to the channel. */
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
  const home = await watchedServer()
  await done(overwrite(home.channel_id, home.seers, { allow: view }))
  await done(overwrite(home.channel_id, home.everyone, { deny: view }))
  await expectLost(home.devices, home, mallory)
  await home.keeper.settled()
  expect(home.keeper.of('channel.deleted')).toEqual([])
  expect(contents(home.keeper)).toEqual(['secret'])
  await done(alice.delete(`/api/channels/${home.channel_id}/permissions/${home.everyone}`))
  await expectGained(home.devices, home)
  await home.keeper.settled()
  expect(home.keeper.of('channel.created')).toEqual([])
  home.close()
})

test('members of a role lose its channels when the role loses view_channel, and get them back with it', async () => {
  const home = await watchedServer({ bob: view, mallory: view })
  await done(alice.put(`/api/roles/${home.everyone}`, { permissions: EVERYONE_PERMISSIONS - view }))
  await home.phone.settled()
  expect(home.phone.of('channel.deleted')).toEqual([])
  await done(alice.put(`/api/roles/${home.others}`, { permissions: 0 }))
  await expectLost(home.devices, home, mallory)
  await done(alice.put(`/api/roles/${home.others}`, { permissions: view }))
  await expectGained(home.devices, home)
  await done(alice.put(`/api/roles/${home.others}`, { permissions: 0 }))
  for (const gateway of home.devices) await gateway.settled()
  for (const gateway of home.devices) gateway.frames.length = 0
  await done(alice.put(`/api/roles/${home.everyone}`, { permissions: EVERYONE_PERMISSIONS }))
  await expectGained(home.devices, home)
  await home.keeper.settled()
  expect(home.keeper.of('channel.deleted')).toEqual([])
  expect(contents(home.keeper)).toEqual(['secret', 'welcome', 'welcome'])
  home.close()
})

test('giving, taking or deleting the role that opens a channel takes effect at once', async () => {
  const home = await watchedServer()
  const { channel_id, everyone, seers } = home
  await done(overwrite(channel_id, seers, { allow: view }))
  await done(overwrite(channel_id, everyone, { deny: view }))
  await expectLost(home.devices, home, mallory)
  await done(alice.post(home.held(mallory, seers)))
  await expectGained(home.devices, home)
  await done(alice.delete(home.held(mallory, seers)))
  await expectLost(home.devices, home, mallory)
  await done(alice.post(home.held(mallory, seers)))
  await expectGained(home.devices, home)
  await done(alice.delete(`/api/roles/${seers}`))
  await expectLost(home.devices, home, mallory)
  await home.keeper.settled()
  expect(home.keeper.of('channel.deleted').map(({ d }) => d.id)).toEqual([channel_id])
  expect((await bob.get(`/api/channels/${channel_id}`)).status).toBe(404)
  home.close()
})

test('where everyone lacks view_channel, a new channel is announced only to the members who see it', async () => {
  const home = await watchedServer({ bob: view, mallory: 0 })
  await done(alice.put(`/api/roles/${home.everyone}`, { permissions: EVERYONE_PERMISSIONS - view }))
  for (const gateway of [home.keeper, ...home.devices]) await gateway.settled()
  for (const gateway of [home.keeper, ...home.devices]) gateway.frames.length = 0
  const { body } = await alice.post(`/api/servers/${home.server_id}/channels`, { name: 'attic', type: 'text' })
  await say(alice, body.id, 'hidden')
  await home.keeper.settled()
  expect(home.keeper.of('channel.created')[0]?.d.id).toBe(body.id)
  expect(contents(home.keeper)).toEqual(['hidden'])
  for (const gateway of home.devices) {
    await gateway.settled()
    expect(gateway.frames).toEqual([])
  }
  await done(alice.delete(`/api/channels/${body.id}`))
  await home.keeper.settled()
  expect(home.keeper.of('channel.deleted').map(({ d }) => d.id)).toEqual([body.id])
  for (const gateway of home.devices) {
    await gateway.settled()
    expect(gateway.frames).toEqual([])
  }
  home.close()
})

for (const [way, act] of Object.entries({
  kicked: ({ server_id }: Place) => alice.delete(`/api/servers/${server_id}/members/${mallory.id}`),
  banned: ({ server_id }: Place) => alice.put(`/api/servers/${server_id}/bans/${mallory.id}`, { reason: 'noise' }),
  leaving: ({ server_id }: Place) => mallory.delete(`/api/servers/${server_id}/members/@me`),
})) {
  test(`a member who is ${way} receives nothing more of the server on any device`, async () => {
    const home = await watchedServer({ bob: 0, mallory: permissions('manage_server', 'view_channel') })
    await done(act(home))
    for (const gateway of home.devices) {
      await gateway.settled()
      expect(gateway.of('server.deleted').map(({ d }) => d)).toEqual([{ id: home.server_id }])
      gateway.frames.length = 0
    }
    await say(alice, home.channel_id, 'secret')
    await done(
      alice.post('/api/invites', { server_id: home.server_id }),
      alice.put(`/api/servers/${home.server_id}`, { name: 'Without her' }),
      alice.put(`/api/roles/${home.others}`, { name: 'Empty' }),
      overwrite(home.channel_id, home.everyone, { deny: view }),
    )
    for (const gateway of home.devices) {
      await gateway.settled()
      expect(gateway.frames).toEqual([])
    }
    const again = await connect(mallory, `&s=${newestS(home.keeper)}`)
    expect(again.frames[0]?.d.servers.map(({ id }: { id: number }) => id)).not.toContain(home.server_id)
    for (const gateway of [again, home]) gateway.close()
  })
}

test("after a transfer the channels that only the owner sees are the new owner's", async () => {
  const home = await place(bob, mallory)
  const hidden = { allow: 0, deny: view }
  await done(bob.put(`/api/channels/${home.channel_id}/permissions/${home.everyone}`, hidden))
  const [before, after] = [await connect(bob), await connect(mallory)]
  await done(bob.post(`/api/servers/${home.server_id}/transfer`, { user_id: mallory.id }))
  await say(mallory, home.channel_id, 'mine now')
  await mallory.post('/api/invites', { server_id: home.server_id })
  await Promise.all([before.settled(), after.settled()])
  expect(before.of('channel.deleted').map(({ d }) => d.id)).toEqual([home.channel_id])
  expect([contents(before), before.of('invite.created')]).toEqual([[], []])
  expect(after.of('channel.created').map(({ d }) => d.id)).toEqual([home.channel_id])
  expect([contents(after).length, after.of('invite.created').length]).toEqual([1, 1])
  for (const gateway of [before, after]) gateway.close()
})

test('an invite is announced to the members who hold manage_server at that moment', async () => {
  const home = await watchedServer()
  const invites = async (invite = alice.post('/api/invites', { server_id: home.server_id })) => {
    await done(invite)
    for (const gateway of home.devices) await gateway.settled()
    return home.devices.map((gateway) => gateway.of('invite.created').length)
  }
  const manage = permissions('manage_server')
  expect(await invites()).toEqual([0, 0])
  await done(alice.put(`/api/roles/${home.others}`, { permissions: manage }))
  expect(await invites()).toEqual([1, 1])
  await done(alice.delete(home.held(mallory, home.others)))
  expect(await invites()).toEqual([1, 1])
  await done(alice.post(home.held(mallory, home.others)))
  expect(await invites()).toEqual([2, 2])
  await done(alice.delete(`/api/roles/${home.others}`))
  expect(await invites()).toEqual([2, 2])
  home.close()
})

test('a fresh connection and a resumed one receive what the account may see now', async () => {
  const home = await watchedServer()
  const s = newestS(home.phone)
  const here = (gateway: Gateway, type: string) =>
    gateway.of(type).filter(({ d }) => [d.channel_id, d.id].includes(home.channel_id))
  await say(alice, home.channel_id, 'before')
  await done(overwrite(home.channel_id, home.everyone, { deny: view }))
  await say(alice, home.channel_id, 'after')
  for (const query of ['', `&s=${s}`]) {
    const again = await connect(mallory, query)
    const server = again.frames[0]?.d.servers.find((one: { id: number }) => one.id === home.server_id)
    expect(server.channel_ids).toEqual([])
    expect(here(again, 'message.created')).toEqual([])
    expect(here(again, 'channel.permissions_updated')).toEqual([])
    expect(again.of('server.snapshot').flatMap(({ d }) => d.channels.map((one: any) => one.id))).not.toContain(
      home.channel_id,
    )
    again.close()
  }
  await done(overwrite(home.channel_id, home.everyone, { deny: permissions('read_history') }))
  const again = await connect(mallory, `&s=${s}`)
  expect(here(again, 'message.created')).toEqual([])
  expect(here(again, 'channel.permissions_updated').length).toBe(1)
  for (const gateway of [again, home]) gateway.close()
})
