import { expect, test } from 'bun:test'
import { boot, person, newServer, say, standard, stop } from '../support/harness.ts'
import { passersBy } from '../support/people.ts'
import { connect, Gateway, gatewayUrl } from '../support/socket.ts'

const parley = await standard()

test('both devices of a new member receive the server at once', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice)
  const devices = await Promise.all([connect(bob), connect(bob)])
  const invite = await alice.post('/api/invites', { server_id })
  const joined = await bob.post(`/api/invites/${invite.body.code}/join`)
  const message = await say(alice, channel_id, 'welcome')
  for (const device of devices) {
    expect((await device.next('server.created')).d).toEqual(joined.body)
    const snapshot = await device.next('server.snapshot')
    expect(snapshot.d.server).toEqual(joined.body)
    expect(snapshot.d.channels.map((channel: { id: number }) => channel.id)).toEqual([channel_id])
    expect((await device.next('message.created')).d).toEqual(message)
    device.close()
  }
})

test('a new server reaches every device of its owner', async () => {
  const alice = await person(parley, 'alice')
  const devices = await Promise.all([connect(alice), connect(alice)])
  const { server_id, channel_id } = await newServer(alice)
  await say(alice, channel_id, 'first')
  for (const device of devices) {
    expect((await device.next('server.snapshot')).d.server.id).toBe(server_id)
    await device.next('message.created')
    device.close()
  }
})

const departures = {
  'who leaves': (_alice, bob, server_id) => bob.delete(`/api/servers/${server_id}/members/@me`),
  'who is kicked': (alice, bob, server_id) => alice.delete(`/api/servers/${server_id}/members/${bob.id}`),
  'who is banned': (alice, bob, server_id) => alice.put(`/api/servers/${server_id}/bans/${bob.id}`, {}),
} satisfies Record<string, (alice: Who, bob: Who, server_id: number) => Promise<{ status: number }>>
type Who = Awaited<ReturnType<typeof person>>

for (const [name, depart] of Object.entries(departures)) {
  test(`a member ${name} receives nothing sent after that on any device`, async () => {
    const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
    const { server_id, channel_id } = await newServer(alice, bob)
    const other = await newServer(alice, bob)
    const devices = await Promise.all([connect(bob), connect(bob)])
    const owner = await connect(alice)
    expect((await depart(alice, bob, server_id)).status).toBeLessThan(300)
    await say(alice, channel_id, 'between us')
    await owner.command('typing.start', { channel_id })
    await alice.put(`/api/servers/${server_id}`, { name: 'Without you' })
    const last = await say(alice, other.channel_id, 'still with you')
    await owner.next('server.updated')
    for (const device of devices) {
      await device.next('message.created', (frame) => frame.d.id === last.id)
      expect(await device.next('server.deleted')).toEqual({ t: 'server.deleted', d: { id: server_id } })
      expect(device.of('message.created')).toHaveLength(1)
      expect([...device.of('typing.started'), ...device.of('server.updated')]).toEqual([])
      device.close()
    }
    owner.close()
  })
}

test('a deleted server is gone from every socket', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id } = await newServer(alice, bob)
  const lives = await Promise.all([connect(alice), connect(bob)])
  await alice.delete(`/api/servers/${server_id}`)
  for (const live of lives) {
    expect((await live.next('server.deleted')).d).toEqual({ id: server_id })
    live.close()
  }
  const fresh = await connect(bob)
  expect(fresh.frames[0]?.d.servers).toEqual([])
  fresh.close()
})

test('a stranger receives nothing of a server, and only the new owner receives its invites', async () => {
  const [alice, bob, mallory] = [
    await person(parley, 'alice'),
    await person(parley, 'bob'),
    await person(parley, 'mallory'),
  ]
  const { server_id, channel_id } = await newServer(alice, bob)
  const [first, second, stranger] = await Promise.all([connect(alice), connect(bob), connect(mallory)])
  const message = await say(alice, channel_id, 'secret')
  await alice.put(`/api/messages/${message.id}`, { content: 'more secret' })
  await alice.post('/api/invites', { server_id })
  await first.next('invite.created')
  await alice.post(`/api/servers/${server_id}/transfer`, { user_id: bob.id })
  const invite = await bob.post('/api/invites', { server_id })
  expect((await second.next('invite.created')).d).toEqual(invite.body)
  await alice.put('/api/auth/display-name', { display_name: 'Alice' })
  await second.next('user.updated')
  for (const live of [first, second, stranger]) await live.settled()
  expect(first.of('invite.created')).toHaveLength(1)
  expect(second.of('invite.created')).toHaveLength(1)
  expect(stranger.frames.map((frame) => frame.t)).toEqual(['ready', 'synced'])
  for (const live of [first, second, stranger]) live.close()
})

test('a member kicked during a handshake receives nothing sent after the kick', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  for (let round = 0; round < 8; round++) {
    const { server_id, channel_id } = await newServer(alice, bob)
    const opening = Array.from({ length: 4 }, () => new Gateway(gatewayUrl(parley, `token=${bob.token}`)))
    await Bun.sleep(round)
    expect((await alice.delete(`/api/servers/${server_id}/members/${bob.id}`)).status).toBe(204)
    const { id } = await say(alice, channel_id, 'without bob')
    for (const live of opening) {
      await live.next('synced')
      await live.settled()
      expect(live.of('message.created').filter((frame) => frame.d.id === id)).toEqual([])
      live.close()
    }
  }
})

test('no message sent during a handshake is lost', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { channel_id } = await newServer(alice, bob)
  const sent: number[] = []
  const opening: Gateway[] = []
  for (let round = 0; round < 12; round++) {
    opening.push(new Gateway(gatewayUrl(parley, `token=${bob.token}`)))
    const burst = await Promise.all(Array.from({ length: 4 }, () => say(alice, channel_id, 'now')))
    sent.push(...burst.map((message) => message.id))
  }
  for (const live of opening) {
    await live.next('synced')
    await live.settled()
    const got = new Set(live.of('message.created').map((frame) => frame.d.id as number))
    const lastId = live.of('server.snapshot')[0]?.d.channels[0].last_message_id ?? 0
    expect(sent.filter((id) => id > lastId && !got.has(id))).toEqual([])
    live.close()
  }
})

test('while handshakes cannot be sent, at most a few hundred are read, and all arrive in the end', async () => {
  const booted = await boot()
  try {
    const people = await passersBy(booted, ...Array.from({ length: 20 }, (_, n) => `person${n}`))
    const { bus } = booted.parts
    const [follow, released] = [bus.follow, Promise.withResolvers<void>()]
    let read = 0
    bus.follow = async (topics) => {
      read++
      await released.promise
      await follow(topics)
    }
    const opening = people.flatMap((who) => Array.from({ length: 18 }, () => connect(who)))
    for (let before = -1; before < read || read === 0;) {
      before = read
      await Bun.sleep(1_000)
    }
    const pendingRead = read
    released.resolve()
    for (const live of await Promise.all(opening)) live.close()
    expect(read).toBe(360)
    expect(pendingRead).toBeGreaterThan(100)
    expect(pendingRead).toBeLessThan(300)
  } finally {
    await stop(booted)
  }
})
