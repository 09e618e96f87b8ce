import { afterAll, beforeAll, expect, test } from 'bun:test'
import { GatewayIntentBits, type Guild } from 'discord.js'
import { permissions } from '../../../src/core/permissions.ts'
import type { Parley } from '../../../src/parley.ts'
import { addBot, botOf } from '../../support/bots.ts'
import { bootCalls } from '../../support/browser/voice.ts'
import { ALL, discordClient, loggedIn, snowflakeOf } from '../../support/discord.ts'
import { newServer, person, stop, until } from '../../support/harness.ts'
import { WORKER_MS } from '../../support/media-worker.ts'
import { inVoice, presentIn, voiceChannel } from '../../support/voice-people.ts'

// Acts of bots on members of calls, by REST. A muted member needs the SFU.

let parley: Parley
beforeAll(async () => {
  parley = await bootCalls()
}, WORKER_MS)
afterAll(() => stop(parley))

const codeOf = (refused: Promise<unknown>) => refused.then(() => 0).catch((error: { code: number }) => error.code)

test('a bot mutes, deafens, moves and disconnects a member of a call as far as it may', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id } = await newServer(alice, bob)
  const [dawn, dusk] = [await voiceChannel(alice, server_id, 'dawn'), await voiceChannel(alice, server_id, 'dusk')]
  const [warden, weak] = [await botOf(alice, 'Warden'), await botOf(alice, 'Weak')]
  await addBot(
    alice,
    server_id,
    warden,
    permissions('mute_members', 'deafen_members', 'move_members', 'connect', 'manage_nicknames'),
  )
  await addBot(alice, server_id, weak)
  const open = async (bot: typeof warden) =>
    loggedIn(parley, bot, discordClient(parley, [...ALL, GatewayIntentBits.GuildVoiceStates]))
  const clients = [await open(warden), await open(weak)]
  const [guild, weakGuild] = clients.map((each) => each.guilds.cache.first()) as [Guild, Guild]
  const bobId = snowflakeOf((await bob.get('/api/auth/me')).body)
  const channel = snowflakeOf((await alice.get(`/api/channels/${dusk}`)).body)
  // In no call: Discord's code of an unknown member.
  expect(await codeOf(guild.members.edit(bobId, { channel }))).toBe(10007)

  const { gateway } = await inVoice(bob, dawn)
  await guild.members.edit(bobId, { mute: true })
  await gateway.next('voice.state_updated', ({ d }) => d.user.id === bob.id && d.server_mute && d.channel_id === dawn)
  expect(await codeOf(weakGuild.members.edit(bobId, { mute: false }))).toBe(50013)
  expect(await codeOf(weakGuild.members.edit(bobId, { channel: null }))).toBe(50013)
  expect(await codeOf(weakGuild.members.edit(bobId, { channel }))).toBe(50013)
  expect(await codeOf(weakGuild.members.edit(bobId, { deaf: true }))).toBe(50013)
  // The owner ranks above every bot.
  const aliceId = snowflakeOf((await alice.get('/api/auth/me')).body)
  expect(await codeOf(guild.members.edit(aliceId, { deaf: true }))).toBe(50001)
  await guild.members.edit(bobId, { deaf: true })
  await gateway.next('voice.state_updated', ({ d }) => d.user.id === bob.id && d.server_deaf && d.channel_id === dawn)
  await until(() => guild.members.cache.get(bobId)?.voice.serverDeaf === true)
  expect(await presentIn(alice, dawn)).toEqual([bob.id])

  await guild.members.edit(bobId, { channel, nick: 'Bobby' })
  await until(async () => (await presentIn(alice, dusk)).includes(bob.id))
  expect(await presentIn(alice, dawn)).toEqual([])
  await guild.members.edit(bobId, { mute: false, deaf: false })
  await gateway.next('voice.state_updated', ({ d }) => d.channel_id === dusk && !d.server_mute && !d.server_deaf)
  const { id, nickname } = await guild.members.edit(bobId, { channel: null })
  expect([id, nickname]).toEqual([bobId, 'Bobby'])
  await until(async () => (await presentIn(alice, dusk)).length === 0)
  gateway.close()
  for (const each of clients) await each.destroy()
})
