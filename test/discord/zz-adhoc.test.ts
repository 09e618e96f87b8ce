import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Guild, type TextChannel } from 'discord.js'
import { permissions } from '../../src/core/permissions.ts'
import { addBot, botOf, unhurried } from '../support/bots.ts'
import { discordClient, loggedIn, apiOf } from '../support/discord.ts'
import { boot, newServer, person, say, stop, until } from '../support/harness.ts'
import * as transcripts from 'discord-html-transcripts'
import { CommandKit } from 'commandkit'

const parley = await boot()
await unhurried(parley)
const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
const home = await newServer(alice, bob)
const bot = await botOf(alice, 'Scribe')
await addBot(alice, home.server_id, bot, permissions('administrator'))
const client = await loggedIn(parley, bot, discordClient(parley))
const guild = client.guilds.cache.first() as Guild
const general = guild.channels.cache.find((c) => c.name === 'general') as TextChannel
afterAll(async () => {
  await client.destroy()
  const metrics = await (await fetch(`${parley.url}/metrics`)).text()
  console.info(
    [
      ...new Set(
        [...metrics.matchAll(/method="([A-Z]+)",route="\/discord\/api(\/[^"]*)"/g)].map(([, m, p]) => `${m} ${p}`),
      ),
    ].join('\n'),
  )
  await stop(parley)
})

test('html', async () => {
  for (let n = 0; n < 5; n++) await say(bob, home.channel_id, `Message ${n} **bold** <@${alice.id}>`)
  await general.send({
    content: 'With',
    embeds: [{ title: 'T', description: 'D' }],
    files: [{ attachment: Buffer.from('x'), name: 'a.txt' }],
  })
  const html: any = await transcripts.createTranscript(general as never, {
    returnType: 'string' as never,
    limit: -1,
    poweredBy: false,
  })
  console.log(html.length)
  expect(html).toContain('Message 4')
  expect(html).toContain(bob.display_name)
  expect(html).toContain('a.txt')
  writeFileSync('/tmp/d3/transcript.html', html)
})

test('commandkit', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'ck-'))
  mkdirSync(join(dir, 'commands'))
  mkdirSync(join(dir, 'events'))
  mkdirSync(join(dir, 'events/messageCreate'))
  writeFileSync(
    join(dir, 'commands/ping.js'),
    `module.exports = { data: { name: 'ping', description: 'Pong' }, run: ({ interaction }) => interaction.reply('Pong!') , options: { botPermissions: ['SendMessages'] } }`,
  )
  writeFileSync(
    join(dir, 'events/messageCreate/hi.js'),
    `module.exports = (message) => { if (message.content === 'hi') message.reply('Hello') }`,
  )
  const own = discordClient(parley)
  new CommandKit({
    client: own as never,
    commandsPath: join(dir, 'commands'),
    eventsPath: join(dir, 'events'),
    bulkRegister: true,
  })
  await loggedIn(parley, bot, own)
  let offered: any
  await until(async () => {
    const { body } = await bob.get(`/api/channels/${home.channel_id}/commands`)
    return (offered = body.find((each: any) => each.name === 'ping')) !== undefined
  })
  await bob.post('/api/interactions', {
    kind: 'command',
    channel_id: home.channel_id,
    command_id: offered.id,
    options: {},
  })
  const has = async (text: string) =>
    (await alice.get(`/api/channels/${home.channel_id}/messages?limit=20`)).body.some((m: any) => m.content === text)
  await until(() => has('Pong!'))
  await say(bob, home.channel_id, 'hi')
  await until(() => has('Hello'))
  await own.destroy()
})
