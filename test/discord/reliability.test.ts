import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, Events, GatewayIntentBits } from 'discord.js'
import { permissions } from '../../src/core/permissions.ts'
import type { Parley } from '../../src/parley.ts'
import { addBot, botOf } from '../support/bots.ts'
import { ALL, apiOf, discordClient, loggedIn } from '../support/discord.ts'
import { front } from '../support/front.ts'
import { boot, newServer, Person, person, say, stop, until } from '../support/harness.ts'

let parley = await boot()
const alice = await person(parley, 'alice')
const home = await newServer(alice)
const bot = await botOf(alice, 'Scribe')
await addBot(alice, home.server_id, bot, permissions('administrator'))
// A second session of a bot goes on where a lost one ended, so another bot watches.
const witness = await botOf(alice, 'Witness')
await addBot(alice, home.server_id, witness, permissions('administrator'))
const echo = await botOf(alice, 'Echo')
await addBot(alice, home.server_id, echo)
const clients: Client[] = []
afterAll(async () => {
  for (const client of clients) await client.destroy()
  await stop(parley)
})

const portOf = ({ url }: Pick<Parley, 'url'>) => Number(new URL(url).port)
/** The same account at another process. */
const at = (there: Parley, { id, username, email, display_name, token }: Person) =>
  new Person(there, id, username, email, display_name, token)

const root = join(import.meta.dir, '../..')
const node = Bun.which('node') ?? undefined
const intents = [...ALL, GatewayIntentBits.GuildModeration, GatewayIntentBits.GuildWebhooks]
/** Discord's names of events that have no place in the log. */
const FLEETING = ['TYPING_START', 'PRESENCE_UPDATE', 'READY', 'RESUMED', 'GUILD_CREATE', 'GUILD_MEMBERS_CHUNK']

interface Heard {
  t: string
  d: unknown
}

function note({ t, d }: Heard, events: string[], counts: { begun: number; resumed: number }): void {
  if (!FLEETING.includes(t)) events.push(`${t} ${JSON.stringify(d)}`)
  if (t === 'READY') counts.begun++
  if (t === 'RESUMED') counts.resumed++
}

/** A session of the bot, with the lasting events that it has received, in their order. */
async function session(place: Pick<Parley, 'url'>, who = bot) {
  const client = discordClient(place, intents)
  clients.push(client)
  const events: string[] = []
  const counts = { begun: 0, resumed: 0 }
  client.on(Events.Raw as never, (frame: Heard) => note(frame, events, counts))
  await loggedIn(place, who, client)
  return { client, events, counts }
}

/** Does things of many kinds in the server. */
async function bustle(who: Person, name: string): Promise<void> {
  const { server_id, channel_id } = home
  const message = await say(who, channel_id, `${name} one`)
  await who.put(`/api/messages/${message.id}`, { content: `${name} two` })
  await who.put(`/api/messages/${message.id}/reactions/${encodeURIComponent('🦉')}/@me`)
  const { body: role } = await who.post(`/api/servers/${server_id}/roles`, { name })
  await who.put(`/api/servers/${server_id}/members/${bot.id}`, { nickname: name })
  const spam = await Promise.all([1, 2, 3].map((n) => say(who, channel_id, `${name} spam ${n}`)))
  await who.post(`/api/channels/${channel_id}/messages/bulk-delete`, { ids: spam.map(({ id }) => id) })
  await who.delete(`/api/roles/${role.id}`)
  await who.post(`/api/channels/${channel_id}/webhooks`, { name: name.slice(0, 30) })
  const { body: thread } = await who.post(`/api/channels/${channel_id}/threads`, { name })
  await say(who, thread.id, `${name} in a thread`)
}

const has = ({ events }: { events: string[] }, words: string) =>
  events.some((event) => event.startsWith('MESSAGE_CREATE') && event.includes(words))

const SHAKEN = `
import { Client } from 'discord.js'
const client = new Client({ intents: JSON.parse(process.env.INTENTS), rest: { api: process.env.API } })
client.on('raw', ({ t, d }) => console.log(JSON.stringify({ t, d })))
client.on('error', () => {})
await client.login(process.env.TOKEN)
`

