import { afterAll, expect, test } from 'bun:test'
import { type Client, Events, GatewayIntentBits, type Guild, type Message, type TextChannel } from 'discord.js'
import { permissions } from '../../src/core/permissions.ts'
import { addRule, wordsRule } from '../support/automod.ts'
import { addBot, botOf } from '../support/bots.ts'
import { expectListed } from '../support/discord-calls.ts'
import { ALL, discordClient, loggedIn, snowflakeOf } from '../support/discord.ts'
import { boot, newServer, person, type Person, say, stop, until } from '../support/harness.ts'
import { png } from '../support/uploads.ts'

// Pruning, pictures of roles, files of messages and news of AutoMod, for bots of discord.js.

const parley = await boot()
const [alice, bob, carol] = [await person(parley, 'alice'), await person(parley, 'bob'), await person(parley, 'carol')]
const home = await newServer(alice, bob, carol)
const [bot, weak] = [await botOf(alice, 'Warden'), await botOf(alice, 'Weak')]
await addBot(alice, home.server_id, bot, permissions('administrator'))
await addBot(alice, home.server_id, weak)
const intents = [
  ...ALL,
  GatewayIntentBits.GuildVoiceStates,
  GatewayIntentBits.AutoModerationConfiguration,
  GatewayIntentBits.AutoModerationExecution,
]
const blind = intents.filter((intent) => intent !== GatewayIntentBits.MessageContent)
const client = await loggedIn(parley, bot, discordClient(parley, intents))
const weakClient = await loggedIn(parley, weak, discordClient(parley, intents))
const guild = client.guilds.cache.first() as Guild
const weakGuild = weakClient.guilds.cache.first() as Guild
const general = guild.channels.cache.find(({ name }) => name === 'general') as TextChannel
afterAll(async () => {
  await client.destroy()
  await weakClient.destroy()
  await stop(parley)
})

const userId = async (of: Person) => snowflakeOf((await of.get('/api/auth/me')).body)
const codeOf = (refused: Promise<unknown>) => refused.then(() => 0).catch((error: { code: number }) => error.code)

/** The frames of these types that a bot gets from now on, as they come over the wire. */
function framesOf(of: Client, ...types: string[]): any[] {
  const frames: any[] = []
  of.setMaxListeners(50)
  of.on(Events.Raw as never, (frame: { t: string; d: unknown }) => {
    if (types.includes(frame.t)) frames.push(frame)
  })
  return frames
}

/** Waits until a bot has received everything that was sent before. */
async function settled(of: Client): Promise<void> {
  const messages = framesOf(of, 'MESSAGE_CREATE')
  const { id } = await say(bob, home.channel_id, 'A milestone')
  const milestone = snowflakeOf((await bob.get(`/api/messages/${id}`)).body)
  await until(() => messages.some(({ d }) => d.id === milestone))
}

test('an edit of nothing does not tell a bot about members of servers that it is not in', async () => {
  const elsewhere = await newServer(alice, bob)
  const server = snowflakeOf((await alice.get(`/api/servers/${elsewhere.server_id}`)).body)
  expect(await codeOf(client.rest.patch(`/guilds/${server}/members/${await userId(bob)}`, { body: {} }))).toBe(10007)
})

test('a bot sets and removes pictures of roles; a bad picture leaves no new role behind', async () => {
  const icon = Buffer.from(await png(64, 64))
  const role = await guild.roles.create({ name: 'Keepers', icon })
  const rows = async () => (await alice.get(`/api/servers/${home.server_id}/roles`)).body
  const own = async (name: string) => (await rows()).find((row: any) => row.name === name)
  expect((await own('Keepers')).icon_url).toEndWith(`/${role.icon}`)
  await role.edit({ name: 'Wardens', icon: null })
  expect((await own('Wardens')).icon_url).toBeNull()
  await role.setIcon(icon)
  expect((await own('Wardens')).icon_url).toEndWith(`/${role.icon}`)
  expect(await codeOf(guild.roles.create({ name: 'Broken', icon: Buffer.from('no picture') }))).toBe(50035)
  expect(await own('Broken')).toBeUndefined()
  const weakRole = weakGuild.roles.cache.get(role.id)
  expect(await codeOf(weakRole?.setIcon(icon) as Promise<unknown>)).toBe(50013)
})

const file = (name: string) => ({ attachment: Buffer.from(name), name })
const namesIn = (message: Message) => [...message.attachments.values()].map(({ name }) => name)

