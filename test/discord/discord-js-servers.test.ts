import { afterAll, expect, test } from 'bun:test'
import {
  ChannelType,
  type Channel,
  Events,
  type Guild,
  type GuildMember,
  PermissionFlagsBits,
  type TextChannel,
  WebhookClient,
} from 'discord.js'
import { permissions } from '../../src/core/permissions.ts'
import { addBot, botOf } from '../support/bots.ts'
import { expectListed } from '../support/discord-calls.ts'
import { apiOf, loggedIn } from '../support/discord.ts'
import { boot, newServer, person, say, stop, until } from '../support/harness.ts'

const parley = await boot()
const [alice, bob, carol] = [await person(parley, 'alice'), await person(parley, 'bob'), await person(parley, 'carol')]
const home = await newServer(alice, bob, carol)
const bot = await botOf(alice, 'Warden')
await addBot(alice, home.server_id, bot, permissions('administrator'))
const client = await loggedIn(parley, bot)
const guild = client.guilds.cache.first() as Guild
const general = guild.channels.cache.find(({ name }) => name === 'general') as TextChannel
afterAll(async () => {
  await client.destroy()
  await stop(parley)
})

test('a bot lists messages by pages, edits, deletes and bulk-deletes', async () => {
  const sent = []
  for (let count = 0; count < 6; count++) sent.push(await say(bob, home.channel_id, `Message ${count}`))
  const newest = await general.messages.fetch({ limit: 2 })
  expect([...newest.values()].map(({ content }) => content)).toEqual(['Message 5', 'Message 4'])
  const older = await general.messages.fetch({ limit: 2, before: newest.last()?.id as string })
  expect([...older.values()].map(({ content }) => content)).toEqual(['Message 3', 'Message 2'])
  const own = await general.send({ content: `For <@${guild.members.cache.get(client.user.id)?.id}>`, nonce: '1' })
  await own.edit('Edited')
  expect((await general.messages.fetch({ message: own.id, force: true })).content).toBe('Edited')
  await own.delete()
  await general.bulkDelete(older)
  const remaining = (await bob.get(`/api/channels/${home.channel_id}/messages`)).body.map((row: any) => row.content)
  expect(remaining).not.toContain('Edited')
  expect(remaining).not.toContain('Message 3')
})

test('reactions and pins go both ways', async () => {
  const { id } = await say(bob, home.channel_id, 'React!')
  const [message] = (await general.messages.fetch({ limit: 1 })).values()
  await message?.react('👍')
  const added = new Promise<string>((resolve) =>
    client.on(Events.MessageReactionAdd, (reaction, user) => {
      if (user.id !== client.user.id) resolve(`${reaction.emoji.name} ${user.id}`)
    }),
  )
  await bob.put(`/api/messages/${id}/reactions/${encodeURIComponent('🎉')}/@me`)
  const [emoji, userId] = (await added).split(' ')
  expect(emoji).toBe('🎉')
  expect((await guild.members.fetch(userId as string)).displayName).toBe(bob.display_name)
  const users = await message?.reactions.resolve('🎉')?.users.fetch()
  expect([...(users?.values() ?? [])].map(({ username }) => username)).toEqual([bob.display_name])
  const removed = new Promise((resolve) => client.once(Events.MessageReactionRemove, resolve))
  await bob.delete(`/api/messages/${id}/reactions/${encodeURIComponent('🎉')}/@me`)
  await removed
  await message?.pin()
  expect((await bob.get(`/api/channels/${home.channel_id}/pins`)).body[0].id).toBe(id)
  expect([...(await general.messages.fetchPins()).items].map((pin) => pin.message.content)).toEqual(['React!'])
  await message?.unpin()
})

test('a bot creates, changes and deletes channels and roles, and hears of it', async () => {
  const created = new Promise<Channel>((resolve) => client.once(Events.ChannelCreate, resolve))
  const role = await guild.roles.create({
    name: 'Staff',
    colors: { primaryColor: 0xaa3300 },
    permissions: [PermissionFlagsBits.KickMembers],
  })
  expect([role.hexColor, role.permissions.has('KickMembers')]).toEqual(['#aa3300', true])
  const channel = await guild.channels.create({
    name: 'staff',
    type: ChannelType.GuildText,
    topic: 'For staff',
    permissionOverwrites: [
      { id: guild.roles.everyone.id, deny: [PermissionFlagsBits.ViewChannel] },
      { id: role.id, allow: [PermissionFlagsBits.ViewChannel] },
    ],
  })
  expect((await created).id).toBe(channel.id)
  const seen = (await bob.get(`/api/servers/${home.server_id}/channels`)).body.map(({ name }: any) => name)
  expect(seen).not.toContain('staff')
  const [member] = (await guild.members.fetch({ query: bob.display_name, limit: 1 })).values()
  await member?.roles.add(role)
  await until(async () => (await bob.get(`/api/servers/${home.server_id}/channels`)).body.length === seen.length + 1)
  await channel.edit({ name: 'crew', rateLimitPerUser: 5 })
  await until(() => guild.channels.cache.get(channel.id)?.name === 'crew')
  await channel.delete()
  await until(() => !guild.channels.cache.has(channel.id))
  await role.setName('Crew')
  await role.delete()
  await until(() => !guild.roles.cache.has(role.id))
})

