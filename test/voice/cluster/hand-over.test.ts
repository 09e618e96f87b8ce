import { describe, expect, test } from 'bun:test'
import type { Parley } from '../../../src/parley.ts'
import { boot, type Person, person, stop, until } from '../../support/harness.ts'
import { by, inCallBy, joinAgain, nodesOn } from '../../support/installation.ts'
import { redisProgram, redisServer } from '../../support/redis.ts'
import { connect } from '../../support/socket.ts'
import { SPAWN_MS } from '../../support/spawned.ts'
import { presentIn, voiceServer } from '../../support/voice-people.ts'

describe.if(redisProgram !== undefined)('calls of a process that drains', async () => {
  const redis = await redisServer()
  const [one, two] = await nodesOn(redis, { CALLS_ENCRYPTION: 'preferred' })

  /** A third process, which owns the call of carol, alice and bob; their sockets are on three processes. */
  async function stage(options: object = {}) {
    const ending = await boot({ CALLS_ENCRYPTION: 'preferred' }, one)
    const knows = (node: Parley) => node.parts.nodes.others().includes(ending.parts.nodes.id)
    await until(() => knows(one) && knows(two) && ending.parts.nodes.others().length >= 2)
    const people = await Promise.all(['alice', 'bob', 'carol', 'dave'].map((name) => person(one, name)))
    const [alice, bob, carol, dave] = people as [Person, Person, Person, Person]
    const { server_id, channel_id } = await voiceServer(alice, bob, carol, dave)
    const c = await inCallBy(ending, carol, channel_id, options)
    const a = await inCallBy(one, alice, channel_id, options)
    const b = await inCallBy(two, bob, channel_id, options)
    await until(() => [a, c].every(({ gateway }) => gateway.of('voice.peer_joined').length > 0))
    return { ending, alice, bob, carol, dave, a, b, c, server_id, channel_id }
  }
  const drain = (node: Parley) => node.drain(new AbortController().signal)
  const closeAll = (...all: { close(): void }[]) => all.forEach((gateway) => gateway.close())

  test(
    'a call goes on at another process with the same voice sessions, and everybody keeps their seats',
    async () => {
      const { ending, alice, bob, carol, dave, a, b, c, channel_id } = await stage()
      const draining = drain(ending)
      for (const each of [a, b, c]) {
        const { d } = await each.gateway.next('voice.handed_over')
        expect(d.voice_session_id).toBe(each.id)
      }
      await c.gateway.closed
      await a.gateway.next('voice.peer_updated', ({ d }) => d.voice_session_id === c.id && d.reconnecting)
      const again = await connect(by(one, carol))
      const { d: seat } = await again.command('voice.resume', { voice_session_id: c.id, epoch: c.seat.epoch })
      expect([seat.voice_session_id, seat.epoch, seat.route]).toEqual([c.id, c.seat.epoch, 'p2p'])
      expect(new Set(seat.peers.map((peer: { voice_session_id: string }) => peer.voice_session_id))).toEqual(
        new Set([a.id, b.id]),
      )
      await draining
      await stop(ending)
      const candidate = { epoch: 1, candidate: { candidate: 'x' } }
      for (const [from, to, receiver] of [
        [a.gateway, b, b.gateway],
        [b.gateway, c, again],
        [again, a, a.gateway],
      ] as const) {
        expect((await from.command('voice.candidate', { to: to.id, ...candidate })).error).toBeUndefined()
        await receiver.next('voice.candidate')
      }
      const d = await inCallBy(two, dave, channel_id)
      expect(d.seat.peers).toHaveLength(3)
      await a.gateway.next('voice.peer_joined', ({ d: peer }) => peer.voice_session_id === d.id)
      for (const node of [one, two])
        await until(async () => (await presentIn(by(node, alice), channel_id)).length === 4)
      for (const { gateway } of [a, b]) {
        expect(gateway.of('voice.disconnected')).toEqual([])
        expect(gateway.of('voice.peer_left')).toEqual([])
        expect(gateway.of('voice.state_updated').filter(({ d: state }) => state.channel_id === null)).toEqual([])
      }
      expect(bob.id).not.toBe(carol.id)
      closeAll(a.gateway, b.gateway, again, d.gateway)
    },
    SPAWN_MS,
  )

  test(
    'the group of an encrypted call goes on: a commit for its epoch still counts, and a welcome arrives',
    async () => {
      const { ending, a, b, c } = await stage({ encrypts: true })
      const group = c.seat.encryption?.group
      const key = { group, epoch: 0, kind: 'key_package', data: 'AAAA' }
      expect((await c.gateway.command('voice.mls', key)).d).toEqual({ accepted: true, founder: true })
      expect((await a.gateway.command('voice.mls', key)).d).toEqual({ accepted: true, founder: false })
      const commit = { group, epoch: 0, kind: 'commit', data: 'BBBB', welcome: 'CCCC', added: [a.id] }
      expect((await c.gateway.command('voice.mls', commit)).d.accepted).toBe(true)
      expect((await a.gateway.next('voice.mls')).d).toMatchObject({ kind: 'welcome', epoch: 1, from: c.id })
      await b.gateway.command('voice.mls', key)
      await a.gateway.next('voice.mls', ({ d }) => d.kind === 'key_package' && d.from === b.id)
      const draining = drain(ending)
      await a.gateway.next('voice.handed_over')
      const second = { group, kind: 'commit', data: 'DDDD', welcome: 'EEEE', added: [b.id] }
      expect((await a.gateway.command('voice.mls', { ...second, epoch: 0 })).d.accepted).toBe(false)
      expect((await a.gateway.command('voice.mls', { ...second, epoch: 1 })).d.accepted).toBe(true)
      expect((await b.gateway.next('voice.mls', ({ d }) => d.kind === 'welcome')).d).toMatchObject({ epoch: 2 })
      for (const { gateway } of [a, b]) expect(gateway.of('voice.encryption')).toEqual([])
      await draining
      await stop(ending)
      closeAll(a.gateway, b.gateway)
    },
    SPAWN_MS,
  )

  test(
    'commands that arrive while the call moves are answered by its next owner',
    async () => {
      const { ending, a, b, c } = await stage()
      const draining = drain(ending)
      const answers = await Promise.all(
        Array.from({ length: 40 }, async (_, at) => {
          await Bun.sleep(at * 2)
          return (await a.gateway.command('voice.update', { self_mute: at % 2 === 0 })).error
        }),
      )
      expect(answers.filter(Boolean)).toEqual([])
      await b.gateway.next('voice.peer_updated', ({ d }) => d.voice_session_id === a.id && !d.self_mute)
      await c.gateway.closed
      await draining
      await stop(ending)
      closeAll(a.gateway, b.gateway)
    },
    SPAWN_MS,
  )

  test(
    'a member who loses the channel while the call moves is not in it afterwards',
    async () => {
      const { ending, alice, bob, a, b, channel_id, server_id } = await stage()
      const draining = drain(ending)
      const { status } = await alice.delete(`/api/servers/${server_id}/members/${bob.id}`)
      expect(status).toBe(204)
      await draining
      await a.gateway.next('voice.peer_left', ({ d }) => d.voice_session_id === b.id)
      expect((await b.gateway.next('voice.disconnected')).d).toEqual({ voice_session_id: b.id, reason: 'access' })
      await stop(ending)
      await until(async () => !(await presentIn(by(two, alice), channel_id)).includes(bob.id))
      closeAll(a.gateway, b.gateway)
    },
    SPAWN_MS,
  )

  test(
    'what a moderator does to a member while the call moves is done, or refused',
    async () => {
      const { ending, alice, bob, a, b, channel_id, server_id } = await stage()
      const moderator = await connect(by(two, alice))
      const draining = drain(ending)
      const target = { server_id, user_id: bob.id }
      let code: string | undefined = 'unavailable'
      while (code === 'unavailable') code = (await moderator.command('voice.disconnect_member', target)).error?.code
      expect(code).toBeUndefined()
      const { d } = await b.gateway.next('voice.disconnected')
      expect(d).toEqual({ voice_session_id: b.id, reason: 'disconnected' })
      await draining
      await stop(ending)
      await a.gateway.next('voice.peer_left', ({ d: peer }) => peer.voice_session_id === b.id)
      for (const node of [one, two])
        await until(async () => !(await presentIn(by(node, alice), channel_id)).includes(bob.id))
      closeAll(a.gateway, b.gateway, moderator)
    },
    SPAWN_MS,
  )

  test(
    'if the process of a member is of an earlier version, the members are asked to join again, elsewhere',
    async () => {
      const { ending, alice, a, b, c, channel_id } = await stage()
      const table = two.parts.nodes.table('voice_nodes')
      table.put(two.parts.nodes.id, undefined)
      await until(() => ending.parts.nodes.table('voice_nodes').at(two.parts.nodes.id).size === 0)
      const draining = drain(ending)
      for (const each of [a, b]) {
        const { d } = await each.gateway.next('voice.disconnected')
        expect(d).toEqual({ voice_session_id: each.id, reason: 'rejoin' })
        await joinAgain(each.gateway, channel_id)
      }
      table.put(two.parts.nodes.id, 'open')
      await c.gateway.closed
      await draining
      await stop(ending)
      await until(async () => (await presentIn(by(two, alice), channel_id)).length === 2)
      expect(a.gateway.of('voice.disconnected')).toHaveLength(1)
      closeAll(a.gateway, b.gateway)
    },
    SPAWN_MS,
  )
})
