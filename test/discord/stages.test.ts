import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  ChannelType,
  Events,
  GatewayIntentBits,
  type Guild,
  GuildScheduledEventEntityType,
  GuildScheduledEventPrivacyLevel,
  type StageChannel,
  StageInstancePrivacyLevel,
} from 'discord.js'
import { permissions } from '../../src/core/permissions.ts'
import type { Parley } from '../../src/parley.ts'
import { addBot, botOf } from '../support/bots.ts'
import { bootCalls } from '../support/browser/voice.ts'
import { expectListed } from '../support/discord-calls.ts'
import { ALL, discordClient, loggedIn, snowflakeOf } from '../support/discord.ts'
import { newServer, person, stop, until } from '../support/harness.ts'
import { WORKER_MS } from '../support/media-worker.ts'
import { MODERATOR } from '../support/stages.ts'
import { inVoice } from '../support/voice-people.ts'
import { done } from '../support/voice-sfu-people.ts'

// Stages by discord.js, as npm has it. A stage needs the SFU.

let parley: Parley
beforeAll(async () => void (parley = await bootCalls()), WORKER_MS)
afterAll(() => stop(parley))

const codeOf = (refused: Promise<unknown>) => refused.then(() => 0).catch((error: { code: number }) => error.code)

test('a bot creates a stage, starts it, invites and sends down listeners, and speaks itself', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id } = await newServer(alice, bob)
  const bot = await botOf(alice, 'Host')
  await addBot(alice, server_id, bot, MODERATOR + permissions('connect', 'speak', 'view_channel', 'create_events'))
  const intents = [...ALL, GatewayIntentBits.GuildVoiceStates, GatewayIntentBits.GuildScheduledEvents]
  const client = await loggedIn(parley, bot, discordClient(parley, intents))
  const guild = client.guilds.cache.first() as Guild
  const happened: string[] = []
  client.on(Events.StageInstanceCreate, ({ topic }) => happened.push(`create ${topic}`))
  client.on(Events.StageInstanceUpdate, (_, { topic }) => happened.push(`update ${topic}`))
  client.on(Events.StageInstanceDelete, ({ topic }) => happened.push(`delete ${topic}`))

  const channel = (await guild.channels.create({ name: 'Owl talk', type: ChannelType.GuildStageVoice })) as StageChannel
  expect(channel.type).toBe(ChannelType.GuildStageVoice)
  const instance = await channel.createStageInstance({ topic: 'Owls' })
  expect([instance.topic, instance.channelId, instance.privacyLevel]).toEqual([
    'Owls',
    channel.id,
    StageInstancePrivacyLevel.GuildOnly,
  ])
  expect(await codeOf(channel.createStageInstance({ topic: 'Again' }))).not.toBe(0)
  expect((await guild.stageInstances.edit(channel.id, { topic: 'Terns' })).topic).toBe('Terns')
  expect((await guild.stageInstances.fetch(channel.id, { force: true })).id).toBe(instance.id)
  await until(() => happened.includes('create Owls') && happened.includes('update Terns'))

  const { body: row } = await bob.get('/api/auth/me')
  const { id: ownChannel } = (await alice.get(`/api/servers/${server_id}/channels`)).body.find(
    ({ type }: { type: string }) => type === 'stage',
  )
  const b = await inVoice(bob, ownChannel)
  await done(b.gateway, 'voice.raise_hand', { raised: true })
  const stateOf = (id: string) => guild.voiceStates.cache.get(id)
  await until(() => typeof stateOf(snowflakeOf(row))?.requestToSpeakTimestamp === 'number')
  const bobState = stateOf(snowflakeOf(row))
  expect([bobState?.suppress, bobState?.channelId]).toEqual([true, channel.id])
  await bobState?.setSuppressed(false)
  await b.gateway.next('voice.peer_updated', ({ d }) => d.stage?.speaks === true)
  await until(() => stateOf(snowflakeOf(row))?.suppress === false)
  await stateOf(snowflakeOf(row))?.setSuppressed(true)
  await b.gateway.next('voice.peer_updated', ({ d }) => d.stage?.speaks === false && d.stage.raised_at === null)

  // The bot itself asks to speak, speaks, and listens again. Its seat is on Parley's gateway, where no library of
  // Discord has to connect for its media in time.
  const seat = await inVoice(bot, ownChannel)
  await until(() => guild.members.me?.voice.channelId === channel.id)
  const own = () => guild.members.me?.voice
  expect(own()?.suppress).toBe(true)
  await own()?.setRequestToSpeak(true)
  await until(() => typeof own()?.requestToSpeakTimestamp === 'number')
  await own()?.setRequestToSpeak(false)
  await until(() => own()?.requestToSpeakTimestamp === null)
  await own()?.setSuppressed(false)
  await until(() => own()?.suppress === false)
  await b.gateway.next('voice.peer_joined', ({ d }) => d.user.id === bot.id)
  await own()?.setSuppressed(true)
  await b.gateway.next('voice.peer_left')
  await until(() => own()?.suppress === true)

  const event = await guild.scheduledEvents.create({
    name: 'The owl evening',
    scheduledStartTime: new Date(Date.now() + 3_600_000),
    privacyLevel: GuildScheduledEventPrivacyLevel.GuildOnly,
    entityType: GuildScheduledEventEntityType.StageInstance,
    channel,
  })
  expect([event.entityType, event.channelId]).toEqual([GuildScheduledEventEntityType.StageInstance, channel.id])

  // A bot that comes later finds the stage that runs.
  const late = await loggedIn(parley, bot, discordClient(parley, intents))
  await until(() => late.guilds.cache.first()?.stageInstances.cache.size === 1)
  await guild.stageInstances.delete(channel.id)
  await until(() => happened.includes('delete Terns'))
  await until(() => late.guilds.cache.first()?.stageInstances.cache.size === 0)
  expect(await codeOf(guild.stageInstances.fetch(channel.id, { force: true }))).toBe(10067)
  expect(happened).toEqual(['create Owls', 'update Terns', 'delete Terns'])
  for (const { gateway } of [b, seat]) gateway.close()
  await late.destroy()
  await client.destroy()
})

test('a bot without the permissions of a moderator changes no stage', async () => {
  const alice = await person(parley, 'alice')
  const { server_id } = await newServer(alice)
  const bot = await botOf(alice, 'Weak')
  await addBot(alice, server_id, bot)
  const { body } = await alice.post(`/api/servers/${server_id}/channels`, { name: 'Talk', type: 'stage' })
  const a = await inVoice(alice, body.id)
  await done(a.gateway, 'voice.go_up')
  const client = await loggedIn(parley, bot, discordClient(parley, [...ALL, GatewayIntentBits.GuildVoiceStates]))
  const guild = client.guilds.cache.first() as Guild
  await until(() => guild.channels.cache.has(snowflakeOf(body)))
  expect(await codeOf(guild.stageInstances.create(snowflakeOf(body), { topic: 'Mine' }))).toBe(50013)
  const aliceId = snowflakeOf((await alice.get('/api/auth/me')).body)
  await until(() => guild.voiceStates.cache.get(aliceId)?.suppress === false)
  expect(await codeOf(guild.voiceStates.cache.get(aliceId)!.setSuppressed(true))).toBe(50013)
  a.gateway.close()
  await client.destroy()
})

test('docs/discord.md names each call that this bot made, and none as missing', () => expectListed(parley))
