import { describe, expect, test } from 'bun:test'
import type { Parley } from '../../../src/parley.ts'
import { type Person, person, until } from '../../support/harness.ts'
import { by, inCallBy, inCommon, joinAgain, nodesOn } from '../../support/installation.ts'
import { redisProgram, redisServer } from '../../support/redis.ts'
import { connect } from '../../support/socket.ts'
import { dataDirectory, SPAWN_MS, spawnParley } from '../../support/spawned.ts'
import { stopwatch } from '../../support/stopwatch.ts'
import { presentIn, refusedWith, voiceServer } from '../../support/voice-people.ts'

describe.if(redisProgram !== undefined)('calls whose node ends', async () => {
  const redis = await redisServer()
  const [one, two] = await nodesOn(redis)
  const another = () => spawnParley(dataDirectory(), inCommon(one))

  /** Alice's socket is on the first node, bob's on the second, carol's on the third, which owns the room. */
  async function stage() {
    const third = await another()
    const [alice, bob, carol] = (await Promise.all(['alice', 'bob', 'carol'].map((name) => person(one, name)))) as [
      Person,
      Person,
      Person,
    ]
    const { channel_id } = await voiceServer(alice, bob, carol)
    const c = await inCallBy(third.parley, carol, channel_id)
    const [a, b] = [await inCallBy(one, alice, channel_id), await inCallBy(two, bob, channel_id)]
    expect(b.seat.peers).toHaveLength(2)
    for (const node of [one, two]) await until(async () => (await presentIn(by(node, alice), channel_id)).length === 3)
    return { alice, bob, carol, a, b, c, channel_id, ...third }
  }

  /** Everyone joins again. @returns ms by a stopwatch until each was asked to rejoin, and until each had joined */
  async function allJoin({ a, b, carol, c, channel_id }: Awaited<ReturnType<typeof stage>>, node: Parley) {
    const passed = stopwatch()
    const requestTimes: number[] = []
    const back = async (each: typeof a) => {
      const { d } = await each.gateway.next('voice.disconnected')
      requestTimes.push(passed())
      expect(d).toEqual({ voice_session_id: each.id, reason: 'rejoin' })
      return (await joinAgain(each.gateway, channel_id)).voice_session_id
    }
    const reconnected = async () => {
      await c.gateway.closed
      const gateway = await connect(by(node, carol))
      const answer = await gateway.command('voice.resume', { voice_session_id: c.id, epoch: 1 })
      // The room's owner may still be shutting down.
      if (answer.error) expect(['not_found', 'unavailable']).toContain(answer.error.code)
      else await gateway.next('voice.disconnected', ({ d }) => d.reason === 'rejoin')
      return { gateway, id: (await joinAgain(gateway, channel_id)).voice_session_id }
    }
    const [first, second, third] = await Promise.all([back(a), back(b), reconnected()])
    return { first, second, third, asked_ms: Math.max(...requestTimes), joined_ms: passed() }
  }

  test(
    'members of a killed node’s call are asked to rejoin within 5 s, and are in one call again',
    async () => {
      const scene = await stage()
      const { child, a, b, alice, bob, carol, channel_id } = scene
      child.kill('SIGKILL')
      const { first, second, third, asked_ms, joined_ms } = await allJoin(scene, two)
      console.log(`asked to rejoin after ${Math.round(asked_ms)} ms, all in after ${Math.round(joined_ms)} ms`)
      expect(asked_ms).toBeLessThan(5_000)
      expect(new Set([first, second, third.id]).size).toBe(3)
      const candidate = { to: second, epoch: 1, candidate: { candidate: 'x' } }
      for (const live of [a.gateway, third.gateway])
        expect((await live.command('voice.candidate', candidate)).d).toEqual({})
      await until(() => b.gateway.of('voice.candidate').length === 2)
      for (const node of [one, two])
        await until(async () => {
          const present = await presentIn(by(node, alice), channel_id)
          return [alice, bob, carol].every(({ id }) => present.includes(id)) && present.length === 3
        })
      for (const live of [a.gateway, b.gateway, third.gateway]) live.close()
    },
    SPAWN_MS,
  )

  test(
    'if a node is stopped by Ctrl-C, the members of its calls are asked to rejoin at once',
    async () => {
      const scene = await stage()
      const { child, a, b, channel_id } = scene
      child.kill('SIGINT')
      const { asked_ms, third } = await allJoin(scene, two)
      console.log(`asked to rejoin ${Math.round(asked_ms)} ms after SIGINT`)
      await child.exited
      await until(async () => (await presentIn(by(one, a.who), channel_id)).length === 3)
      for (const live of [a.gateway, b.gateway, third.gateway]) live.close()
    },
    SPAWN_MS,
  )

  test(
    'a node that was suspended gives up the calls that moved to other nodes meanwhile',
    async () => {
      const { child, a, b, c, channel_id } = await stage()
      child.kill('SIGSTOP')
      const back = [a, b].map(async (each) => {
        await each.gateway.next('voice.disconnected', ({ d }) => d.reason === 'rejoin')
        return joinAgain(each.gateway, channel_id)
      })
      await Promise.all(back)
      child.kill('SIGCONT')
      const { d } = await c.gateway.next('voice.disconnected')
      expect(d).toEqual({ voice_session_id: c.id, reason: 'rejoin' })
      await joinAgain(c.gateway, channel_id)
      for (const node of [one, two])
        await until(async () => (await presentIn(by(node, a.who), channel_id)).length === 3)
      expect(a.gateway.of('voice.disconnected')).toHaveLength(1)
      for (const live of [a.gateway, b.gateway, c.gateway]) live.close()
      child.kill('SIGKILL')
    },
    SPAWN_MS,
  )

  test(
    'a member whose node is killed appears as reconnecting, and resumes its seat on another',
    async () => {
      const third = await another()
      const [alice, bob] = [await person(one, 'alice'), await person(one, 'bob')]
      const { channel_id } = await voiceServer(alice, bob)
      const a = await inCallBy(one, alice, channel_id)
      const b = await inCallBy(third.parley, bob, channel_id)
      third.child.kill('SIGKILL')
      await a.gateway.next('voice.peer_updated', ({ d }) => d.voice_session_id === b.id && d.reconnecting)
      const gateway = await connect(by(two, bob))
      const resume = { voice_session_id: b.id, epoch: 1 }
      expect((await gateway.command('voice.resume', resume)).d?.voice_session_id).toBe(b.id)
      await a.gateway.next('voice.peer_updated', ({ d }) => d.voice_session_id === b.id && !d.reconnecting)
      expect(await refusedWith(gateway, 'voice.update', { self_mute: true })).toBeUndefined()
      expect(a.gateway.of('voice.peer_left')).toEqual([])
      for (const live of [a.gateway, gateway]) live.close()
    },
    SPAWN_MS,
  )
})