test('an edit of a message adds files, keeps those that it lists, and deletes the others', async () => {
  const message = await general.send({ content: 'Birds', files: [file('owl.txt'), file('wren.txt')] })
  const [owl] = [...message.attachments.values()]
  const edited = await message.edit({ attachments: [owl as never], files: [file('tit.txt')] })
  expect(namesIn(edited)).toEqual(['owl.txt', 'tit.txt'])
  const row = (await bob.get(`/api/channels/${home.channel_id}/messages?limit=1`)).body[0]
  expect(row.files.map(({ filename }: any) => filename)).toEqual(['owl.txt', 'tit.txt'])
  expect(namesIn(await message.edit({ content: 'Still birds' }))).toEqual(['owl.txt', 'tit.txt'])
  // Without text, the message would be empty.
  expect(namesIn(await message.edit({ content: '', attachments: [owl as never] }))).toEqual(['owl.txt'])
  expect(await codeOf(message.edit({ content: '', attachments: [] }))).toBe(50035)
  expect(namesIn(await general.messages.fetch({ message: message.id, force: true }))).toEqual(['owl.txt'])
})

test('an edit cannot take files of others or of another message, nor add files where the bot may not', async () => {
  const [first, second] = [await general.send({ files: [file('one.txt')] }), await general.send('Two')]
  const page = (await alice.get(`/api/channels/${home.channel_id}/messages?limit=2`)).body
  const [secondRow, firstRow] = page
  const put = (who: Person, id: number, file_ids: number[]) => who.put(`/api/messages/${id}`, { file_ids })
  expect((await put(bot, secondRow.id, [firstRow.files[0].id])).body.code).toBe('already_attached')
  const his = await say(bob, home.channel_id, 'Mine')
  expect((await put(bob, his.id, [])).body.code).toBe('validation_failed')
  expect((await put(bot, his.id, [])).body.code).toBe('forbidden')
  expect((await put(weak, secondRow.id, [])).body.code).toBe('forbidden')
  expect((await put(bot, secondRow.id, [999_999_999])).body.code).toBe('validation_failed')
  expect(namesIn(await first.fetch(true))).toEqual(['one.txt'])
  expect(namesIn(await second.fetch(true))).toEqual([])
  await addRule(alice, home.server_id, {
    name: 'Programs',
    trigger: { type: 'attachments', types: ['exe'] },
    actions: [{ type: 'block' }],
    covers_bots: true,
  })
  expect(await codeOf(second.edit({ files: [file('virus.exe')] }))).toBe(200000)
  expect(namesIn(await second.fetch(true))).toEqual([])
  const own = await (weakGuild.channels.cache.get(general.id) as TextChannel).send('Plain')
  await general.permissionOverwrites.edit(guild.id, { AttachFiles: false })
  expect(await codeOf(own.edit({ files: [file('late.txt')] }))).toBe(50013)
  await general.permissionOverwrites.edit(guild.id, { AttachFiles: null })
})

test('a bot prunes members who joined long ago and never wrote, and no others', async () => {
  const dave = await person(parley, 'dave')
  const yard = await newServer(alice, bob, carol, dave)
  await addBot(alice, yard.server_id, bot, permissions('kick_members'))
  await addBot(alice, yard.server_id, weak)
  await say(bob, yard.channel_id, 'Here')
  const old = new Date(Date.now() - 10 * 86_400_000)
  await parley.parts.sql`update members set joined_at = ${old} where server_id = ${yard.server_id}
    and user_id in (${bob.id}, ${carol.id})`
  const server = snowflakeOf((await alice.get(`/api/servers/${yard.server_id}`)).body)
  await until(() => client.guilds.cache.has(server) && weakClient.guilds.cache.has(server))
  const members = client.guilds.cache.get(server)?.members as Guild['members']
  expect(await members.prune({ days: 30, dry: true })).toBe(0)
  expect(await members.prune({ days: 7, dry: true })).toBe(1)
  expect(await codeOf(weakClient.guilds.cache.get(server)?.members.prune({ days: 7 }) as Promise<unknown>)).toBe(50013)
  expect(await codeOf(members.prune({ days: 0 }))).toBe(50035)
  expect(await members.prune({ days: 7, reason: 'Silent' })).toBe(1)
  const ids = async () =>
    (await alice.get(`/api/servers/${yard.server_id}/members`)).body.map(({ user }: any) => user.id)
  await until(async () => !(await ids()).includes(carol.id))
  expect(await ids()).toEqual(expect.arrayContaining([alice.id, bob.id, dave.id, bot.id]))
})

