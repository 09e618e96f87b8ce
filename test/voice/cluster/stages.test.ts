import { describe, expect, test } from 'bun:test'
import { withCalls } from '../../support/browser/voice.ts'
import { person, until } from '../../support/harness.ts'
import { by, inCallBy, nodesOn } from '../../support/installation.ts'
import { redisProgram, redisServer } from '../../support/redis.ts'
import { connect } from '../../support/socket.ts'
import { stageServer } from '../../support/stages.ts'
import { done, sends } from '../../support/voice-sfu-people.ts'

describe.if(redisProgram !== undefined)('stages across nodes', async () => {
  const redis = await redisServer()
  const [one, two] = await nodesOn(redis, await withCalls())
  await until(() => one.sfu.state() === 'ready')

  test('a listener of another node raises its hand, is let up from there, and sent down', async () => {
    const [alice, bob, carol] = await Promise.all(['alice', 'bob', 'carol'].map((name) => person(one, name)))
    const { server_id, channel_id } = await stageServer(alice!, bob!, carol!)
    // The node of the first member owns the room.
    const host = await inCallBy(one, alice!, channel_id)
    await done(host.gateway, 'voice.go_up')
    const [guest, plain] = [await inCallBy(two, carol!, channel_id), await inCallBy(two, bob!, channel_id)]
    const moderator = await connect(by(two, alice!))
    await done(guest.gateway, 'voice.raise_hand', { raised: true })
    for (const live of [host.gateway, plain.gateway, moderator])
      await live.next('voice.state_updated', ({ d }) => d.user.id === carol!.id && d.stage.raised_at !== null)
    await done(moderator, 'voice.let_up', { server_id, user_id: carol!.id })
    await guest.gateway.next('voice.peer_updated', ({ d }) => d.stage?.speaks === true)
    const producerId = await sends(guest.gateway, 'microphone')
    await plain.gateway.next('voice.sfu.producer_new', ({ d }) => d.producer_id === producerId)
    await moderator.next('stage.audience', ({ d }) => d.channel_id === channel_id && d.listeners === 1)
    await done(moderator, 'voice.send_down', { server_id, user_id: carol!.id })
    await plain.gateway.next('voice.sfu.producer_closed', ({ d }) => d.producer_id === producerId)
    await moderator.next('stage.audience', ({ d }) => d.channel_id === channel_id && d.listeners === 2)
    // Bob, whose hand was never up, is known only to himself.
    expect(moderator.of('voice.state_updated').filter(({ d }) => d.user.id === bob!.id)).toEqual([])
    for (const gateway of [host.gateway, guest.gateway, plain.gateway, moderator]) gateway.close()
  })
})
