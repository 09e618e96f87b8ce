import { describe, expect, test } from 'bun:test'
import type { Parley } from '../../../src/parley.ts'
import { withCalls } from '../../support/browser/voice.ts'
import { boot, person, stop, until } from '../../support/harness.ts'
import { by, inCallBy } from '../../support/installation.ts'
import { redisProgram, redisServer } from '../../support/redis.ts'
import { SPAWN_MS } from '../../support/spawned.ts'
import { stageServer } from '../../support/stages.ts'
import { presentIn } from '../../support/voice-people.ts'
import { done } from '../../support/voice-sfu-people.ts'

describe.if(redisProgram !== undefined)('stages of a process that drains', async () => {
  const calls = await withCalls()
  const drain = (node: Parley) => node.drain(new AbortController().signal)
  /** What a process says to another about the rooms that it takes. */
  const saysOf = (node: Parley, { parts: { nodes } }: Parley) => node.parts.nodes.table('voice_nodes').at(nodes.id)

  /** Alice speaks, from the first process, in a stage of the last one. Carol listens there. */
  async function talk(one: Parley, ending: Parley) {
    const [alice, carol] = await Promise.all(['alice', 'carol'].map((name) => person(one, name)))
    const { channel_id } = await stageServer(alice!, carol!)
    const c = await inCallBy(ending, carol!, channel_id)
    const a = await inCallBy(one, alice!, channel_id)
    await done(a.gateway, 'voice.go_up')
    await c.gateway.next('voice.peer_joined', ({ d }) => d.voice_session_id === a.id)
    return { alice: alice!, a, c, channel_id }
  }

  test(
    'a stage goes on at a process whose SFU works, and at no other',
    async () => {
      const redis = await redisServer()
      const plain = await boot({ REDIS_URL: redis.url })
      const able = await boot(calls, plain)
      const ending = await boot(calls, plain)
      await until(() => able.sfu.state() === 'ready' && ending.sfu.state() === 'ready')
      const { a, c } = await talk(plain, ending)
      await until(() => saysOf(ending, able).get(able.parts.nodes.id) === 'sfu')
      await until(() => saysOf(ending, plain).get(plain.parts.nodes.id) === 'open')
      const draining = drain(ending)
      await a.gateway.next('voice.handed_over')
      expect((await a.gateway.next('voice.route')).d).toMatchObject({ route: 'sfu', reason: 'stage' })
      await until(() => able.sfu.figures().some(({ rooms }) => rooms === 1))
      await draining
      await stop(ending)
      expect(a.gateway.of('voice.disconnected')).toEqual([])
      // The speaker still is one.
      await done(a.gateway, 'voice.sfu.create_transport', { direction: 'send' })
      await done(a.gateway, 'voice.update', { camera: true })
      for (const { gateway } of [a, c]) gateway.close()
      for (const node of [able, plain]) await stop(node)
    },
    SPAWN_MS,
  )

  test(
    'where no other process has an SFU that works, the members of a stage are asked to join again',
    async () => {
      const redis = await redisServer()
      const plain = await boot({ REDIS_URL: redis.url })
      const ending = await boot(calls, plain)
      await until(() => ending.sfu.state() === 'ready')
      const { alice, a, channel_id } = await talk(plain, ending)
      await until(() => saysOf(ending, plain).get(plain.parts.nodes.id) === 'open')
      await drain(ending)
      await stop(ending)
      const { d } = await a.gateway.next('voice.disconnected')
      expect(d).toEqual({ voice_session_id: a.id, reason: 'rejoin' })
      expect(a.gateway.of('voice.handed_over')).toEqual([])
      await until(async () => (await presentIn(by(plain, alice), channel_id)).length === 0)
      a.gateway.close()
      await stop(plain)
    },
    SPAWN_MS,
  )
})