test('a bot fetches members, names them, times them out, kicks and bans', async () => {
  const members = await guild.members.fetch()
  expect(members.size).toBe(4)
  const of = (name: string) => members.find(({ user }) => user.username === name) as GuildMember
  await of(bob.display_name).setNickname('Bobby')
  await of(bob.display_name).timeout(60_000, 'noise')
  const page = (await alice.get(`/api/servers/${home.server_id}/members`)).body
  const row = page.find(({ user }: any) => user.id === bob.id)
  expect([row.nickname, row.timed_out_until !== null]).toEqual(['Bobby', true])
  await of(bob.display_name).timeout(null)
  const departure = new Promise((resolve) => client.once(Events.GuildMemberRemove, resolve))
  await of(carol.display_name).kick('spam')
  await departure
  await guild.members.ban(of(carol.display_name).id, { reason: 'more spam', deleteMessageSeconds: 3600 })
  expect((await guild.bans.fetch()).map(({ reason }) => reason)).toEqual(['more spam'])
  await guild.members.unban(of(carol.display_name).id)
  expect((await guild.bans.fetch()).size).toBe(0)
})

test('a bot begins threads, and hears what is written in them', async () => {
  const thread = await general.threads.create({ name: 'Owls' })
  expect(thread.name).toBe('Owls')
  const heardText = new Promise<string>((resolve) =>
    client.on(Events.MessageCreate, ({ content, channelId }) => {
      if (content !== '') resolve(`${content} ${channelId === thread.id}`)
    }),
  )
  const [row] = (await bob.get(`/api/channels/${home.channel_id}/threads`)).body
  await say(bob, row.id, 'Hoot')
  expect(await heardText).toBe('Hoot true')
  await thread.setArchived(true)
  expect((await general.threads.fetchArchived()).threads.size).toBe(1)
})

test('a bot without a permission gets Discord’s error for it', async () => {
  const weak = await botOf(alice, 'Weak')
  await addBot(alice, home.server_id, weak)
  const other = await loggedIn(parley, weak)
  const place = other.guilds.cache.first() as Guild
  const denied = await place.channels.create({ name: 'nope' }).catch((error: unknown) => error)
  expect(denied).toMatchObject({ code: 50013, status: 403 })
  await other.destroy()
})

test('a bot sends files, and reads those of people by a link', async () => {
  const bytes = Buffer.from('a list of owls')
  const sent = await general.send({ content: 'Owls', files: [{ attachment: bytes, name: 'owls.txt' }] })
  const [attachment] = sent.attachments.values()
  expect([attachment?.name, attachment?.size]).toEqual(['owls.txt', bytes.length])
  expect(await (await fetch(attachment?.url ?? '')).text()).toBe('a list of owls')
  for (const url of [attachment?.url.replace(/\/\d+-/, '/1-'), attachment?.url.replace(/files\/\d+/, 'files/999')])
    expect((await fetch(url ?? '')).status).toBe(404)
  await sent.delete()
  expect((await fetch(attachment?.url ?? '')).status).toBe(404)
  const files = (await alice.parley.parts.sql`select 1 from files where filename = 'owls.txt'`).length
  expect(files).toBe(0)
})

