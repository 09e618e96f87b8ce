import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { permissions } from '../../../src/core/permissions.ts'
import type { Parley } from '../../../src/parley.ts'
import { addBot, botOf } from '../../support/bots.ts'
import { bootCalls } from '../../support/browser/voice.ts'
import { snowflakeOf } from '../../support/discord.ts'
import { Person, person, stop, until } from '../../support/harness.ts'
import { WORKER_MS } from '../../support/media-worker.ts'
import { writeTone } from '../../support/ogg-opus.ts'
import { connect } from '../../support/socket.ts'
import { tlsFront, VoiceBot } from '../../support/voice-bot.ts'
import { joinVoice, presentIn, voiceChannel, voiceServer } from '../../support/voice-people.ts'

// Bots of @discordjs/voice without a browser: one plays a tone, the other records it.

/** Bots, processes and a server start: seconds when the machine is idle. */
const LONG_MS = 180_000

const front = await tlsFront()
const tone = join(mkdtempSync(join(tmpdir(), 'tone-')), 'tone.ogg')
const bots: VoiceBot[] = []
let parley: Parley
let alice: Person

beforeAll(async () => {
  writeTone(tone, 120)
  await start()
  alice = await person(parley, 'alice')
}, WORKER_MS)
afterAll(async () => {
  await Promise.all(bots.map((bot) => bot.kill()))
  if (parley) await stop(parley)
  front.close()
})

async function start(sibling?: Parley) {
  parley = await bootCalls({ PUBLIC_URL: front.url, DISCORD_VOICE_PORT: '0' }, sibling)
  front.port = Number(new URL(parley.url).port)
}

/** The same account after the server has started anew. */
const again = ({ id, username, email, display_name, token }: Person) =>
  new Person(parley, id, username, email, display_name, token)

/** A voice channel, and bots that are logged in and may use it. */
async function place(...names: string[]) {
  const { server_id, channel_id } = await voiceServer(alice)
  const guild = snowflakeOf((await alice.get(`/api/servers/${server_id}`)).body)
  const channel = await discordId(channel_id)
  const accounts = await Promise.all(names.map((name) => botOf(alice, name)))
  for (const account of accounts) await addBot(alice, server_id, account)
  const running = await Promise.all(accounts.map((account) => VoiceBot.start(front.url, account.token)))
  bots.push(...running)
  return { server_id, channel_id, guild, channel, accounts, running }
}
const discordId = async (channelId: number) => snowflakeOf((await alice.get(`/api/channels/${channelId}`)).body)
const userId = async (account: Person) => snowflakeOf((await account.get('/api/auth/me')).body)
const reaches = (bot: VoiceBot, status: string | number) => until(() => bot.status === status)

/** A bot that plays, and one that records it. */
async function concert() {
  const scene = await place('Player', 'Recorder')
  const [player, recorder] = scene.running as [VoiceBot, VoiceBot]
  const [playerAccount] = scene.accounts as [Person]
  const { guild, channel } = scene
  player.do('join', { guild, channel, selfDeaf: true })
  recorder.do('join', { guild, channel, selfDeaf: false })
  await Promise.all([reaches(player, 'ready'), reaches(recorder, 'ready')])
  player.do('play', { path: tone })
  recorder.do('record', { user: await userId(playerAccount) })
  await hears(recorder)
  return { ...scene, player, recorder }
}

/** Waits until a bot hears more. */
async function hears(bot: VoiceBot) {
  const { packets, energy } = bot.state
  await until(() => bot.state.packets > packets + 50 && bot.state.energy > energy + 10)
}

test(
  'a bot hears what another plays, and goes on over a cut network and a restart of the server',
  async () => {
    const { player, recorder, channel_id, accounts } = await concert()
    recorder.do('breakVoice')
    await until(() => recorder.state.statuses.filter((status) => status === 'ready').length === 2)
    await hears(recorder)
    expect(recorder.state.voices.filter(([, channel]) => channel === null)).toEqual([])

    const earlier = [player, recorder].map(({ state }) => state.statuses.length)
    front.cut()
    await until(() => [player, recorder].every(({ state }, at) => state.statuses.length > (earlier[at] ?? 0)))
    await Promise.all([reaches(player, 'ready'), reaches(recorder, 'ready')])
    await hears(recorder)

    // The worker of the SFU dies with all media.
    const pids = parley.sfu.pids()
    for (const pid of pids) process.kill(pid, 'SIGKILL')
    await until(() => parley.sfu.state() === 'ready' && !parley.sfu.pids().some((pid) => pids.includes(pid)))
    await hears(recorder)

    const before = parley
    await stop(before)
    await start(before)
    await Promise.all([reaches(player, 'ready'), reaches(recorder, 'ready')])
    expect((await presentIn(again(alice), channel_id)).toSorted()).toEqual(accounts.map(({ id }) => id).toSorted())
    await hears(recorder)
    alice = again(alice)
    for (const bot of [player, recorder]) bot.do('leave')
    await until(async () => (await presentIn(alice, channel_id)).length === 0)
  },
  LONG_MS,
)

