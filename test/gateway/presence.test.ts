import { expect, setSystemTime, test } from 'bun:test'
import { memoryNodes } from '../../src/cluster/nodes.ts'
import { Presence } from '../../src/gateway/presence.ts'
import type { Socket } from '../../src/gateway/socket.ts'
import { variantOf } from '../../src/gateway/variants.ts'
import { boot, person, newServer, stop, until } from '../support/harness.ts'
import { befriend, passersBy } from '../support/people.ts'
import { connect } from '../support/socket.ts'
import { stopwatch } from '../support/stopwatch.ts'

const statusesOf = (live: Awaited<ReturnType<typeof connect>>, userId: number): string[] =>
  live
    .of('presence.updated')
    .flatMap((frame) =>
      frame.d.users.filter((user: { user_id: number }) => user.user_id === userId).map((user: any) => user.status),
    )

const isOf = (id: number) => (user: { user_id: number }) => user.user_id === id

test('a status is announced once, after its debounce, and only to accounts that share a server', async () => {
  const parley = await boot()
  try {
    const [alice, bob, mallory] = [
      await person(parley, 'alice'),
      await person(parley, 'bob'),
      await person(parley, 'mallory'),
    ]
    const { server_id } = await newServer(alice, bob)
    const [watcher, stranger] = [await connect(alice), await connect(mallory)]
    const statusInList = async () => {
      const { body } = await alice.get(`/api/servers/${server_id}/members`)
      return body.find((member: { user: { id: number } }) => member.user.id === bob.id).status
    }
    /** Moves the clock past a debounce, until this many changes have been announced. */
    const announcedWithin = async (ms: number, count: number) => {
      // The heartbeat closes sockets that were silent for 31 s, by the moved clock too, so each sends while the clock
      // stands still.
      const now = Date.now()
      setSystemTime(new Date(now))
      await Promise.all([watcher, stranger].map((live) => live.settled()))
      setSystemTime(new Date(now + ms))
      await until(() => statusesOf(watcher, bob.id).length >= count)
      setSystemTime()
    }
    expect(await statusInList()).toBe('offline')
    // A reloaded page: three sockets within the debounce are announced once.
    for (let n = 0; n < 2; n++) (await connect(bob)).close()
    const phone = await connect(bob)
    expect(await statusInList()).toBe('online')
    await announcedWithin(5_100, 1)
    expect((await phone.command('presence.set', { status: 'idle' })).d).toEqual({})
    await announcedWithin(5_100, 2)
    expect(await statusInList()).toBe('idle')
    const fresh = await connect(alice)
    expect(fresh.frames[0]?.d.presences).toContainEqual({ user_id: bob.id, status: 'idle' })
    fresh.close()
    phone.close()
    await phone.closed
    await until(async () =>
      parley.parts.metrics.registry.metrics().then((text) => /^parley_gateway_sockets 2$/m.test(text)),
    )
    expect(await statusInList()).toBe('idle')
    await announcedWithin(30_100, 3)
    expect(await statusInList()).toBe('offline')
    expect(statusesOf(watcher, bob.id)).toEqual(['online', 'idle', 'offline'])
    await stranger.settled()
    expect(stranger.of('presence.updated')).toEqual([])
    for (const live of [watcher, stranger]) live.close()
  } finally {
    setSystemTime()
    await stop(parley)
  }
})

test('an arrival is announced within a second, and a new status after its debounce', async () => {
  const parley = await boot()
  try {
    const [alice, bob, carol] = await passersBy(parley, 'alice', 'bob', 'carol')
    for (const friend of [bob, carol]) await befriend(alice, friend)
    const watcher = await connect(alice)
    // Only what waits for no debounce is announced while the clock stands still.
    const now = Date.now()
    setSystemTime(new Date(now))
    const phone = await connect(bob)
    const passed = stopwatch()
    await until(() => statusesOf(watcher, bob.id).length === 1)
    expect(passed()).toBeLessThan(2_000)
    await phone.command('presence.set', { status: 'idle' })
    const other = await connect(carol)
    await until(() => statusesOf(watcher, carol.id).length === 1)
    expect(statusesOf(watcher, bob.id)).toEqual(['online'])
    setSystemTime(new Date(now + 5_100))
    await until(() => statusesOf(watcher, bob.id).length === 2)
    expect(statusesOf(watcher, bob.id)).toEqual(['online', 'idle'])
    for (const live of [watcher, phone, other]) live.close()
  } finally {
    setSystemTime()
    await stop(parley)
  }
})

