import { afterAll, expect, test } from 'bun:test'
import type { Guild, TextChannel } from 'discord.js'
import { permissions } from '../../src/core/permissions.ts'
import { snowflake } from '../../src/discord/snowflake.ts'
import { addBot, botOf } from '../support/bots.ts'
import { expectListed } from '../support/discord-calls.ts'
import { discordClient, framesOf, loggedIn, nextOf, snowflakeOf } from '../support/discord.ts'
import { boot, newServer, type Person, person, say, stop, until } from '../support/harness.ts'
import { sound } from '../support/ogg.ts'

// Lists of servers, threads and sounds, followers of threads, and news of pins, for bots of discord.js.

const parley = await boot()
const [alice, bob, carol] = [await person(parley, 'alice'), await person(parley, 'bob'), await person(parley, 'carol')]
const home = await newServer(alice, bob, carol)
const [bot, weak] = [await botOf(alice, 'Lister'), await botOf(alice, 'Weak')]
await addBot(alice, home.server_id, bot, permissions('administrator'))
await addBot(alice, home.server_id, weak)
const client = await loggedIn(parley, bot, discordClient(parley))
const weakClient = await loggedIn(parley, weak, discordClient(parley))
const guild = client.guilds.cache.first() as Guild
const weakGuild = weakClient.guilds.cache.first() as Guild
const channelOf = (of: Guild) => of.channels.cache.find(({ name }) => name === 'general') as TextChannel
const general = channelOf(guild)
afterAll(async () => {
  await client.destroy()
  await weakClient.destroy()
  await stop(parley)
})

const idOf = async (who: Person) => snowflakeOf((await who.get('/api/auth/me')).body)
const codeOf = (refused: Promise<unknown>) => refused.then(() => 0).catch((error: { code: number }) => error.code)

test('a bot lists its servers in pages, with its permissions in each', async () => {
  const traveller = await botOf(alice, 'Traveller')
  const servers: { id: number; created_at: string }[] = []
  for (const bits of [0, permissions('ban_members'), permissions('administrator'), 0, 0]) {
    const { server_id } = await newServer(alice)
    await addBot(alice, server_id, traveller, bits)
    servers.push((await alice.get(`/api/servers/${server_id}`)).body)
  }
  const own = discordClient(parley)
  own.rest.setToken(traveller.token)
  const list = async (query: Record<string, string>) =>
    (await own.rest.get('/users/@me/guilds', { query: new URLSearchParams(query) })) as any[]
  const ids = servers.map((server) => snowflakeOf(server)).toSorted((a, b) => Number(BigInt(a) - BigInt(b)))
  expect((await list({})).map(({ id }) => id)).toEqual(ids)
  const first = await list({ limit: '2' })
  expect(first.map(({ id }) => id)).toEqual(ids.slice(0, 2))
  expect((await list({ limit: '2', after: first[1].id })).map(({ id }) => id)).toEqual(ids.slice(2, 4))
  // The nearest ones before it, as Discord lists them: in the same order.
  expect((await list({ limit: '2', before: ids[3] ?? '' })).map(({ id }) => id)).toEqual(ids.slice(1, 3))
  expect(await list({ after: snowflake(0, Date.now() + 3_600_000) })).toEqual([])
  expect(await codeOf(list({ after: 'owl' }))).toBe(50035)
  const rights = new Map((await list({})).map(({ id, permissions: bits }) => [id, BigInt(bits)]))
  const [, banner, ruler] = servers.map((server) => rights.get(snowflakeOf(server)) ?? 0n)
  expect([(banner ?? 0n) & 4n, (ruler ?? 0n) & 8n]).toEqual([4n, 8n])
  expect(first[0].approximate_member_count).toBeUndefined()
  expect((await list({ with_counts: 'true' }))[0].approximate_member_count).toBe(2)
})