/** A bot of discord.js in a process of its own, run by Node where there is one, as most bots are. */
function program(code: string, place: Pick<Parley, 'url'>, { token }: Person, runtime = node ?? process.execPath) {
  const file = join(mkdtempSync(join(tmpdir(), 'bot-')), 'bot.mjs')
  writeFileSync(file, code.replace("'discord.js'", JSON.stringify(join(root, 'node_modules/discord.js/src/index.js'))))
  return Bun.spawn([runtime, file], {
    cwd: root,
    env: { ...process.env, TOKEN: token, API: apiOf(place), INTENTS: JSON.stringify(intents) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** The same as a session, in a process of its own. */
function remoteSession(place: Pick<Parley, 'url'>) {
  const child = program(SHAKEN, place, bot)
  const [events, counts]: [string[], { begun: number; resumed: number }] = [[], { begun: 0, resumed: 0 }]
  const read = async () => {
    let text = ''
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (text + chunk).split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) note(JSON.parse(line), events, counts)
    }
  }
  return { events, counts, ended: read(), stop: () => child.kill() }
}

/** Events of a round of bustle, without those that the log forgets: messages that are deleted before a replay. */
const about = ({ events }: { events: string[] }, round: string, kind: RegExp) =>
  events.filter((event) => event.includes(round) && kind.test(event) && !event.includes(' spam '))

test('a bot whose network is cut, reset or silent hears what another one hears, once and in order', async () => {
  // Discord's library finds a dead connection after two heartbeats. The network makes them short.
  const often = (chunk: Buffer) =>
    chunk.includes('"heartbeat_interval":41250')
      ? Buffer.from(chunk.toString('latin1').replace('interval":41250', 'interval": 1500'), 'latin1')
      : chunk
  const proxy = await front(portOf(parley), often)
  const calm = await session(parley, witness)
  const shaken = remoteSession(proxy)
  await until(() => shaken.counts.begun === 1)
  // Bun's sockets wait for an answer to a close for ever, so a silent network is for Node.
  const failures = { cut: () => proxy.cut(), reset: () => proxy.reset(), ...(node ? { hush: () => proxy.hush() } : {}) }
  for (const [name, fail] of Object.entries(failures)) {
    const { resumed, begun } = shaken.counts
    const busy = bustle(alice, `${name} before`)
    await until(() => has(shaken, `${name} before one`))
    fail()
    await busy
    await bustle(alice, `${name} after`)
    await until(() => shaken.counts.resumed > resumed || shaken.counts.begun > begun, 120_000)
    for (const each of [calm, shaken]) await until(() => has(each, `${name} after in a thread`))
    // After some faults discord.js begins anew: it then has the new state, and is sent the messages that it missed.
    const kinds = shaken.counts.begun === begun ? /^(?!THREAD_UPDATE)/ : /^MESSAGE_(CREATE|UPDATE)/
    for (const round of [`${name} before`, `${name} after`])
      expect(about(shaken, round, kinds)).toEqual(about(calm, round, kinds))
    expect(about(calm, `${name} after`, kinds).length).toBeGreaterThan(2)
  }
  await calm.client.destroy()
  shaken.stop()
  await shaken.ended
  proxy.close()
}, 300_000)

test('a session hears every event of a restart of the server once, in the order of the log', async () => {
  const proxy = await front(portOf(parley))
  const shaken = await session(proxy)
  await bustle(alice, 'Earlier')
  await until(() => has(shaken, 'Earlier in a thread'))
  await stop(parley)
  const between = await boot({}, parley)
  const calm = await session(between, witness)
  const first = shaken.events.length
  await bustle(at(between, alice), 'Meanwhile')
  await until(() => has(calm, 'Meanwhile in a thread'))
  await calm.client.destroy()
  await stop(between)
  parley = await boot({}, parley)
  proxy.port = portOf(parley)
  await until(() => has(shaken, 'Meanwhile in a thread'))
  await say(at(parley, alice), home.channel_id, 'The restart is over')
  await until(() => has(shaken, 'The restart is over'))
  const resumed = { events: shaken.events.slice(first) }
  expect(about(resumed, 'Meanwhile', /^(?!THREAD_UPDATE)/)).toEqual(about(calm, 'Meanwhile', /^(?!THREAD_UPDATE)/))
  expect(about(resumed, 'Meanwhile', /./).length).toBeGreaterThan(8)
  expect(shaken.counts).toEqual({ begun: 1, resumed: 1 })
  await shaken.client.destroy()
  proxy.close()
}, 240_000)

const ECHO = `
import { Client, GatewayIntentBits } from 'discord.js'
const { Guilds, GuildMessages, MessageContent } = GatewayIntentBits
const client = new Client({ intents: [Guilds, GuildMessages, MessageContent], rest: { api: process.env.API } })
client.on('messageCreate', async (message) => {
  if (message.content.startsWith('!say ')) await message.channel.send(message.content.slice(5))
})
client.once('clientReady', () => console.log('ready'))
await client.login(process.env.TOKEN)
`

test('a bot that is killed and started again answers what was asked meanwhile, and nothing twice', async () => {
  const run = async () => {
    const child = program(ECHO, parley, echo)
    // Read until the bot says that it is ready.
    const reader = child.stdout.getReader()
    expect((await reader.read()).done).toBe(false)
    return child
  }
  const owner = at(parley, alice)
  const answers = async () => {
    const { body } = await owner.get(`/api/channels/${home.channel_id}/messages?limit=100`)
    return body.flatMap(({ author, content }: any) => (author.id === echo.id ? [content] : [])).toReversed()
  }
  const expected: string[] = []
  let child = await run()
  for (const round of [1, 2, 3]) {
    await say(owner, home.channel_id, `!say awake ${round}`)
    await until(async () => (await answers()).includes(`awake ${round}`))
    child.kill('SIGKILL')
    await child.exited
    await say(owner, home.channel_id, `!say asleep ${round}`)
    expected.push(`awake ${round}`, `asleep ${round}`)
    child = await run()
    await until(async () => (await answers()).includes(`asleep ${round}`))
  }
  await say(owner, home.channel_id, '!say the end')
  await until(async () => (await answers()).includes('the end'))
  expect(await answers()).toEqual([...expected, 'the end'])
  child.kill()
  await child.exited
}, 240_000)
