import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Parley } from '../../../src/parley.ts'
import { addBot, botOf } from '../../support/bots.ts'
import { bootCalls } from '../../support/browser/voice.ts'
import { snowflakeOf } from '../../support/discord.ts'
import { person, stop, until } from '../../support/harness.ts'
import { WORKER_MS } from '../../support/media-worker.ts'
import { writeTone } from '../../support/ogg-opus.ts'
import { stageServer } from '../../support/stages.ts'
import { tlsFront, VoiceBot } from '../../support/voice-bot.ts'
import { inVoice } from '../../support/voice-people.ts'
import { done } from '../../support/voice-sfu-people.ts'

/** Bots, processes and a server start: seconds when the machine is idle. */
const LONG_MS = 300_000

const front = await tlsFront()
const tone = join(mkdtempSync(join(tmpdir(), 'tone-')), 'tone.ogg')
const bots: VoiceBot[] = []
let parley: Parley
beforeAll(async () => {
  writeTone(tone, 120)
  parley = await bootCalls({ PUBLIC_URL: front.url, DISCORD_VOICE_PORT: '0' })
  front.port = Number(new URL(parley.url).port)
}, WORKER_MS)
afterAll(async () => {
  await Promise.all(bots.map((bot) => bot.kill()))
  if (parley) await stop(parley)
  front.close()
})

test(
  'a bot of @discordjs/voice is heard by a listener of a stage only while it has been let up',
  async () => {
    const alice = await person(parley, 'alice')
    const { server_id, channel_id } = await stageServer(alice)
    const guild = snowflakeOf((await alice.get(`/api/servers/${server_id}`)).body)
    const channel = snowflakeOf((await alice.get(`/api/channels/${channel_id}`)).body)
    const [playing, recording] = [await botOf(alice, 'Player'), await botOf(alice, 'Recorder')]
    for (const account of [playing, recording]) {
      await addBot(alice, server_id, account)
      bots.push(await VoiceBot.start(front.url, account.token))
    }
    const [player, recorder] = bots as [VoiceBot, VoiceBot]
    const { gateway } = await inVoice(alice, channel_id)
    player.do('join', { guild, channel, selfDeaf: true })
    recorder.do('join', { guild, channel, selfDeaf: false })
    for (const bot of bots) await until(() => bot.status === 'ready')
    recorder.do('record', { user: snowflakeOf((await playing.get('/api/auth/me')).body) })
    player.do('play', { path: tone })
    await until(() => player.state.playedMs > 1_500)
    expect(recorder.state.packets).toBe(0)

    await done(gateway, 'voice.let_up', { server_id, user_id: playing.id })
    await until(() => recorder.state.packets > 50 && recorder.state.energy > 1)
    await done(gateway, 'voice.send_down', { server_id, user_id: playing.id })
    await gateway.next('voice.sfu.producer_closed')
    // Packets under way have arrived once the player has played on for a while.
    const downMs = player.state.playedMs
    await until(() => player.state.playedMs > downMs + 2_000)
    const heardPackets = recorder.state.packets
    const laterMs = player.state.playedMs
    await until(() => player.state.playedMs > laterMs + 2_000)
    expect(recorder.state.packets).toBe(heardPackets)
    expect([...player.state.errors, ...recorder.state.errors]).toEqual([])
    gateway.close()
  },
  LONG_MS,
)
