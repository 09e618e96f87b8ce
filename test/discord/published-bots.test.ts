import { afterAll, expect, test } from 'bun:test'
import { Command, container, SapphireClient } from '@sapphire/framework'
import { GatewayIntentBits, type Guild, type TextChannel } from 'discord.js'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GiveawaysManager } from 'discord-giveaways'
import TicTacToe from 'discord-tictactoe'
import { permissions } from '../../src/core/permissions.ts'
import { addBot, botOf, unhurried } from '../support/bots.ts'
import { expectListed } from '../support/discord-calls.ts'
import { ALL, apiOf, discordClient, loggedIn } from '../support/discord.ts'
import { boot, newServer, person, say, stop, until } from '../support/harness.ts'

// Programs of others, as npm has them, on clients whose address is the only change.

const parley = await boot()
await unhurried(parley)
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
  const messages = async () => (await alice.get(`/api/channels/${channel_id}/messages?limit=20`)).body as any[]
  const command = async (called: string, options = {}) => {
    let offered: any
    await until(async () => {
      const { body } = await bob.get(`/api/channels/${channel_id}/commands`)
      return (offered = body.find((each: any) => each.name === called)) !== undefined
    })
    return bob.post('/api/interactions', { kind: 'command', channel_id, command_id: offered.id, options })
  }
  return { server_id, channel_id, bot, messages, command }
}

test('a bot of Sapphire registers its commands, and answers messages and slash commands', async () => {
  const place = await home('Sapphire')
  const client = new SapphireClient({
    intents: ALL,
    rest: { api: apiOf(parley) },
    baseUserDirectory: null,
    loadMessageCommandListeners: true,
    defaultPrefix: '!',
  })
  ends.push(() => client.destroy())
  class Greet extends Command {
    override registerApplicationCommands(registry: Command.Registry) {
      registry.registerChatInputCommand((builder) => builder.setName('greet').setDescription('Greets'))
    }
    override async chatInputRun(interaction: Command.ChatInputCommandInteraction) {
      await interaction.reply('Hello from a command')
    }
    override async messageRun(message: any) {
      await message.reply('Hello from a message')
    }
  }
  const store = container.stores.get('commands')
  await store.loadPiece({ name: 'greet', piece: Greet, store } as never)
  await client.login(place.bot.token)
  expect((await place.command('greet')).status).toBe(201)
  await until(async () => (await place.messages()).some(({ content }) => content === 'Hello from a command'))
  await say(bob, place.channel_id, '!greet')
  await until(async () => (await place.messages()).some(({ content }) => content === 'Hello from a message'))
})

test('discord-giveaways draws a winner among those who reacted', async () => {
  const place = await home('Giver')
  const client = await loggedIn(parley, place.bot, discordClient(parley, [...ALL, GatewayIntentBits.GuildModeration]))
  ends.push(() => client.destroy())
  const manager = new GiveawaysManager(client, {
    storage: join(mkdtempSync(join(tmpdir(), 'giveaways-')), 'giveaways.json'),
    default: { botsCanWin: false, reaction: '🎉', embedColor: '#ff0000', embedColorEnd: '#000000' },
  })
  await until(() => manager.ready)
  const guild = client.guilds.cache.first() as Guild
  const channel = guild.channels.cache.find(({ name }) => name === 'general') as TextChannel
  const giveaway = await manager.start(channel, { duration: 3_600_000, winnerCount: 1, prize: 'A kingfisher' })
  const message = (await place.messages()).find(({ author }) => author.id === place.bot.id)
  expect(JSON.stringify(message.embeds)).toContain('A kingfisher')
  await bob.put(`/api/messages/${message.id}/reactions/${encodeURIComponent('🎉')}/@me`)
  const winners = await manager.end(giveaway.messageId)
  expect(winners.map(({ user }) => user.username)).toEqual([bob.display_name])
  await until(async () => (await place.messages()).some(({ mention_ids }) => mention_ids.includes(bob.id)))
})

test('discord-tictactoe plays a game with a person to its end', async () => {
  const place = await home('Player')
  const client = discordClient(parley)
  ends.push(() => client.destroy())
  const game = new TicTacToe({ language: 'en', command: 'tictactoe', commandOptionName: 'opponent' })
  game.attach(client as never)
  // The program moves by itself until then. A request of it after the end of the server would fail outside of a test.
  let isOver = false
  for (const result of ['win', 'tie'] as const) game.on(result, () => (isOver = true))
  await loggedIn(parley, place.bot, client)
  await say(alice, place.channel_id, `<@${place.bot.id}> tttdeploy`)
  expect((await place.command('tictactoe')).status).toBe(201)
  const board = async () => (await place.messages()).find(({ data }) => data?.components?.length === 3)
  await until(async () => (await board()) !== undefined)
  const { id: message_id } = await board()
  const cells = async () => (await board()).data.components.flat() as { label: string; custom_id: string }[]
  // It shows its board before it listens for buttons, so a person may have to press again.
  await until(async () => {
    const free = (await cells()).find(({ label }) => label === '-')
    if (!isOver && free)
      await bob.post('/api/interactions', { kind: 'component', message_id, custom_id: free.custom_id })
    return isOver
  })
  const marks = (await cells()).map(({ label }) => label)
  expect(marks).toContain('X')
  expect(marks).toContain('O')
  expect(marks.filter((mark) => mark !== '-').length).toBeGreaterThanOrEqual(5)
})

test('docs/discord.md names each call that these programs made, and none as missing', () => expectListed(parley))
