import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { permissions } from '../../src/core/permissions.ts'
import { addBot, botOf } from '../support/bots.ts'
import { debianPython } from '../support/debian.ts'
import { type Front, front } from '../support/front.ts'
import { boot, newServer, Person, person, say, stop, until } from '../support/harness.ts'
import { type TlsFront, tlsFront } from '../support/tls-front.ts'

// Bots of other libraries than discord.js, each unchanged except for its address, behind a network that fails. Each
// answers questions: what it misses or answers twice is seen in the channel. For discord.js see reliability.test.

const root = join(import.meta.dir, '../..')
const node = Bun.which('node')
const javaScript = node ? [node, '--input-type=module', '-e'] : [process.execPath, '-e']
const python = debianPython('discord', 'python3-discord')

const OCEANIC = `
import { Client, Intents } from 'oceanic.js'
const client = new Client({
  auth: 'Bot ' + process.env.TOKEN,
  rest: { baseURL: process.env.URL + '/discord/api/v10' },
  gateway: { intents: Intents.GUILDS | Intents.GUILD_MESSAGES | Intents.MESSAGE_CONTENT },
})
client.on('error', () => {})
client.on('messageCreate', async ({ content, channelID }) => {
  if (content.startsWith('!say ')) await client.rest.channels.createMessage(channelID, { content: content.slice(5) })
})
client.connect()
`

const ERIS = `
import Eris from 'eris'
import { Agent } from 'node:https'
const { hostname, port } = new URL(process.env.URL)
const client = new Eris('Bot ' + process.env.TOKEN, {
  intents: ['guilds', 'guildMessages', 'messageContent'],
  rest: { domain: hostname, baseURL: '/discord/api/v9', agent: new Agent({ port }) },
})
client.on('error', () => {})
client.on('messageCreate', async ({ content, channel }) => {
  if (content.startsWith('!say ')) await client.createMessage(channel.id, content.slice(5))
})
client.connect()
`

const PYTHON = `
import os, discord, yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route
Route.BASE = os.environ['URL'] + '/discord/api/v10'
DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ['URL'].replace('http', 'ws') + '/discord/gateway')
intents = discord.Intents.default()
intents.message_content = True
client = discord.Client(intents=intents)

@client.event
async def on_message(message):
    if message.content.startswith('!say '):
        await message.channel.send(message.content[5:])

client.run(os.environ['TOKEN'])
`

const ends: (() => unknown)[] = []
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

/** A server behind a network that can be cut, and that stays while the server restarts. */
async function network(hasTls: boolean) {
  const tls: TlsFront | undefined = hasTls ? await tlsFront() : undefined
  const settings: Record<string, string> = tls ? { PUBLIC_URL: `https://localhost:${tls.port}` } : {}
  let parley = await boot(settings)
  const portOf = () => Number(new URL(parley.url).port)
  const proxy: Front = await front(portOf())
  if (tls) tls.behind = Number(new URL(proxy.url).port)
  ends.push(() => stop(parley))
  ends.push(() => proxy.close())
  ends.push(() => tls?.close())
  return {
    url: settings.PUBLIC_URL ?? proxy.url,
    proxy,
    server: () => parley,
    async restart() {
      await stop(parley)
      parley = await boot(settings, parley)
      proxy.port = portOf()
    },
  }
}

/** The bot of a library is asked over faults of each kind, and has to answer each question once. */
async function answersOverFaults(command: string[], hasTls = false): Promise<void> {
  const net = await network(hasTls)
  const alice = await person(net.server(), 'alice')
  const home = await newServer(alice)
  const bot = await botOf(alice, 'Echo')
  await addBot(alice, home.server_id, bot, permissions('administrator'))
  const owner = () => new Person(net.server(), alice.id, alice.username, alice.email, alice.display_name, alice.token)
  const start = () =>
    Bun.spawn(command, {
      cwd: root,
      env: { ...process.env, TOKEN: bot.token, URL: net.url, NODE_TLS_REJECT_UNAUTHORIZED: '0' },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
  const answers = async (): Promise<string[]> => {
    const { body } = await owner().get(`/api/channels/${home.channel_id}/messages?limit=100`)
    return body.flatMap(({ author, content }: any) => (author.id === bot.id ? [content] : [])).toReversed()
  }
  const questions: string[] = []
  const ask = async (text: string) => {
    questions.push(text)
    await say(owner(), home.channel_id, `!say ${text}`)
  }
  const answered = (text: string) => until(async () => (await answers()).includes(text), 120_000)

  let child = start()
  ends.push(async () => {
    child.kill('SIGKILL')
    await child.exited
  })
  // A bot does not hear what was written before its first session.
  await until(async () => {
    await say(owner(), home.channel_id, '!say hello')
    return (await answers()).length > 0
  }, 60_000)
  await ask('begun')
  await answered('begun')

  for (const [name, fail] of Object.entries({ cut: () => net.proxy.cut(), reset: () => net.proxy.reset() })) {
    await ask(`${name} before`)
    fail()
    await ask(`${name} during`)
    await answered(`${name} before`)
    await answered(`${name} during`)
  }
  child.kill('SIGKILL')
  await child.exited
  await ask('asleep one')
  await ask('asleep two')
  child = start()
  await answered('asleep one')
  await answered('asleep two')

  await net.restart()
  await ask('restarted')
  await answered('restarted')
  await ask('the end')
  await answered('the end')
  const all = (await answers()).filter((text) => text !== 'hello')
  // Each once. A library may send answers that it owes at the same time.
  expect(all.toSorted()).toEqual(questions.toSorted())
}

test(
  'a bot of oceanic.js loses nothing and answers nothing twice over faults and restarts',
  () => answersOverFaults([...javaScript, OCEANIC]),
  300_000,
)

test(
  'a bot of eris loses nothing and answers nothing twice over faults and restarts',
  () => answersOverFaults([...javaScript, ERIS], true),
  300_000,
)

test.skipIf(!python)(
  'a bot of discord.py loses nothing and answers nothing twice over faults and restarts',
  () => answersOverFaults([python ?? '', '-c', PYTHON]),
  300_000,
)