test(
  'a moderator mutes, moves and disconnects a bot as anyone else',
  async () => {
    const { player, recorder, server_id, channel_id, accounts } = await concert()
    const [account] = accounts as [Person]
    const live = await connect(alice)
    const target = { server_id, user_id: account.id }
    await live.command('voice.mute_member', { ...target, mute: true })
    let packets = -1
    // Packets on the way still arrive.
    await until(() => {
      const isQuiet = recorder.state.packets === packets
      packets = recorder.state.packets
      return isQuiet
    })
    await live.command('voice.mute_member', { ...target, mute: false })
    await hears(recorder)

    const other = await voiceChannel(alice, server_id, 'dusk-chorus')
    expect((await live.command('voice.move_member', { ...target, channel_id: other })).error).toBeUndefined()
    await until(() => player.state.voices.at(-1)?.[1] !== null)
    expect(await presentIn(alice, other)).toEqual([account.id])
    const moved = { server_id, user_id: accounts[1]?.id, channel_id: other }
    expect((await live.command('voice.move_member', moved)).error).toBeUndefined()
    await hears(recorder)
    expect(await presentIn(alice, channel_id)).toEqual([])

    await live.command('voice.disconnect_member', target)
    await until(() => player.state.statuses.includes(4014))
    expect(await presentIn(alice, other)).toEqual([accounts[1]?.id as number])
    live.close()
  },
  LONG_MS,
)

test(
  'a bot joins only where a person with its permissions could, and is silent without the right to speak',
  async () => {
    const scene = await place('Guest', 'Listener')
    const { guild, channel, channel_id, server_id, accounts, running } = scene
    const [guest, listener] = running as [VoiceBot, VoiceBot]
    const roles = (await alice.get(`/api/servers/${server_id}/roles`)).body
    const everyone = roles.find((role: any) => role.is_everyone)
    const allow = async (bits: number) => {
      const { status } = await alice.put(`/api/roles/${everyone.id}`, { permissions: bits })
      expect(status).toBe(200)
    }
    const all = everyone.permissions
    const [guestId, listenerId] = accounts.map(({ id }) => id) as [number, number]
    const lobby = await voiceChannel(alice, server_id, 'lobby')
    const overwrite = { allow: permissions('connect'), deny: 0 }
    const { status } = await alice.put(`/api/channels/${lobby}/permissions/${everyone.id}`, overwrite)
    expect(status).toBe(200)
    await allow(all - permissions('connect'))
    const live = await connect(alice)
    const placesOfGuest = () =>
      live.of('voice.state_updated').flatMap(({ d }) => (d.user.id === guestId ? d.channel_id : []))
    guest.do('join', { guild, channel, selfDeaf: false })
    // A refusal has no answer. Requests of a bot are handled in turn, so the second tells that the first is over.
    guest.do('rejoin', { channelId: await discordId(lobby) })
    await until(() => placesOfGuest().includes(lobby))
    expect(placesOfGuest()).not.toContain(channel_id)
    await reaches(guest, 'ready')

    await allow(all - permissions('speak'))
    listener.do('join', { guild, channel, selfDeaf: false })
    await reaches(listener, 'ready')
    expect(await presentIn(alice, channel_id)).toEqual([listenerId])
    const earlier = guest.state.statuses.length
    guest.do('rejoin', { channelId: channel })
    const hasReconnected = () => guest.state.statuses.slice(earlier).includes('connecting') && guest.status === 'ready'
    await until(hasReconnected)
    expect((await presentIn(alice, channel_id)).toSorted()).toEqual([guestId, listenerId].toSorted())
    guest.do('play', { path: tone })
    listener.do('record', { user: await userId(accounts[0] as Person) })
    await until(() => guest.state.playedMs > 1_000)
    expect(listener.state.packets).toBe(0)
    await allow(all)
    await hears(listener)

    await allow(all - permissions('connect'))
    await Promise.all([reaches(guest, 4014), reaches(listener, 4014)])
    expect(await presentIn(alice, channel_id)).toEqual([])
    live.close()
  },
  LONG_MS,
)

test(
  'a call of people moves to the SFU when a bot joins; a bot that crashes leaves its seat',
  async () => {
    const { guild, channel, channel_id, accounts, running } = await place('Crasher')
    const [bot] = running as [VoiceBot]
    const gateway = await connect(alice)
    const seat = await joinVoice(gateway, channel_id)
    expect(seat.route).toBe('p2p')
    bot.do('join', { guild, channel })
    await gateway.next('voice.route', ({ d }) => d.route === 'sfu')
    await reaches(bot, 'ready')
    await bot.kill()
    await until(async () => (await presentIn(alice, channel_id)).length === 1)
    expect(await presentIn(alice, channel_id)).not.toContain(accounts[0]?.id as number)
    gateway.close()
  },
  LONG_MS,
)
