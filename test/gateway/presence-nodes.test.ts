import { afterAll, describe, expect, setSystemTime, test } from 'bun:test'
import { boot, type Person, person, newServer, stop, until } from '../support/harness.ts'
import { by, inCommon } from '../support/installation.ts'
import { redisProgram, redisServer } from '../support/redis.ts'
import { connect, type Gateway } from '../support/socket.ts'
import { dataDirectory, SPAWN_MS, spawnParley } from '../support/spawned.ts'
import { stopwatch } from '../support/stopwatch.ts'

const announced = (live: Gateway, userId: number): string[] =>
  live
    .of('presence.updated')
    .flatMap(({ d }) => d.users.filter((user: any) => user.user_id === userId).map((user: any) => user.status))

const listed = async (who: Person, server_id: number, userId: number): Promise<string> => {
  const { body } = await who.get(`/api/servers/${server_id}/members`)
  return body.find((member: { user: { id: number } }) => member.user.id === userId).status
}

describe.if(redisProgram !== undefined)('presence on several nodes', async () => {
  const redis = await redisServer()
  const one = await boot({ REDIS_URL: redis.url })
  const two = await boot({}, one)
  await until(() => one.parts.nodes.others().length === 1 && two.parts.nodes.others().length === 1)
  afterAll(async () => {
    for (const parley of [one, two]) await stop(parley)
  })
  /** Moves the clock by this much, past a debounce, until the condition holds; repeats if the debounce began later. */
  const after = async (ms: number, open: Gateway[], condition: () => boolean) => {
    let nextAt = 0
    try {
      await until(async () => {
        if (condition()) return true
        if (performance.now() < nextAt) return false
        // The heartbeat closes a socket that was silent for 31 s by the moved clock, so each sends while the clock
        // stands still.
        const now = Date.now()
        setSystemTime(new Date(now))
        await Promise.all(open.map((live) => live.settled()))
        setSystemTime(new Date(now + ms))
        nextAt = performance.now() + 3_000
        return false
      })
    } finally {
      setSystemTime()
    }
  }

  test('the status that was set last counts, though the other node’s clock is minutes ahead', async () => {
    const [alice, bob] = [await person(one, 'alice'), await person(one, 'bob')]
    const { server_id } = await newServer(alice, bob)
    const desk = await connect(bob)
    // Writes the status as a node whose clock is ahead.
    two.parts.nodes.table('presence').put(String(bob.id), `idle ${Date.now() + 300_000}`)
    await until(async () => (await listed(alice, server_id, bob.id)) === 'idle')
    await desk.command('presence.set', { status: 'online' })
    await until(async () => (await listed(by(two, alice), server_id, bob.id)) === 'online')
    two.parts.nodes.table('presence').put(String(bob.id), undefined)
    desk.close()
    await desk.closed
  })

  test('a choice on one node counts on the other at once, and after missed notices', async () => {
    const [alice, bob] = [await person(one, 'alice'), await person(one, 'bob')]
    const { server_id, channel_id } = await newServer(alice, bob)
    const [watcher, phone] = [await connect(alice), await connect(by(two, bob))]
    await until(() => announced(watcher, bob.id).length === 1)
    const choose = (body: object) => bob.put('/api/auth/status', body)
    await choose({ status: 'dnd', text: 'In a meeting' })
    await until(async () => (await listed(alice, server_id, bob.id)) === 'dnd')
    expect((await phone.next('status.updated')).d.text).toBe('In a meeting')
    await until(() => announced(watcher, bob.id).length === 2)
    expect((await choose({ status: 'invisible' })).status).toBe(200)
    expect((await phone.command('typing.start', { channel_id })).d).toEqual({})
    await until(() => announced(watcher, bob.id).length === 3)
    for (const row of one.parts.nodes.table('presence').at(String(bob.id)).values())
      expect(row).toStartWith('invisible')
    for (const reader of [alice, by(two, alice)]) expect(await listed(reader, server_id, bob.id)).toBe('offline')
    // A node that may have missed a choice reads it.
    await two.parts.bus.notify({ kind: 'recheck_all' })
    await one.parts.sql`update users set own_status = 'idle', status_set_at = status_set_at + 1000 where id = ${bob.id}`
    await two.parts.bus.notify({ kind: 'recheck_all' })
    await until(async () => (await listed(alice, server_id, bob.id)) === 'idle')
    await until(() => announced(watcher, bob.id).length === 4)
    expect(announced(watcher, bob.id)).toEqual(['online', 'dnd', 'offline', 'idle'])
    expect(watcher.of('typing.started')).toEqual([])
    for (const live of [watcher, phone]) live.close()
    await phone.closed
  })

  test('a status that is due while a node may have missed notices is announced after it catches up', async () => {
    const [alice, bob] = [await person(one, 'alice'), await person(one, 'bob')]
    const { server_id } = await newServer(alice, bob)
    const watcher = await connect(alice)
    await one.parts.bus.notify({ kind: 'disconnected' })
    const phone = await connect(by(two, bob))
    await until(async () => (await listed(alice, server_id, bob.id)) === 'online')
    // Longer than the delay of announced arrivals.
    await Bun.sleep(600)
    await watcher.settled()
    expect(announced(watcher, bob.id)).toEqual([])
    await one.parts.bus.notify({ kind: 'connected' })
    await until(() => announced(watcher, bob.id).length === 1)
    expect(announced(watcher, bob.id)).toEqual(['online'])
    for (const live of [phone, watcher]) live.close()
    await phone.closed
  })

  test('a status on one node is announced on the other, and both list the same status', async () => {
    const [alice, bob] = [await person(one, 'alice'), await person(one, 'bob')]
    const { server_id } = await newServer(alice, bob)
    const watcher = await connect(alice)
    const bothList = async (status: string) =>
      (await listed(alice, server_id, bob.id)) === status &&
      (await listed(by(two, alice), server_id, bob.id)) === status
    const phone = await connect(by(two, bob))
    await until(() => bothList('online'))
    await after(5_100, [watcher, phone], () => announced(watcher, bob.id).length === 1)
    // The status that was set last counts, on any node; another socket does not change it.
    const desk = await connect(bob)
    await desk.command('presence.set', { status: 'online' })
    await phone.command('presence.set', { status: 'idle' })
    await until(() => bothList('idle'))
    await after(5_100, [watcher, phone, desk], () => announced(watcher, bob.id).length === 2)
    phone.close()
    await phone.closed
    await until(() => bothList('online'))
    await after(5_100, [watcher, desk], () => announced(watcher, bob.id).length === 3)
    desk.close()
    await desk.closed
    const both = [one, two].map((parley) => parley.parts.nodes.table('presence'))
    await until(() => both.every((table) => table.at(String(bob.id)).size === 0))
    expect(await bothList('online')).toBeTrue()
    await after(30_100, [watcher], () => announced(watcher, bob.id).length === 4)
    await until(() => bothList('offline'))
    expect(announced(watcher, bob.id)).toEqual(['online', 'idle', 'online', 'offline'])
    watcher.close()
  })

  test('an account that moves to another node when its node stops is not announced as offline', async () => {
    const three = await boot({}, one)
    const [alice, bob] = [await person(one, 'alice'), await person(one, 'bob')]
    const { server_id } = await newServer(alice, bob)
    const watcher = await connect(alice)
    const phone = await connect(by(three, bob))
    await until(async () => (await listed(alice, server_id, bob.id)) === 'online')
    await after(5_100, [watcher, phone], () => announced(watcher, bob.id).length === 1)
    await stop(three)
    await phone.closed
    await until(() => one.parts.nodes.others().length === 1)
    await Bun.sleep(2_500)
    expect(await listed(alice, server_id, bob.id)).toBe('online')
    const again = await connect(by(two, bob))
    await Bun.sleep(2_500)
    expect(announced(watcher, bob.id)).toEqual(['online'])
    again.close()
    watcher.close()
  })

  test(
    'accounts of a killed node are announced as offline within 15 s, except those that came back on another node',
    async () => {
      const three = await spawnParley(dataDirectory(), inCommon(one))
      const names = ['alice', 'bob', 'carol']
      const [alice, bob, carol] = (await Promise.all(names.map((name) => person(one, name)))) as [
        Person,
        Person,
        Person,
      ]
      const { server_id } = await newServer(alice, bob, carol)
      const watchers = [await connect(alice), await connect(by(two, alice))]
      const [lost, mover] = [await connect(by(three.parley, bob)), await connect(by(three.parley, carol))]
      const all = [bob, carol]
      await until(() => watchers.every((live) => all.every(({ id }) => announced(live, id).length === 1)))
      const [killedAt, passed] = [performance.now(), stopwatch()]
      three.child.kill('SIGKILL')
      await Promise.all([lost.closed, mover.closed])
      const moved = await connect(by(two, carol))
      await until(() => watchers.every((live) => announced(live, bob.id).at(-1) === 'offline'))
      expect(performance.now() - killedAt).toBeGreaterThan(7_500)
      expect(passed()).toBeLessThan(15_000)
      for (const parley of [one, two]) expect(await listed(by(parley, alice), server_id, bob.id)).toBe('offline')
      for (const live of watchers)
        expect(all.map(({ id }) => announced(live, id))).toEqual([['online', 'offline'], ['online']])
      for (const parley of [one, two]) expect(await listed(by(parley, alice), server_id, carol.id)).toBe('online')
      for (const live of [...watchers, moved]) live.close()
    },
    SPAWN_MS,
  )

  test(
    'a suspended node has its accounts back when it resumes, and announces no other account as offline',
    async () => {
      const three = await spawnParley(dataDirectory(), inCommon(one))
      const [alice, bob] = [await person(one, 'alice'), await person(one, 'bob')]
      const { server_id } = await newServer(alice, bob)
      const watcher = await connect(alice)
      const phone = await connect(by(three.parley, bob))
      await until(() => announced(watcher, bob.id).length === 1)
      three.child.kill('SIGSTOP')
      await until(() => announced(watcher, bob.id).length === 2)
      three.child.kill('SIGCONT')
      expect(await listed(by(three.parley, alice), server_id, alice.id)).toBe('online')
      await until(() => announced(watcher, bob.id).length === 3)
      expect(announced(watcher, bob.id)).toEqual(['online', 'offline', 'online'])
      // Longer than the interval of announcements.
      await Bun.sleep(2_500)
      expect(await listed(by(three.parley, alice), server_id, alice.id)).toBe('online')
      await phone.settled()
      expect(announced(phone, alice.id)).not.toContain('offline')
      for (const live of [watcher, phone]) live.close()
    },
    SPAWN_MS,
  )
})
