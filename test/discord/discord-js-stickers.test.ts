import { afterAll, expect, test } from 'bun:test'
import { type Guild, StickerFormatType, type TextChannel } from 'discord.js'
import { permissions } from '../../src/core/permissions.ts'
import { apng } from '../support/animations.ts'
import { addBot, botOf } from '../support/bots.ts'
import { expectListed } from '../support/discord-calls.ts'
import { apiOf, loggedIn } from '../support/discord.ts'
import { boot, newServer, person, stop } from '../support/harness.ts'
import { png, upload } from '../support/uploads.ts'

const parley = await boot()
const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
const home = await newServer(alice, bob)
const file_id = (await upload(alice, 'otter.png', 'image/png', await png(64, 64))).id
const otter = (
  await alice.post(`/api/servers/${home.server_id}/stickers`, { name: 'Otter', alt: 'An otter waves', file_id })
).body
const bot = await botOf(alice, 'Warden')
await addBot(alice, home.server_id, bot, permissions('administrator'))
const client = await loggedIn(parley, bot)
const guild = client.guilds.cache.first() as Guild
const general = guild.channels.cache.find(({ name }) => name === 'general') as TextChannel
afterAll(async () => {
  await client.destroy()
  await stop(parley)
})

test('a bot sees the stickers of its server, as it arrives and as they change', async () => {
  expect(guild.stickers.cache.map(({ name, description, format }) => [name, description, format])).toEqual([
    ['Otter', 'An otter waves', StickerFormatType.PNG],
  ])
  const sticker = guild.stickers.cache.first()
  expect([sticker?.guildId, (await sticker?.fetchUser())?.username]).toEqual([guild.id, alice.display_name])
  const updated = new Promise<string>((resolve) => client.once('stickerUpdate', (_, { name }) => resolve(name)))
  await alice.put(`/api/stickers/${otter.id}`, { name: 'Waving otter' })
  expect(await updated).toBe('Waving otter')
  expect((await guild.stickers.fetch()).map(({ name }) => name)).toEqual(['Waving otter'])
  expect((await client.fetchSticker(sticker?.id as string)).name).toBe('Waving otter')
})

test('a bot makes, changes and deletes a sticker', async () => {
  const created = new Promise<string>((resolve) => client.once('stickerCreate', ({ name }) => resolve(name)))
  const file = { attachment: Buffer.from(apng(40)), name: 'wren.png' }
  const wren = await guild.stickers.create({
    file,
    name: 'Wren',
    tags: 'bird',
    description: 'A wren hops',
    reason: 'Birds',
  })
  expect(await created).toBe('Wren')
  expect(wren.format).toBe(StickerFormatType.GIF)
  expect(wren.tags).toBe('bird')
  await wren.edit({ description: 'A wren hops twice', tags: 'bird small' })
  const list = async () => (await bob.get(`/api/servers/${home.server_id}/stickers`)).body
  expect((await list())[1]).toMatchObject({
    name: 'Wren',
    alt: 'A wren hops twice',
    tags: 'bird small',
    animated: true,
  })
  const tooLong = wren.edit({ tags: 'a'.repeat(201) })
  expect(await tooLong.catch((error: unknown) => error)).toMatchObject({ code: 50035 })
  const deleted = new Promise<string>((resolve) => client.once('stickerDelete', ({ name }) => resolve(name)))
  await wren.delete()
  expect(await deleted).toBe('Wren')
  expect(await list()).toHaveLength(1)
  const missing = await client.rest.get(`/guilds/${guild.id}/stickers/${wren.id}`).catch((error: unknown) => error)
  expect(missing).toMatchObject({ status: 404, code: 10060 })
})

test('stickers go both ways in messages', async () => {
  const names = new Promise<string[]>((resolve) =>
    client.once('messageCreate', ({ stickers }) => resolve(stickers.map(({ name }) => name))),
  )
  await bob.post(`/api/channels/${home.channel_id}/messages`, { sticker_id: otter.id })
  expect(await names).toEqual(['Waving otter'])
  const [sticker] = guild.stickers.cache.values()
  const sent = await general.send({ stickers: [sticker?.id as string] })
  expect([sent.content, sent.stickers.size]).toEqual(['', 1])
  const [newest] = (await bob.get(`/api/channels/${home.channel_id}/messages?limit=1`)).body
  expect(newest.sticker).toMatchObject({ id: otter.id, name: 'Waving otter' })
  const several = general.send({ stickers: [sticker?.id as string, sticker?.id as string] })
  expect(await several.catch((error: unknown) => error)).toMatchObject({ status: 400 })
})

test('the packs of Discord are none', async () => {
  expect((await client.fetchStickerPacks()).size).toBe(0)
  const headers = { authorization: `Bot ${bot.token}` }
  const answer = await fetch(`${apiOf(parley)}/v10/stickers/123456789012345678`, { headers })
  expect([answer.status, (await answer.json()).code]).toEqual([404, 10060])
})

test('docs/discord.md names each call that this bot made, and none as missing', () => expectListed(parley))