test('changes of automod rules reach the bots that may manage the server, and no other', async () => {
  const types = ['CREATE', 'UPDATE', 'DELETE'].map((end) => `AUTO_MODERATION_RULE_${end}`)
  const [news, hidden] = [framesOf(client, ...types), framesOf(weakClient, ...types)]
  const path = `/api/servers/${home.server_id}/automod`
  const { body: rule } = await alice.post(path, wordsRule(['heron'], { name: 'Herons' }))
  await alice.put(`/api/automod/${rule.id}`, wordsRule(['heron', 'crane'], { name: 'Tall birds' }))
  await alice.delete(`/api/automod/${rule.id}`)
  await until(() => news.length === 3)
  expect(news.map(({ t }) => t)).toEqual(types)
  expect(new Set(news.map(({ d }) => d.id)).size).toBe(1)
  expect(news.map(({ d }) => [d.name, d.guild_id, d.trigger_metadata.keyword_filter.length])).toEqual([
    ['Herons', guild.id, 1],
    ['Tall birds', guild.id, 2],
    ['Tall birds', guild.id, 2],
  ])
  await settled(weakClient)
  expect(hidden).toEqual([])
})

test('bots that manage the server hear of acts of rules where they see, with content as they may', async () => {
  const [near, far] = [await botOf(alice, 'Near'), await botOf(alice, 'Far')]
  for (const each of [near, far]) await addBot(alice, home.server_id, each, permissions('manage_server'))
  const nearClient = await loggedIn(parley, near, discordClient(parley, blind))
  const farClient = await loggedIn(parley, far, discordClient(parley, intents))
  const { body: staff } = await alice.post(`/api/servers/${home.server_id}/channels`, { name: 'staff', type: 'text' })
  const { body: roles } = await alice.get(`/api/servers/${home.server_id}/roles`)
  const everyone = roles.find((row: any) => row.is_everyone)
  const hide = (channel: number, id: number, deny: number, allow = 0) =>
    alice.put(`/api/channels/${channel}/permissions/${id}`, { allow, deny })
  await hide(staff.id, everyone.id, permissions('view_channel'))
  const farRole = roles.find((row: any) => row.bot_id === far.id)
  await hide(home.channel_id, farRole.id, permissions('view_channel'))
  const actions = [
    { type: 'block', message: 'No' },
    { type: 'alert', channel_id: staff.id },
  ]
  const id = await addRule(alice, home.server_id, wordsRule(['bittern'], { actions }))
  const t = 'AUTO_MODERATION_ACTION_EXECUTION'
  const [all, blank, none, weakly] = [client, nearClient, farClient, weakClient].map((each) => framesOf(each, t)) as [
    any[],
    any[],
    any[],
    any[],
  ]
  const sent = await bob.post(`/api/channels/${home.channel_id}/messages`, { content: 'A bittern!' })
  expect(sent.body.code).toBe('automod_blocked')
  await until(() => all.length === 2 && blank.length === 2)
  const { body: alert } = await alice.get(`/api/channels/${staff.id}/messages?limit=1`)
  const common = { guild_id: guild.id, user_id: await userId(bob), channel_id: general.id, rule_trigger_type: 1 }
  expect(all.map(({ d }) => d)).toMatchObject([
    { ...common, content: 'A bittern!', matched_keyword: 'bittern', action: { type: 1 } },
    { ...common, action: { type: 2 }, alert_system_message_id: snowflakeOf(alert[0]) },
  ])
  expect(blank.map(({ d }) => d.content)).toEqual(['', ''])
  await settled(weakClient)
  const { body: open } = await alice.post(`/api/servers/${home.server_id}/channels`, { name: 'open', type: 'text' })
  await bob.post(`/api/channels/${open.id}/messages`, { content: 'Another bittern' })
  // Of both texts, the bot that does not see the first channel hears only the second.
  await until(() => none.length >= 2)
  expect(none.map(({ d }) => d.content)).toEqual(['Another bittern', 'Another bittern'])
  expect(weakly).toEqual([])
  await alice.delete(`/api/automod/${id}`)
  await nearClient.destroy()
  await farClient.destroy()
})

test('docs/discord.md names each call that this bot made, and none as missing', () => expectListed(parley))
