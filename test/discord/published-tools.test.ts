import { afterAll, expect, test } from 'bun:test'
import backup from 'discord-backup'
import { ChannelType, GatewayIntentBits, type Guild, type TextChannel } from 'discord.js'
import logs from 'discord-logs'
import { permissions } from '../../src/core/permissions.ts'
import { addBot, botOf } from '../support/bots.ts'
import { expectListed } from '../support/discord-calls.ts'
import { ALL, discordClient, loggedIn, snowflakeOf } from '../support/discord.ts'
import { boot, newServer, person, say, stop, until } from '../support/harness.ts'

// Tools of others for bots of discord.js, as npm has them: one that copies a server, one that tells what has changed.

const parley = await boot()
const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
const ends: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of ends) await end()
  await stop(parley)
})

async function home(name: string) {
  const { server_id, channel_id } = await newServer(alice, bob)
  const bot = await botOf(alice, name)
  await addBot(alice, server_id, bot, permissions('administrator'))
  const intents = [...ALL, GatewayIntentBits.GuildModeration]
  const client = await loggedIn(parley, bot, discordClient(parley, intents))
  ends.push(() => client.destroy())
  const guild = client.guilds.cache.first() as Guild
  const general = guild.channels.cache.find((channel) => channel.name === 'general') as TextChannel
  return { server_id, channel_id, path: `/api/servers/${server_id}`, client, guild, general }
}

test('discord-backup copies roles, channels and messages of a server', async () => {
  const from = await home('Copier')
  await from.guild.roles.create({ name: 'Keepers', color: 0x00ff00, permissions: ['BanMembers'] })
  const category = await from.guild.channels.create({ name: 'Birds', type: ChannelType.GuildCategory })
  await from.guild.channels.create({ name: 'Hide', type: ChannelType.GuildVoice, parent: category, userLimit: 7 })
  await from.general.setTopic('Owls only')
  await say(bob, from.channel_id, 'A tawny owl')
  await from.general.send({ embeds: [{ title: 'A card', description: 'About owls' }] })
  const copy = await backup.create(from.guild, { jsonSave: false, maxMessagesPerChannel: 10, saveImages: '' } as never)
  expect(copy.roles.map(({ name }: { name: string }) => name)).toContain('Keepers')
  const texts = copy.channels.others.find(({ name }: { name: string }) => name === 'general') as any
  expect(texts.messages.map(({ username, content }: any) => `${username}: ${content}`)).toContain(
    `${bob.display_name}: A tawny owl`,
  )
  expect(texts.messages.flatMap(({ embeds }: any) => embeds.map(({ title }: any) => title))).toContain('A card')
})

test('discord-logs tells what has changed about members, channels, roles and messages', async () => {
  const { client, guild, general, path, channel_id } = await home('Logger')
  logs(client as never, undefined as never)
  const emitted: unknown[][] = []
  for (const name of [
    'guildMemberNicknameUpdate',
    'guildMemberRoleAdd',
    'guildMemberRoleRemove',
    'guildChannelTopicUpdate',
    'guildChannelPermissionsUpdate',
    'rolePermissionsUpdate',
    'messageContentEdited',
    'messagePinned',
    'threadNameUpdate',
    'threadStateUpdate',
  ])
    client.on(name as never, (...parts: unknown[]) => void emitted.push([name, ...parts]))
  const next = async (name: string) => {
    await until(() => emitted.some(([each]) => each === name))
    return emitted.find(([each]) => each === name)?.slice(1) as any[]
  }
  await guild.members.fetch()
  const { body: role } = await alice.post(`${path}/roles`, { name: 'Keepers' })
  await until(() => guild.roles.cache.has(snowflakeOf(role)))
  await alice.put(`/api/roles/${role.id}`, { permissions: permissions('ban_members') })
  expect((await next('rolePermissionsUpdate')).slice(1)).toEqual([0n, 4n])
  await alice.put(`${path}/members/${bob.id}`, { nickname: 'Bobby' })
  expect((await next('guildMemberNicknameUpdate')).slice(1)).toEqual([null, 'Bobby'])
  await alice.post(`${path}/members/${bob.id}/roles/${role.id}`)
  expect((await next('guildMemberRoleAdd'))[1].name).toBe('Keepers')
  await alice.delete(`${path}/members/${bob.id}/roles/${role.id}`)
  expect((await next('guildMemberRoleRemove'))[1].name).toBe('Keepers')
  await alice.put(`/api/channels/${channel_id}`, { topic: 'Owls only' })
  expect((await next('guildChannelTopicUpdate')).slice(1)).toEqual([null, 'Owls only'])
  await alice.put(`/api/channels/${channel_id}/permissions/${role.id}`, { deny: permissions('send_messages') })
  await next('guildChannelPermissionsUpdate')
  const message = await say(bob, channel_id, 'An owl')
  await until(() => general.lastMessage?.content === 'An owl')
  await bob.put(`/api/messages/${message.id}`, { content: 'Two owls' })
  expect((await next('messageContentEdited')).slice(1)).toEqual(['An owl', 'Two owls'])
  await alice.put(`/api/channels/${channel_id}/pins/${message.id}`)
  expect((await next('messagePinned'))[0].content).toBe('Two owls')
  const { body: thread } = await alice.post(`/api/channels/${channel_id}/threads`, { name: 'Feathers' })
  await until(() => guild.channels.cache.has(snowflakeOf(thread)))
  await alice.put(`/api/channels/${thread.id}`, { name: 'Plumes' })
  expect((await next('threadNameUpdate')).slice(1)).toEqual(['Feathers', 'Plumes'])
  await alice.put(`/api/channels/${thread.id}`, { archived: true })
  await next('threadStateUpdate')
})

test('docs/discord.md names each call that these tools made, and none as missing', () => expectListed(parley))