test('archived threads come in pages, those first that were archived last', async () => {
  const names = ['One', 'Two', 'Three', 'Four', 'Five']
  const threads: any[] = []
  for (const name of names) {
    const { body: thread } = await alice.post(`/api/channels/${home.channel_id}/threads`, { name })
    threads.push(thread)
  }
  await until(() => threads.every((thread) => guild.channels.cache.has(snowflakeOf(thread))))
  await (guild.channels.cache.get(snowflakeOf(threads[1])) as any).join()
  for (const { id } of threads) expect((await alice.put(`/api/channels/${id}`, { archived: true })).status).toBe(200)
  const first = await general.threads.fetchArchived({ limit: 3 })
  expect([...first.threads.values()].map(({ name }) => name)).toEqual(['Five', 'Four', 'Three'])
  expect(first.hasMore).toBe(true)
  const last = [...first.threads.values()].at(-1)
  const second = await general.threads.fetchArchived({ limit: 3, before: last?.archivedAt as Date })
  expect([[...second.threads.values()].map(({ name }) => name), second.hasMore]).toEqual([['Two', 'One'], false])
  // The bot follows one of them.
  expect([...second.members.values()].map(({ id }) => id)).toEqual([client.user.id])
  for (const before of ['owl', '+275760-09-13T00:00:00.000Z'])
    expect(
      await codeOf(
        client.rest.get(`/channels/${general.id}/threads/archived/public`, { query: new URLSearchParams({ before }) }),
      ),
    ).toBe(50035)
})

test('a bot hears of pins that are set and removed, with the time of the newest', async () => {
  const [pins, weakPins] = [framesOf(client, 'CHANNEL_PINS_UPDATE'), framesOf(weakClient, 'CHANNEL_PINS_UPDATE')]
  const [one, two] = [await say(bob, home.channel_id, 'One'), await say(bob, home.channel_id, 'Two')]
  const path = (message: { id: number }) => `/api/channels/${home.channel_id}/pins/${message.id}`
  const pinnedAt = async () => {
    const [newest] = (await alice.get(`/api/channels/${home.channel_id}/pins`)).body
    return newest ? newest.pinned_at.replace('Z', '+00:00') : null
  }
  for (const act of [() => alice.put(path(one)), () => alice.put(path(two)), () => alice.delete(path(two))]) {
    expect((await act()).status).toBe(204)
    const [update, weakUpdate] = await Promise.all([nextOf(pins), nextOf(weakPins)])
    expect(update).toEqual({ channel_id: general.id, guild_id: guild.id, last_pin_timestamp: await pinnedAt() })
    expect(weakUpdate).toEqual(update)
  }
  await alice.delete(path(one))
  expect((await nextOf(pins)).last_pin_timestamp).toBeNull()
  const { body: crew } = await alice.post(`/api/servers/${home.server_id}/channels`, { name: 'crew', type: 'text' })
  const { body: roles } = await alice.get(`/api/servers/${home.server_id}/roles`)
  const everyone = roles.find((role: any) => role.is_everyone)
  const deny = permissions('view_channel')
  expect((await alice.put(`/api/channels/${crew.id}/permissions/${everyone.id}`, { deny })).status).toBe(200)
  const secret = await say(alice, crew.id, 'Secret')
  await nextOf(weakPins)
  expect((await alice.put(`/api/channels/${crew.id}/pins/${secret.id}`)).status).toBe(204)
  expect((await nextOf(pins)).channel_id).toBe(snowflakeOf(crew))
  await alice.put(path(one))
  // Nothing of the channel that the bot does not see came before.
  expect((await nextOf(weakPins)).channel_id).toBe(general.id)
})

