import { afterAll, expect, test } from 'bun:test'
import { type Client, Events, type Message, SlashCommandBuilder } from 'discord.js'
import type { Parley } from '../../src/parley.ts'
import { addBot, botOf, unhurried } from '../support/bots.ts'
import { expectListed } from '../support/discord-calls.ts'
import { discordClient, loggedIn } from '../support/discord.ts'
import { front } from '../support/front.ts'
import { boot, newServer, Person, person, say, stop, until } from '../support/harness.ts'
import { freePort } from '../support/ports.ts'
import { connect } from '../support/socket.ts'

// Servers of this test end and start on it again.
let parley = await boot({ PORT: String(freePort()) })
await unhurried(parley)
const alice = await person(parley, 'alice')
const bob = await person(parley, 'bob')
const home = await newServer(alice, bob)
const bot = await botOf(alice, 'Dice')
await addBot(alice, home.server_id, bot)
const clients: Client[] = []
afterAll(async () => {
  for (const client of clients) await client.destroy()
  await stop(parley)
})

const portOf = ({ url }: Pick<Parley, 'url'>) => Number(new URL(url).port)

/** Restarts the server on its port. @param meanwhile runs with another process of the installation */
async function restart(meanwhile: (between: Parley) => Promise<void>): Promise<void> {
  const port = portOf(parley)
  // A process counts only its own calls.
  await expectListed(parley)
  await stop(parley)
  const between = await boot({}, parley)
  await meanwhile(between)
  await stop(between)
  parley = await boot({ PORT: String(port) }, parley)
}

/** The same account at another process. */
const at = (there: Parley, { id, username, email, display_name, token }: Person) =>
  new Person(there, id, username, email, display_name, token)

const start = async (client = discordClient(parley)) => {
  clients.push(client)
  return loggedIn(parley, bot, client)
}

test('discord.js logs in with only a changed address, and knows its server', async () => {
  const client = await start()
  expect(client.user.username).toBe('Dice')
  expect(client.user.bot).toBe(true)
  const guild = client.guilds.cache.first()
  expect(guild?.name).toBe('Birdwatchers')
  expect([...(guild?.channels.cache.values() ?? [])].map(({ name }) => name)).toContain('general')
  expect(guild?.roles.everyone.name).toBe('@everyone')
  expect(guild?.members.me?.id).toBe(client.user.id)
  const created = (await alice.get(`/api/servers/${home.server_id}`)).body.created_at
  expect(guild?.createdAt.toISOString()).toBe(created)
  await client.destroy()
})

test('a message reaches a bot of discord.js once, and its reply stands in the channel', async () => {
  const client = await start()
  const record: Message[] = []
  client.on(Events.MessageCreate, async (message) => {
    record.push(message)
    if (message.content === '!ping') await message.reply(`Pong, <@${message.author.id}>!`)
  })
  const sent = await say(bob, home.channel_id, '!ping')
  await until(async () => {
    const page = (await bob.get(`/api/channels/${home.channel_id}/messages?limit=1`)).body
    return page[0].reply_to_id === sent.id && page[0].content === `Pong, <@${bob.id}>!`
  })
  const [message] = record
  expect(message?.author.username).toBe(bob.display_name)
  expect(message?.member?.joinedAt).toBeInstanceOf(Date)
  expect(message?.createdAt.toISOString()).toBe(sent.created_at)
  expect(record.filter(({ content }) => content === '!ping')).toHaveLength(1)
  await client.destroy()
})

