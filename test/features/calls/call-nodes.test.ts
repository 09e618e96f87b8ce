import { describe, expect, test } from 'bun:test'
import { type Person, person, say, until } from '../../support/harness.ts'
import { by, inCallBy, inCommon, joinAgain, nodesOn } from '../../support/installation.ts'
import { befriend } from '../../support/people.ts'
import { redisProgram, redisServer } from '../../support/redis.ts'
import { connect } from '../../support/socket.ts'
import { dataDirectory, SPAWN_MS, spawnParley } from '../../support/spawned.ts'
import { joinVoice, presentIn } from '../../support/voice-people.ts'

describe.if(redisProgram !== undefined)('calls of dms over several nodes', async () => {
  const redis = await redisServer()
  const [one, two] = await nodesOn(redis)

  async function friends() {
    const [alice, bob] = (await Promise.all(['alice', 'bob'].map((name) => person(one, name)))) as [Person, Person]
    await befriend(alice, bob)
    const channel_id: number = (await alice.post('/api/channels/direct', { recipient_ids: [bob.id] })).body.id
    await say(alice, channel_id, 'Hello')
    const calls = async () =>
      (await alice.get(`/api/channels/${channel_id}/messages`)).body.filter((row: any) => row.kind === 'call')
    return { alice, bob, channel_id, calls }
  }

  test('a call rings on the other node, is answered there, and leaves one message', async () => {
    const { alice, bob, channel_id, calls } = await friends()
    const [far, near] = [await connect(by(two, bob)), await connect(bob)]
    const a = await inCallBy(one, alice, channel_id)
    for (const live of [far, near]) expect((await live.next('call.ringing')).d.by).toBe(alice.id)
    const late = await connect(by(two, bob))
    expect(late.of('ready')[0]?.d.ringing).toMatchObject([{ channel_id }])
    expect((await joinVoice(far, channel_id)).peers.length).toBe(1)
    for (const live of [far, near, late]) expect((await live.next('call.ended')).d.reason).toBe('answered')
    await Promise.all([a.gateway.command('voice.leave'), far.command('voice.leave')])
    await until(async () => (await calls()).length > 0)
    await Promise.all([one.sweep(), two.sweep()])
    expect((await calls()).map((row: any) => row.data.participant_ids)).toEqual([[alice.id, bob.id]])
    for (const live of [far, near, late, a.gateway]) live.close()
  })

  test(
    'a call outlives the node that has it: it rings no second time, and leaves one message',
    async () => {
      const { parley: third, child } = await spawnParley(dataDirectory(), inCommon(one))
      const { alice, bob, channel_id, calls } = await friends()
      const c = await inCallBy(third, alice, channel_id)
      const b = await inCallBy(two, bob, channel_id)
      await until(async () => (await presentIn(bob, channel_id)).length === 2)
      child.kill('SIGKILL')
      await c.gateway.closed
      await b.gateway.next('voice.disconnected', ({ d }) => d.reason === 'rejoin')
      await joinAgain(b.gateway, channel_id)
      const back = await connect(alice)
      await joinAgain(back, channel_id)
      await Promise.all([one.sweep(), two.sweep()])
      expect([await calls(), back.of('call.ringing')]).toEqual([[], []])
      // The first ring may still be arriving.
      expect(new Set(b.gateway.of('call.ringing').map(({ d }) => d.until)).size).toBeLessThan(2)
      await Promise.all([back.command('voice.leave'), b.gateway.command('voice.leave')])
      await until(async () => (await calls()).length > 0)
      await Promise.all([one.sweep(), two.sweep()])
      expect((await calls()).map((row: any) => row.data.missed)).toEqual([false])
      for (const live of [b.gateway, back]) live.close()
    },
    SPAWN_MS + 60_000,
  )
})