test('a webhook is made by a bot, and posts by the clients and addresses that Discord has', async () => {
  const webhook = await general.createWebhook({ name: 'Build' })
  const hookClient = new WebhookClient(
    { id: webhook.id, token: webhook.token as string },
    { rest: { api: apiOf(parley) } },
  )
  const sent = await hookClient.send({ content: 'Built', files: [{ attachment: Buffer.from('log'), name: 'log.txt' }] })
  await hookClient.editMessage(sent.id, 'Built twice')
  expect((await alice.get(`/api/channels/${home.channel_id}/messages?limit=1`)).body[0].content).toBe('Built twice')
  const address = `${parley.url}/api/webhooks/${webhook.id}/${webhook.token}`
  const posted = await fetch(`${address}?wait=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"content":"By address"}',
  })
  expect([posted.status, ((await posted.json()) as any).content]).toEqual([200, 'By address'])
  for (const path of ['/../../api/servers', '/%2e%2e/%2e%2e/api/servers', '/messages/..'])
    expect((await fetch(address + path)).status).toBeGreaterThanOrEqual(400)
  expect((await general.fetchWebhooks()).map(({ name }) => name)).toEqual(['Build'])
  hookClient.destroy()
})

test('a bot opens a channel to one member, and takes that back', async () => {
  const member = (await guild.members.fetch()).find(({ user }) => user.username === bob.display_name) as GuildMember
  const channel = await guild.channels.create({
    name: 'ticket',
    permissionOverwrites: [
      { id: guild.roles.everyone.id, deny: [PermissionFlagsBits.ViewChannel] },
      { id: member.id, allow: [PermissionFlagsBits.ViewChannel] },
      { id: client.user.id, allow: [PermissionFlagsBits.ViewChannel] },
    ],
  })
  const seesTicket = async () =>
    (await bob.get(`/api/servers/${home.server_id}/channels`)).body.some(({ name }: any) => name === 'ticket')
  expect(await seesTicket()).toBe(true)
  const fetched = (await guild.channels.fetch(channel.id, { force: true })) as TextChannel
  expect(fetched.permissionOverwrites.cache.get(member.id)?.allow.has('ViewChannel')).toBe(true)
  await channel.permissionOverwrites.edit(member.id, { SendMessages: false })
  await until(() => channel.permissionOverwrites.cache.get(member.id)?.deny.has('SendMessages') === true)
  await channel.permissionOverwrites.delete(member.id)
  expect(await seesTicket()).toBe(false)
  const unknown = await channel.permissionOverwrites.delete(member.id).catch((error: unknown) => error)
  expect(unknown).toMatchObject({ code: 10009 })
})

test('a channel of which an overwrite is refused is not left open', async () => {
  const owner = (await guild.members.fetch()).find(({ user }) => user.username === alice.display_name) as GuildMember
  const refused = guild.channels.create({
    name: 'vault',
    permissionOverwrites: [
      { id: guild.roles.everyone.id, deny: [PermissionFlagsBits.ViewChannel] },
      { id: owner.id, deny: [PermissionFlagsBits.ViewChannel] },
    ],
  })
  expect(await refused.catch((error: unknown) => error)).toMatchObject({ status: 403 })
  const { body: channels } = await alice.get(`/api/servers/${home.server_id}/channels`)
  expect(channels.map(({ name }: any) => name)).not.toContain('vault')
})

test('an invite for a temporary membership is one on both sides', async () => {
  const invite = await general.createInvite({ temporary: true })
  const { body: invites } = await alice.get(`/api/servers/${home.server_id}/invites`)
  expect([invite.temporary, invites.find(({ code }: any) => code === invite.code).temporary]).toEqual([true, 'call'])
  expect((await general.createInvite({ unique: true })).temporary).toBe(false)
  await alice.post('/api/invites', { server_id: home.server_id, temporary: 'day' })
  expect([...(await guild.invites.fetch()).values()].filter(({ temporary }) => temporary).length).toBe(2)
})

test('descriptions of files go both ways, and automod judges them', async () => {
  const file = { attachment: Buffer.from('owls'), name: 'owls.txt', description: 'A list of owls' }
  const sent = await general.send({ files: [{ attachment: Buffer.from('wrens'), name: 'wrens.txt' }, file] })
  expect([...sent.attachments.values()].map(({ description }) => description)).toEqual([null, 'A list of owls'])
  const [newest] = (await bob.get(`/api/channels/${home.channel_id}/messages?limit=1`)).body
  expect(newest.files.map(({ alt }: any) => alt)).toEqual([null, 'A list of owls'])
  await alice.post(`/api/servers/${home.server_id}/automod`, {
    name: 'No owls',
    trigger: { type: 'words', words: ['owls'] },
    actions: [{ type: 'block' }],
    covers_bots: true,
  })
  const plain = await botOf(alice, 'Plain')
  await addBot(alice, home.server_id, plain)
  const send = async (description: string) => {
    const form = new FormData()
    form.set('payload_json', JSON.stringify({ attachments: [{ id: 0, description }] }))
    form.set('files[0]', new Blob(['birds']), 'birds.txt')
    const path = `${apiOf(parley)}/v10/channels/${general.id}/messages`
    const response = await fetch(path, {
      method: 'POST',
      headers: { authorization: `Bot ${plain.token}` },
      body: form,
    })
    return [response.status, ((await response.json()) as any).code]
  }
  expect([await send('Two owls'), await send('Two wrens')]).toEqual([
    [400, 200_000],
    [200, undefined],
  ])
  for (const rule of (await guild.autoModerationRules.fetch()).values()) await rule.delete()
})

test('a link to a forward’s copy of a file ends with the original', async () => {
  const original = await general.send({
    content: 'Owls',
    files: [{ attachment: Buffer.from('owls'), name: 'copied.txt' }],
  })
  const [row] = (await alice.get(`/api/channels/${home.channel_id}/messages?limit=1`)).body
  const sent = await alice.post(`/api/channels/${home.channel_id}/messages`, { forward_message_id: row.id })
  expect([sent.status, sent.body.errors]).toEqual([201, undefined])
  const [forward] = (await general.messages.fetch({ limit: 1 })).values()
  const copy = forward?.attachments.first()?.url ?? ''
  expect(forward?.id).not.toBe(original.id)
  expect(await (await fetch(copy)).text()).toBe('owls')
  await original.delete()
  expect((await fetch(copy)).status).toBe(404)
})

test('docs/discord.md names each call that this bot made, and none as missing', () => expectListed(parley))
