import { describe, expect, test } from 'bun:test'
import { type Person, person, until } from '../../support/harness.ts'
import { by, inCallBy, joinAgain, nodesOn } from '../../support/installation.ts'
import { redisProgram, redisServer } from '../../support/redis.ts'
import { connect, type Gateway } from '../../support/socket.ts'
import { joinVoice, presentIn, refusedWith, voiceChannel, voiceServer } from '../../support/voice-people.ts'

const candidate = (to: string, text: string) => ({ to, epoch: 1, candidate: { candidate: text } })

describe.if(redisProgram !== undefined)('calls over nodes whose Redis comes and goes', async () => {
  const redis = await redisServer()
  const [one, two] = await nodesOn(redis)
  const people = async () =>
    (await Promise.all(['alice', 'bob', 'carol'].map((name) => person(one, name)))) as [Person, Person, Person]

  /** In a call that the first node owns, with its confirmation there: commands arrive after it. */
  const inSettledCall = async (who: Person, channel_id: number) => {
    const call = await inCallBy(two, who, channel_id)
    await call.gateway.command('voice.ice_servers')
    return call
  }

  test('while Redis is away a call goes on at its owner and others wait; afterwards all works as before', async () => {
    const [alice, bob, carol] = await people()
    const { channel_id } = await voiceServer(alice, bob, carol)
    const [a, b] = [await inCallBy(one, alice, channel_id), await inCallBy(one, bob, channel_id)]
    const c = await inSettledCall(carol, channel_id)
    await until(async () => (await presentIn(by(two, alice), channel_id)).length === 3)
    const watching = await connect(by(two, alice))
    await redis.kill()
    await until(async () => (await refusedWith(c.gateway, 'voice.update', { self_deaf: true })) === 'unavailable')
    expect((await b.gateway.command('voice.candidate', candidate(a.id, 'local'))).d).toEqual({})
    await a.gateway.next('voice.candidate')
    await b.gateway.command('voice.update', { self_mute: true })
    // Longer than the silence after which a node counts as lost.
    await Bun.sleep(4_000)
    expect(await refusedWith(c.gateway, 'voice.update', { self_deaf: true })).toBe('unavailable')
    await redis.restart()
    await until(async () => (await refusedWith(c.gateway, 'voice.update', { self_deaf: true })) === undefined)
    expect((await c.gateway.command('voice.candidate', candidate(a.id, 'again'))).d).toEqual({})
    await a.gateway.next('voice.candidate', ({ d }) => d.candidate.candidate === 'again')
    await watching.next('voice.state_updated', ({ d }) => d.user.id === bob.id && d.self_mute)
    for (const { gateway } of [a, b, c]) {
      expect(gateway.of('voice.disconnected')).toEqual([])
      expect(gateway.of('voice.peer_left')).toEqual([])
      gateway.close()
    }
    watching.close()
  })

  test('joins, mutes and leaves during an outage of Redis reach other nodes when Redis is back', async () => {
    const [alice, bob, carol] = await people()
    const { channel_id } = await voiceServer(alice, bob, carol)
    const a = await inCallBy(one, alice, channel_id)
    const c = await inSettledCall(carol, channel_id)
    await redis.kill()
    await until(() => one.parts.bus.state() === 'away' && two.parts.bus.state() === 'away')
    const b = await inCallBy(one, bob, channel_id)
    await a.gateway.command('voice.leave')
    await b.gateway.command('voice.update', { self_mute: true })
    await redis.restart()
    await c.gateway.next('voice.peer_updated', ({ d }) => d.voice_session_id === b.id && d.self_mute)
    // A change is announced once, although frames are sent again after a second.
    await Bun.sleep(2_500)
    const frames = c.gateway.frames.filter(({ t }) => /^voice\.(peer_|disconnected)/.test(t))
    expect(frames.map(({ t, d }) => [t, d.voice_session_id])).toEqual([
      ['voice.peer_joined', b.id],
      ['voice.peer_left', a.id],
      ['voice.peer_updated', b.id],
    ])
    for (const { gateway } of [a, b, c]) gateway.close()
  })

  test('members moved or disconnected by their own node while Redis stood still are notified afterwards', async () => {
    const [alice, bob, carol] = await people()
    const { server_id, channel_id } = await voiceServer(alice, bob, carol)
    const other = await voiceChannel(alice, server_id, 'dusk')
    const [a, meanwhile] = [await inCallBy(one, alice, channel_id), await inCallBy(one, alice, other)]
    const [b, c] = [await inSettledCall(bob, other), await inSettledCall(carol, other)]
    redis.freeze()
    // Longer than a node keeps resending.
    await Bun.sleep(5_500)
    const moved = { server_id, user_id: bob.id, channel_id }
    expect(await refusedWith(meanwhile.gateway, 'voice.move_member', moved)).toBeUndefined()
    expect(await refusedWith(a.gateway, 'voice.disconnect_member', { server_id, user_id: carol.id })).toBeUndefined()
    redis.thaw()
    const { d } = await b.gateway.next('voice.moved')
    expect(d.channel_id).toBe(channel_id)
    const disconnection = (await c.gateway.next('voice.disconnected')).d
    expect(disconnection).toEqual({ voice_session_id: c.id, reason: 'disconnected' })
    await until(async () => (await refusedWith(b.gateway, 'voice.update', { self_mute: true })) === undefined)
    await Bun.sleep(1_500)
    expect([b, c].map(({ gateway }) => gateway.of('voice.disconnected').length)).toEqual([0, 1])
    for (const { gateway } of [a, meanwhile, b, c]) gateway.close()
  })

  test('a room that two nodes opened meanwhile becomes one: members on one node are asked to rejoin', async () => {
    const [alice, bob] = await people()
    const { channel_id } = await voiceServer(alice, bob)
    await redis.kill()
    await until(() => one.parts.bus.state() === 'away' && two.parts.bus.state() === 'away')
    const [a, b] = [await inCallBy(one, alice, channel_id), await inCallBy(two, bob, channel_id)]
    expect([a.seat.peers, b.seat.peers]).toEqual([[], []])
    await redis.restart()
    const winner = await Promise.race(
      [a, b].map(async (each) => {
        const { d } = await each.gateway.next('voice.disconnected')
        expect(d).toEqual({ voice_session_id: each.id, reason: 'rejoin' })
        return each
      }),
    )
    const other = winner === a ? b : a
    expect(other.gateway.of('voice.disconnected')).toEqual([])
    // A command forwarded just now may still have been lost.
    const again = await joinAgain(winner.gateway, channel_id)
    expect(again.peers.map((peer) => peer.voice_session_id)).toEqual([other.id])
    await until(async () => (await presentIn(by(two, alice), channel_id)).length === 2)
    for (const { gateway } of [a, b]) gateway.close()
  })

  test('if two rooms were opened for one channel meanwhile, the one with more members stays', async () => {
    for (const [first, second] of [
      [one, two],
      [two, one],
    ] as const) {
      const [alice, bob, carol] = await people()
      const { channel_id } = await voiceServer(alice, bob, carol)
      const [a, b, c] = (await Promise.all([
        connect(by(first, alice)),
        connect(by(second, bob)),
        connect(by(second, carol)),
      ])) as [Gateway, Gateway, Gateway]
      redis.freeze()
      // Redis receives the smaller and older room first when it resumes.
      const small = await joinVoice(a, channel_id)
      const large = [await joinVoice(b, channel_id), await joinVoice(c, channel_id)]
      expect([small.peers.length, large[1]?.peers.length]).toEqual([0, 1])
      redis.thaw()
      const thawedAt = performance.now()
      const { d } = await a.next('voice.disconnected')
      console.log(`asked to rejoin ${Math.round(performance.now() - thawedAt)} ms after Redis went on`)
      expect(d).toEqual({ voice_session_id: small.voice_session_id, reason: 'rejoin' })
      const again = await joinAgain(a, channel_id)
      expect(again.peers.map((peer) => peer.user.id)).toEqual([bob.id, carol.id])
      for (const live of [b, c]) expect(live.of('voice.disconnected')).toEqual([])
      for (const live of [a, b, c]) live.close()
    }
  })

  test('if two rooms have equally many members, the older one stays', async () => {
    for (const [first, second] of [
      [one, two],
      [two, one],
    ] as const) {
      const [alice, bob] = await people()
      const { channel_id } = await voiceServer(alice, bob)
      await redis.kill()
      await until(() => one.parts.bus.state() === 'away' && two.parts.bus.state() === 'away')
      const older = await inCallBy(first, alice, channel_id)
      // Ages are compared by the second.
      await Bun.sleep(1_000)
      const younger = await inCallBy(second, bob, channel_id)
      await redis.restart()
      const { d } = await younger.gateway.next('voice.disconnected')
      expect(d).toEqual({ voice_session_id: younger.id, reason: 'rejoin' })
      expect((await joinAgain(younger.gateway, channel_id)).peers.map((peer) => peer.user.id)).toEqual([alice.id])
      expect(older.gateway.of('voice.disconnected')).toEqual([])
      for (const { gateway } of [older, younger]) gateway.close()
    }
  })

  test('if an account took a seat on both sides meanwhile, one seat stays', async () => {
    const [alice, bob] = await people()
    const { server_id, channel_id } = await voiceServer(alice, bob)
    const other = await voiceChannel(alice, server_id, 'dusk')
    await redis.kill()
    await until(() => one.parts.bus.state() === 'away' && two.parts.bus.state() === 'away')
    const first = await inCallBy(one, bob, channel_id)
    const second = await inCallBy(two, bob, other)
    await redis.restart()
    const disconnection = (await first.gateway.next('voice.disconnected')).d
    expect(disconnection).toEqual({ voice_session_id: first.id, reason: 'taken_over' })
    for (const node of [one, two]) await until(async () => (await presentIn(by(node, alice), other)).length === 1)
    expect(await presentIn(by(one, alice), channel_id)).toEqual([])
    for (const { gateway } of [first, second]) gateway.close()
  })

  test('while Redis stands still forwarded commands are refused in time, and nobody loses a seat', async () => {
    const [alice, bob] = await people()
    const { channel_id } = await voiceServer(alice, bob)
    const [a, b] = [await inCallBy(one, alice, channel_id), await inSettledCall(bob, channel_id)]
    redis.freeze()
    expect(await refusedWith(b.gateway, 'voice.update', { self_mute: true })).toBe('unavailable')
    await Bun.sleep(3_000)
    redis.thaw()
    await until(async () => (await refusedWith(b.gateway, 'voice.update', { self_mute: true })) === undefined)
    await a.gateway.next('voice.peer_updated', ({ d }) => d.voice_session_id === b.id && d.self_mute)
    for (const { gateway } of [a, b]) {
      expect(gateway.of('voice.disconnected')).toEqual([])
      expect(gateway.of('voice.peer_left')).toEqual([])
      gateway.close()
    }
  })

  test('changes made while a node does not hear of lost access reach its sockets afterwards', async () => {
    const [alice, bob, carol] = await people()
    const { server_id, channel_id } = await voiceServer(alice, bob, carol)
    const other = await voiceChannel(alice, server_id, 'dusk')
    const a = await inCallBy(one, alice, channel_id)
    const b = await inCallBy(one, bob, channel_id)
    await until(async () => (await presentIn(by(two, carol), channel_id)).length === 2)
    const live = await connect(by(two, carol))
    await two.parts.bus.notify({ kind: 'disconnected' })
    await a.gateway.command('voice.leave')
    await joinVoice(b.gateway, other)
    await b.gateway.command('voice.update', { self_mute: true })
    await until(async () => (await presentIn(by(one, alice), other)).length === 1)
    await Bun.sleep(700)
    expect(live.of('voice.state_updated')).toEqual([])
    await two.parts.bus.notify({ kind: 'connected' })
    await live.next('voice.state_updated', ({ d }) => d.user.id === bob.id && d.self_mute)
    const states = live.of('voice.state_updated').map(({ d }) => [d.user.id, d.channel_id])
    expect(states).toEqual([
      [alice.id, null],
      [bob.id, null],
      [bob.id, other],
    ])
    for (const each of [a.gateway, b.gateway, live]) each.close()
  })

  test('a leave that could not be announced before the next join is not announced after it', async () => {
    const [alice, bob] = await people()
    const { channel_id } = await voiceServer(alice, bob)
    const b = await inCallBy(one, bob, channel_id)
    const presentCount = async () => (await presentIn(by(two, alice), channel_id)).length
    await until(async () => (await presentCount()) === 1)
    const live = await connect(by(two, alice))
    await two.parts.bus.notify({ kind: 'disconnected' })
    await b.gateway.command('voice.leave')
    await until(async () => (await presentCount()) === 0)
    await two.parts.bus.notify({ kind: 'connected' })
    await joinVoice(b.gateway, channel_id)
    await live.next('voice.state_updated', ({ d }) => d.channel_id === channel_id)
    // Undelivered frames are retried five times a second.
    await Bun.sleep(300)
    expect(live.of('voice.state_updated').map(({ d }) => d.channel_id)).toEqual([null, channel_id])
    for (const each of [b.gateway, live]) each.close()
  })

  test('nonsense from another node harms nothing', async () => {
    const [alice, bob] = await people()
    const { channel_id } = await voiceServer(alice, bob)
    const [a, b] = [await inCallBy(one, alice, channel_id), await inCallBy(two, bob, channel_id)]
    const kinds = ['command', 'confirm', 'cancel', 'move', 'answer', 'frame', 'closed', 'renamed', 'beat'].map(
      (kind) => `voice.${kind}`,
    )
    const client = { id: 1, user_id: bob.id, session_id: 1, base: 'http://localhost' }
    const bodies = [
      null,
      [],
      'x',
      {},
      { n: 1 },
      { n: -1, client, op: 'voice.leave', d: {} },
      { n: 1, client: 1e9, op: 'voice.leave' },
      { n: 1, client, op: '__proto__', d: {} },
      { n: 1, client, op: 'constructor', d: {} },
      { n: 1, client: { ...client, base: 'nonsense' }, op: 'voice.join', d: { channel_id } },
      { n: 1e6, client: { ...client, id: 1e9 }, op: 'voice.join', d: { channel_id: 'all' } },
      { n: 1e6, client: { ...client, id: 1e9 }, op: 'voice.description', d: { to: {}, epoch: 1e99 } },
      { client: 1e9, seat: 'x', frame: '{"t":"' },
      { client: 1e9, seat: null, frame: 7 },
      { client: 1e9, seat: null, frame: '{"t":"x"}', n: 'x', after: -1 },
      { clients: [[1]], seats: [[1, 2]] },
      { clients: 'all', seats: {} },
      { got: 'all', frames: -1 },
      { got: 1e15 },
      { user: { id: alice.id } },
    ]
    const [from, to] = [one.parts.nodes, two.parts.nodes]
    for (const kind of kinds)
      for (const body of bodies) {
        from.send(to.id, kind, body)
        to.send(from.id, kind, body)
      }
    for (const { parts } of [one, two])
      for (const row of ['', '{', 'null', '{"rank":1}', JSON.stringify({ rank: 'x', state: { user: { id: 5 } } })])
        for (const key of ['5', 'x', '-1', '__proto__']) parts.nodes.table('voice').put(key, row)
    await Bun.sleep(300)
    expect((await b.gateway.command('voice.candidate', candidate(a.id, 'x'))).d).toEqual({})
    await a.gateway.next('voice.candidate')
    for (const node of [one, two]) expect(await presentIn(by(node, alice), channel_id)).toEqual([alice.id, bob.id])
    for (const { gateway } of [a, b]) {
      expect(gateway.of('voice.disconnected')).toEqual([])
      gateway.close()
    }
  })
})