test('a bot that manages threads lists who follows one, and adds and removes others', async () => {
  const thread: any = await general.threads.create({ name: 'Owls' })
  const [bobId, carolId] = [await idOf(bob), await idOf(carol)]
  const followers = async (of: any = thread) => [...(await of.members.fetch({ cache: false })).keys()]
  expect(await followers()).toEqual([client.user.id])
  const [changes, weakChanges] = [
    framesOf(client, 'THREAD_MEMBERS_UPDATE'),
    framesOf(weakClient, 'THREAD_MEMBERS_UPDATE'),
  ]
  await thread.members.add(bobId)
  expect((await nextOf(changes)).added_members).toMatchObject([{ id: thread.id, user_id: bobId }])
  await thread.members.add(carolId)
  expect(new Set(await followers())).toEqual(new Set([client.user.id, bobId, carolId]))
  const page: any = await client.rest.get(`/channels/${thread.id}/thread-members`, {
    query: new URLSearchParams({ limit: '1', after: bobId, with_member: 'true' }),
  })
  expect(page.map(({ member }: any) => member.user.username)).toEqual([carol.display_name])
  const { body: followed } = await bob.get(`/api/channels/${home.channel_id}/threads?followed=true`)
  expect(followed.map(({ name }: any) => name)).toContain('Owls')
  await thread.members.remove(bobId)
  expect(await followers()).not.toContain(bobId)
  expect((await nextOf(changes)).added_members).toMatchObject([{ user_id: carolId }])
  expect((await nextOf(changes)).removed_member_ids).toEqual([bobId])
  expect(await codeOf(thread.members.fetch({ member: bobId, force: true }))).toBe(10007)

  // A bot that does not manage threads sees itself, and may add members as it may mention them.
  const seen: any = await weakGuild.channels.fetch(thread.id)
  expect(await followers(seen)).toEqual([])
  await seen.join()
  expect(await followers(seen)).toEqual([weakClient.user.id])
  // It hears of nobody but itself.
  expect((await nextOf(weakChanges)).added_members).toMatchObject([{ user_id: weakClient.user.id }])
  await seen.members.add(bobId)
  expect(await followers()).toContain(bobId)
  expect(await codeOf(seen.members.remove(bobId))).toBe(50013)
  const stranger = await person(parley, 'dave')
  expect(await codeOf(seen.members.add(await idOf(stranger)))).toBe(10007)
})

test('sounds of a server are made, listed, changed and deleted by bots that may', async () => {
  const sounds = guild.soundboardSounds
  const newSound = await sounds.create({
    name: 'Tawny owl',
    emojiName: '🦉',
    file: Buffer.from(sound(1)),
    contentType: 'audio/ogg',
  })
  const listed = await guild.soundboardSounds.fetch()
  expect(listed.map(({ name, emoji }) => [name, emoji?.name])).toEqual([['Tawny owl', '🦉']])
  expect((await sounds.fetch({ soundboardSound: newSound.soundId, force: true })).name).toBe('Tawny owl')
  expect((await sounds.edit(newSound, { name: 'Barn owl' })).name).toBe('Barn owl')
  // Asked for over the gateway.
  const all = await weakClient.guilds.fetchSoundboardSounds({ guildIds: [guild.id] })
  expect(all.get(guild.id)?.map(({ name }) => name)).toEqual(['Barn owl'])
  expect(await codeOf(weakGuild.soundboardSounds.delete(newSound.soundId))).toBe(50013)
  // A bot that connects has them at once.
  const late = await botOf(alice, 'Late')
  await addBot(alice, home.server_id, late)
  const lateClient = await loggedIn(parley, late)
  const names = lateClient.guilds.cache.get(guild.id)?.soundboardSounds.cache.map(({ name }) => name)
  expect(names).toEqual(['Barn owl'])
  await lateClient.destroy()
  await sounds.delete(newSound.soundId)
  expect((await sounds.fetch()).size).toBe(0)
  expect(await codeOf(sounds.fetch({ soundboardSound: newSound.soundId, force: true }))).toBe(10097)
  const create = (file: Buffer) => sounds.create({ name: 'None', file, contentType: 'audio/ogg' })
  expect(await codeOf(create(Buffer.from('no sound')))).toBe(50035)
})

test('what only announcement channels have is refused with Discord’s error', async () => {
  const message = await general.send('News')
  expect(await codeOf(message.crosspost())).toBe(50024)
  expect(await codeOf(client.rest.post(`/channels/${general.id}/followers`, { body: {} }))).toBe(50024)
  expect(await codeOf(client.rest.post(`/channels/${snowflake(1, Date.now())}/followers`, { body: {} }))).toBe(10003)
})

test('docs/discord.md names each call that this bot made, none but those for announcements as missing', () =>
  expectListed(parley, ['POST /channels/:channel/followers', 'POST /channels/:channel/messages/:message/crosspost']))
