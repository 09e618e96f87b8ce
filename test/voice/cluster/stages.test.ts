import { describe, expect, test } from 'bun:test'
import { addBot, botOf } from '../../support/bots.ts'
import { withCalls } from '../../support/browser/voice.ts'
import { apiOf } from '../../support/discord.ts'
import { person, until } from '../../support/harness.ts'
import { by, inCallBy, nodesOn } from '../../support/installation.ts'
import { redisProgram, redisServer } from '../../support/redis.ts'
import { connect } from '../../support/socket.ts'
import { MODERATOR, stageServer } from '../../support/stages.ts'
import { presentIn, refusedWith } from '../../support/voice-people.ts'
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

  test('another device of a listener acts on a seat whose room and socket are on another node', async () => {
    const [alice, carol] = await Promise.all(['alice', 'carol'].map((name) => person(one, name)))
    const { server_id, channel_id } = await stageServer(alice!, carol!)
    const host = await inCallBy(one, alice!, channel_id)
    const guest = await inCallBy(one, carol!, channel_id)
    const phone = await connect(by(two, carol!))
    await until(async () => (await presentIn(by(two, carol!), channel_id)).length === 2)
    await done(phone, 'voice.raise_hand', { raised: true })
    await guest.gateway.next('voice.peer_updated', ({ d }) => d.stage?.raised_at !== null)
    await done(host.gateway, 'voice.go_up')
    await done(host.gateway, 'voice.let_up', { server_id, user_id: carol!.id })
    await guest.gateway.next('voice.peer_updated', ({ d }) => d.stage?.speaks === true)
    await done(phone, 'voice.step_down')
    await host.gateway.next('voice.peer_left', ({ d }) => d.voice_session_id === guest.id)
    expect(await refusedWith(phone, 'voice.go_up', {})).toBe('forbidden')
    for (const gateway of [host.gateway, guest.gateway, phone]) gateway.close()
  })

  test("a bot changes its part in a stage of another node by Discord's REST", async () => {
    const alice = await person(one, 'alice')
    const { server_id, channel_id } = await stageServer(alice)
    const bot = await botOf(alice, 'Owl')
    await addBot(alice, server_id, bot, MODERATOR)
    const host = await inCallBy(one, alice, channel_id)
    const seat = await inCallBy(one, bot, channel_id)
    await until(async () => (await presentIn(by(two, alice), channel_id)).length === 2)
    const headers = { authorization: `Bot ${bot.token}`, 'content-type': 'application/json' }
    const api = `${apiOf(two)}/v10`
    const [guild] = await (await fetch(`${api}/users/@me/guilds`, { headers })).json()
    const path = `${api}/guilds/${guild.id}/voice-states/@me`
    const change = async (body: object) =>
      (await fetch(path, { method: 'PATCH', headers, body: JSON.stringify(body) })).status
    expect(await change({ request_to_speak_timestamp: new Date().toISOString() })).toBe(204)
    await host.gateway.next('voice.state_updated', ({ d }) => d.user.id === bot.id && d.stage.raised_at !== null)
    expect(await change({ suppress: false })).toBe(204)
    await host.gateway.next('voice.peer_joined', ({ d }) => d.voice_session_id === seat.id)
    expect(await change({ suppress: true })).toBe(204)
    await host.gateway.next('voice.peer_left', ({ d }) => d.voice_session_id === seat.id)
    for (const { gateway } of [host, seat]) gateway.close()
  })
})