test('while many arrive at once, they are announced every two seconds', async () => {
  const parley = await boot()
  try {
    const [alice, ...members] = await passersBy(parley, 'alice', ...Array.from({ length: 30 }, (_, n) => `guest${n}`))
    for (const member of members) await befriend(alice, member)
    const watcher = await connect(alice)
    const arrive = (id: number) => parley.parts.nodes.table('presence').put(String(id), 'online')
    const began = performance.now()
    for (const [at, member] of members.entries()) {
      for (let other = 0; other < 60; other++) arrive(1_000_000 + at * 100 + other)
      arrive(member.id)
      await Bun.sleep(100)
    }
    const presenceUpdates = () =>
      watcher.of('presence.updated').flatMap(({ d }) => d.users.map((user: any) => user.user_id))
    await until(() => members.every(({ id }) => presenceUpdates().includes(id)))
    // The first announcement comes after 0.3 s.
    const announcementsMax = 3 + (performance.now() - began) / 2_000
    expect(watcher.of('presence.updated').length).toBeLessThanOrEqual(announcementsMax)
    watcher.close()
  } finally {
    await stop(parley)
  }
})

test('if many arrive at once, a socket receives each once, and only those it may see', async () => {
  const parley = await boot()
  try {
    const [alice, bob, mallory] = await passersBy(parley, 'alice', 'bob', 'mallory')
    await newServer(alice, bob)
    await newServer(alice, bob)
    await befriend(alice, bob)
    const watcher = await connect(alice)
    const members = await connect(alice, '&intents=members')
    const messages = await connect(alice, '&intents=messages')
    const stranger = await connect(mallory)
    // The arrival of these three is announced first.
    await Bun.sleep(500)
    // They arrive at another node, so that nothing comes in between.
    for (const id of [...Array.from({ length: 60 }, (_, other) => 1_000_000 + other), bob.id])
      parley.parts.nodes.table('presence').put(String(id), 'online')
    for (const socket of [watcher, members])
      await socket.next('presence.updated', ({ d }) => d.users.some(isOf(bob.id)))
    for (const live of [watcher, members, messages, stranger]) await live.settled()
    const namings = (live: typeof watcher) =>
      live.of('presence.updated').flatMap(({ d }) => d.users.filter(isOf(bob.id)))
    expect([watcher, members].map(namings)).toEqual(Array(2).fill([{ user_id: bob.id, status: 'online' }]))
    expect([messages, stranger].map(namings)).toEqual([[], []])
    for (const live of [watcher, members, messages, stranger]) live.close()
  } finally {
    await stop(parley)
  }
})

test('a socket that missed many arrivals because its node lost notices receives them later', async () => {
  const parley = await boot()
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { server_id } = await newServer(alice, bob)
  let isTrusted = true
  const counts = [0, 0]
  const sockets = counts.map((_, at) => ({
    readyState: WebSocket.OPEN,
    data: { variant: variantOf(undefined, false) },
    subscriptions: [`server:${server_id}`],
    send() {
      counts[at] = (counts[at] ?? 0) + 1
      isTrusted = false
    },
  })) as unknown as Socket[]
  const { sql, log } = parley.parts
  const bus = { deliver: () => {}, receivesNotices: () => isTrusted }
  const presence = new Presence(sql, bus, memoryNodes(), log, () => sockets)
  try {
    for (const id of [...Array.from({ length: 60 }, (_, other) => 1_000_000 + other), bob.id]) {
      presence.addSocket(id)
      presence.know(id, undefined)
    }
    await until(() => counts[0] === 1)
    expect(counts).toEqual([1, 0])
    sockets.shift()
    isTrusted = true
    await until(() => counts[1] === 1)
  } finally {
    presence.stop()
    await stop(parley)
  }
})

test('setting the same status again does not postpone its announcement', async () => {
  const parley = await boot()
  try {
    const [alice, bob] = await passersBy(parley, 'alice', 'bob')
    await befriend(alice, bob)
    const [watcher, phone] = [await connect(alice), await connect(bob)]
    const arrived = Date.now()
    setSystemTime(new Date(arrived + 4_000))
    await phone.command('presence.set', { status: 'online' })
    const tablet = await connect(bob)
    setSystemTime(new Date(arrived + 6_000))
    await until(() => statusesOf(watcher, bob.id).length > 0)
    expect(statusesOf(watcher, bob.id)).toEqual(['online'])
    for (const live of [watcher, phone, tablet]) live.close()
  } finally {
    setSystemTime()
    await stop(parley)
  }
})

test('a member who joins without a socket is offline in member.joined', async () => {
  const parley = await boot()
  const [alice, bob, carol] = [
    await person(parley, 'alice'),
    await person(parley, 'bob'),
    await person(parley, 'carol'),
  ]
  const { server_id } = await newServer(alice)
  const watcher = await connect(alice)
  const invite = await alice.post('/api/invites', { server_id })
  await bob.post(`/api/invites/${invite.body.code}/join`)
  const live = await connect(carol)
  await carol.post(`/api/invites/${invite.body.code}/join`)
  const joined = async (id: number) => (await watcher.next('member.joined', (frame) => frame.d.user.id === id)).d.status
  expect(await joined(bob.id)).toBe('offline')
  expect(await joined(carol.id)).toBe('online')
  for (const socket of [watcher, live]) socket.close()
  await stop(parley)
})