test('a bot of discord.js registers /ping and answers it', async () => {
  const client = await start()
  const ping = new SlashCommandBuilder()
    .setName('ping')
    .setDescription('Answers')
    .addStringOption((option) => option.setName('text').setDescription('To repeat').setRequired(true))
    .addUserOption((option) => option.setName('who').setDescription('To greet'))
  await client.application.commands.set([ping])
  client.on(Events.InteractionCreate, async (interaction) => {
    if (!interaction.isChatInputCommand()) return
    const text = interaction.options.getString('text', true)
    await interaction.reply(`Pong ${text} ${String(interaction.options.getUser('who'))}`)
  })
  const [command] = (await bob.get(`/api/channels/${home.channel_id}/commands`)).body
  expect(command.name).toBe('ping')
  const seen = await connect(bob)
  const begun = await bob.post('/api/interactions', {
    kind: 'command',
    channel_id: home.channel_id,
    command_id: command.id,
    options: { text: 'owl', who: alice.id },
  })
  expect(begun.status).toBe(201)
  const { d } = await seen.next('message.created', ({ d }) => d.author.id === bot.id && d.content.includes('Pong'))
  expect(d.content).toBe(`Pong owl <@${alice.id}>`)
  expect(d.data.answering).toEqual({ name: 'ping', user_id: bob.id })
  seen.close()
  await client.destroy()
})

/** Counts the sessions that a client begins and resumes, and the messages that it hears. */
function listen(client: Client) {
  const record = { contents: [] as string[], resumed: 0, begun: 0 }
  client.on(Events.MessageCreate, (message) => void record.contents.push(message.content))
  client.on(Events.ShardResume, () => void record.resumed++)
  client.on(Events.ShardReady, () => void record.begun++)
  return record
}

test('a bot resumes over a restart of the server, misses no message and hears none twice', async () => {
  const proxy = await front(portOf(parley))
  const client = await start(discordClient(proxy))
  const record = listen(client)
  await say(bob, home.channel_id, 'before')
  await until(() => record.contents.includes('before'))
  await restart(async (between) => {
    // Another process serves people while the bot's own is away.
    await say(at(between, bob), home.channel_id, 'meanwhile')
  })
  proxy.port = portOf(parley)
  await until(() => record.resumed === 1)
  await say(at(parley, bob), home.channel_id, 'after')
  await until(() => record.contents.includes('after'))
  expect(record).toEqual({ contents: ['before', 'meanwhile', 'after'], resumed: 1, begun: 0 })
  await client.destroy()
  proxy.close()
})

test('a bot resumes after its network was cut, misses no message and hears none twice', async () => {
  const proxy = await front(portOf(parley))
  const client = await start(discordClient(proxy))
  const record = listen(client)
  for (const round of [1, 2, 3]) {
    await say(at(parley, bob), home.channel_id, `before ${round}`)
    proxy.cut()
    await say(at(parley, bob), home.channel_id, `after ${round}`)
    await until(() => record.contents.includes(`after ${round}`))
  }
  expect(record.contents).toEqual([1, 2, 3].flatMap((round) => [`before ${round}`, `after ${round}`]))
  await client.destroy()
  proxy.close()
})

test('a bot that forgets its session while the server is down hears what was written meanwhile', async () => {
  const client = await start()
  const record = listen(client)
  await say(at(parley, bob), home.channel_id, 'before')
  await until(() => record.contents.includes('before'))
  const lines: string[] = []
  client.on(Events.Debug, (line) => void lines.push(line))
  await restart(async (between) => {
    await say(at(between, bob), home.channel_id, 'meanwhile')
    // discord.js forgets it when nothing answers at the port.
    await until(() => lines.some((line) => line.includes('attempting to reconnect')))
  })
  await until(() => record.contents.includes('meanwhile'))
  await say(at(parley, bob), home.channel_id, 'after')
  await until(() => record.contents.includes('after'))
  expect(record).toEqual({ contents: ['before', 'meanwhile', 'after'], resumed: 0, begun: 1 })
  await client.destroy()
})

test('a bot that has ended its session hears nothing of the time between', async () => {
  const first = await start()
  await first.destroy()
  await say(at(parley, bob), home.channel_id, 'unheard')
  const client = await start()
  const record = listen(client)
  await say(at(parley, bob), home.channel_id, 'record')
  await until(() => record.contents.includes('record'))
  expect(record.contents).toEqual(['record'])
})

test('docs/discord.md names each call that this bot made, and none as missing', () => expectListed(parley))
