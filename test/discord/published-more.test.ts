import { afterAll, expect, test } from 'bun:test'
import AntiSpam from 'discord-anti-spam'
import { type Client, Events, type Message } from 'discord.js'
import games from 'discord-gamecord'
import { permissions } from '../../src/core/permissions.ts'
import { addBot, botOf, unhurried } from '../support/bots.ts'
import { expectListed } from '../support/discord-calls.ts'
import { discordClient, loggedIn } from '../support/discord.ts'
import { boot, newServer, type Person, person, say, stop, until } from '../support/harness.ts'

// Further programs of others, as npm has them: games with many buttons, and a guard against spam.

const parley = await boot()
await unhurried(parley)
const alice = await person(parley, 'alice')
const ends: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of ends) await end()
  await stop(parley)
})

async function home(name: string, guest: Person) {
  const { server_id, channel_id } = await newServer(alice, guest)
  const bot = await botOf(alice, name)
  await addBot(alice, server_id, bot, permissions('administrator'))
  const client: Client = discordClient(parley)
  ends.push(() => client.destroy())
  await loggedIn(parley, bot, client)
  const messages = async () => (await alice.get(`/api/channels/${channel_id}/messages?limit=30`)).body as any[]
  return { server_id, channel_id, bot, client, messages }
}

test('discord-gamecord plays a game of 25 buttons with a person to its end', async () => {
  const bob = await person(parley, 'bob')
  const { channel_id, client, messages } = await home('Gamer', bob)
  let result: string | undefined
  client.on(Events.MessageCreate, (message: Message) => {
    if (message.content !== '!mines') return
    const game = new games.Minesweeper({ message, mines: 5, embed: { title: 'Mines', color: '#5865F2' } })
    game.on('gameOver', (end: { result: string }) => (result = end.result))
    void game.startGame()
  })
  await say(bob, channel_id, '!mines')
  const board = async () => (await messages()).find(({ data }) => data?.components?.length === 5)
  await until(async () => (await board()) !== undefined)
  const { id: message_id, embeds } = await board()
  expect(embeds[0].title).toBe('Mines')
  const cells = async () => (await board()).data.components.flat() as { custom_id: string; style: string }[]
  expect((await cells()).length).toBe(25)
  // A cell whose style is primary is still covered. One after another is turned until a mine or the end.
  await until(async () => {
    const covered = (await cells()).find(({ style }) => style === 'primary')
    if (result === undefined && covered)
      await bob.post('/api/interactions', { kind: 'component', message_id, custom_id: covered.custom_id })
    return result !== undefined
  }, 60_000)
  expect(['win', 'lose']).toContain(result ?? '')
  await until(async () => (await board()).data.components.flat().every(({ disabled }: any) => disabled))
  const [card] = (await board()).embeds
  expect(card.description).toMatch(result === 'win' ? /won/ : /lost/)
})

test('discord-anti-spam warns a member who writes too much, bans it, deletes the messages and says so', async () => {
  const carol = await person(parley, 'carol')
  const { server_id, channel_id, bot, client, messages } = await home('Guard', carol)
  const guard = new AntiSpam({
    warnThreshold: 3,
    banThreshold: 5,
    muteEnabled: false,
    kickEnabled: false,
    maxInterval: 600_000,
    removeMessages: true,
    modLogsEnabled: true,
    modLogsChannel: 'general',
  } as never)
  const judged: string[] = []
  client.on(Events.MessageCreate, (message: Message) => {
    if (message.author.bot) return
    // The program begins its acts before this is settled.
    void guard.message(message as never)
    judged.push(message.content)
  })
  const sayAndWait = async (text: string) => {
    await say(carol, channel_id, text)
    await until(() => judged.includes(text))
  }
  const saysOfBot = async () => (await messages()).filter(({ author }) => author.id === bot.id)
  for (const text of ['one', 'two', 'three']) await sayAndWait(text)
  await until(async () => (await saysOfBot()).some(({ content }) => content.includes('stop spamming')))
  const before = (await messages()).filter(({ author }) => author.id === carol.id)
  await sayAndWait('four')
  await say(carol, channel_id, 'five')
  const bans = async () => (await alice.get(`/api/servers/${server_id}/bans`)).body as any[]
  await until(async () => (await bans()).length === 1)
  expect((await bans())[0]).toMatchObject({ user: { id: carol.id }, reason: 'Spamming!' })
  await until(async () =>
    (await saysOfBot()).some(({ embeds }) => JSON.stringify(embeds).includes('has been **banned**')),
  )
  await until(async () => (await messages()).every(({ author }) => author.id !== carol.id))
  expect(before.length).toBeLessThanOrEqual(3)
})

test('docs/discord.md names each call that these programs made, and none as missing', () => expectListed(parley))
