import { afterAll, expect, test } from 'bun:test'
import { GatewayIntentBits, type Guild } from 'discord.js'
import { permissions } from '../../src/core/permissions.ts'
import { addBot, botOf } from '../support/bots.ts'
import { expectListed } from '../support/discord-calls.ts'
import { ALL, discordClient, framesOf, loggedIn, nextOf, snowflakeOf } from '../support/discord.ts'
import { boot, newServer, person, say, stop, until } from '../support/harness.ts'

const parley = await boot()
const [alice, bob, carol] = [await person(parley, 'alice'), await person(parley, 'bob'), await person(parley, 'carol')]
const home = await newServer(alice, bob, carol)
const [bot, weak] = [await botOf(alice, 'Warden'), await botOf(alice, 'Weak')]
await addBot(alice, home.server_id, bot, permissions('administrator'))
await addBot(alice, home.server_id, weak)
const intents = [
  ...ALL,
  GatewayIntentBits.GuildModeration,
  GatewayIntentBits.GuildInvites,
  GatewayIntentBits.GuildMessagePolls,
]
const client = await loggedIn(parley, bot, discordClient(parley, intents))
const weakClient = await loggedIn(parley, weak, discordClient(parley, intents))
const guild = client.guilds.cache.first() as Guild
afterAll(async () => {
  await client.destroy()
  await weakClient.destroy()
  await stop(parley)
})

/** Waits until both bots know a channel: then they have received what was sent before it, too. */
const areToldOf = (channel: { id: number; created_at: string }) =>
  until(() => [client, weakClient].every((each) => each.channels.cache.has(snowflakeOf(channel))))

test('a bot that may ban hears of bans and their end, and another bot hears nothing', async () => {
  const [bans, ends] = [framesOf(client, 'GUILD_BAN_ADD'), framesOf(client, 'GUILD_BAN_REMOVE')]
  const [weakBans, departures] = [framesOf(weakClient, 'GUILD_BAN_ADD'), framesOf(weakClient, 'GUILD_MEMBER_REMOVE')]
  await alice.put(`/api/servers/${home.server_id}/bans/${carol.id}`, { reason: 'spam' })
  expect((await nextOf(bans)).user.username).toBe(carol.display_name)
  await nextOf(departures)
  // A changed reason is no further ban.
  await alice.put(`/api/servers/${home.server_id}/bans/${carol.id}`, { reason: 'more spam' })
  await alice.delete(`/api/servers/${home.server_id}/bans/${carol.id}`)
  expect((await nextOf(ends)).guild_id).toBe(guild.id)
  await say(bob, home.channel_id, 'After the ban')
  await until(() => weakClient.channels.cache.some((channel: any) => channel.lastMessage?.content === 'After the ban'))
  expect([weakBans, bans]).toEqual([[], []])
})

test('invites are announced once each, with their code', async () => {
  const [created, deleted] = [framesOf(client, 'INVITE_CREATE'), framesOf(client, 'INVITE_DELETE')]
  const weakCreated = framesOf(weakClient, 'INVITE_CREATE')
  const { body: invite } = await alice.post('/api/invites', { server_id: home.server_id })
  const announced = await nextOf(created)
  expect([announced.code, announced.guild_id, announced.max_age]).toEqual([invite.code, guild.id, 86_400])
  await carol.post(`/api/invites/${invite.code}/join`)
  await alice.delete(`/api/invites/${invite.id}`)
  expect((await nextOf(deleted)).code).toBe(invite.code)
  const [channel] = guild.channels.cache.filter((one) => one.isTextBased() && !one.isThread()).values()
  const own = await guild.invites.create(channel as never, { maxAge: 60 })
  expect((await nextOf(created)).code).toBe(own.code)
  await own.delete()
  expect((await nextOf(deleted)).code).toBe(own.code)
  expect([created, weakCreated]).toEqual([[], []])
})

test('a deleted row keeps its id, even for a bot that did not know it before', async () => {
  const [roles, channels, threads] = [
    framesOf(client, 'GUILD_ROLE_DELETE'),
    framesOf(client, 'CHANNEL_DELETE'),
    framesOf(client, 'THREAD_DELETE'),
  ]
  const { body: role } = await alice.post(`/api/servers/${home.server_id}/roles`, { name: 'Keepers' })
  await alice.delete(`/api/roles/${role.id}`)
  expect((await nextOf(roles)).role_id).toBe(snowflakeOf(role))
  const { body: channel } = await alice.post(`/api/servers/${home.server_id}/channels`, { name: 'owls', type: 'text' })
  const { body: thread } = await alice.post(`/api/channels/${channel.id}/threads`, { name: 'Hoots' })
  await alice.delete(`/api/channels/${thread.id}`)
  expect((await nextOf(threads)).id).toBe(snowflakeOf(thread))
  await alice.delete(`/api/channels/${channel.id}`)
  expect((await nextOf(channels)).id).toBe(snowflakeOf(channel))
})

test('a bot hears of votes in a poll that is not anonymous', async () => {
  const [added, removed] = [framesOf(client, 'MESSAGE_POLL_VOTE_ADD'), framesOf(client, 'MESSAGE_POLL_VOTE_REMOVE')]
  const poll = { question: 'Which day?', answers: [{ text: 'Saturday' }, { text: 'Sunday' }] }
  const { body: open } = await alice.post(`/api/channels/${home.channel_id}/messages`, { poll })
  const { body: secret } = await alice.post(`/api/channels/${home.channel_id}/messages`, {
    poll: { ...poll, anonymous: true },
  })
  await bob.put(`/api/messages/${secret.id}/poll/votes`, { answer_ids: [1] })
  await bob.put(`/api/messages/${open.id}/poll/votes`, { answer_ids: [1] })
  const vote = await nextOf(added)
  expect([vote.message_id, vote.answer_id]).toEqual([snowflakeOf(open), 1])
  await bob.put(`/api/messages/${open.id}/poll/votes`, { answer_ids: [2] })
  expect([(await nextOf(removed)).answer_id, (await nextOf(added)).answer_id]).toEqual([1, 2])
})

test('pins, names of accounts, threads that a bot follows and channels that it gains are announced', async () => {
  const [pins, members, follows, lists] = [
    framesOf(client, 'CHANNEL_PINS_UPDATE'),
    framesOf(client, 'GUILD_MEMBER_UPDATE'),
    framesOf(client, 'THREAD_MEMBERS_UPDATE'),
    framesOf(weakClient, 'THREAD_LIST_SYNC'),
  ]
  const message = await say(bob, home.channel_id, 'Pin me')
  await alice.put(`/api/channels/${home.channel_id}/pins/${message.id}`)
  expect((await nextOf(pins)).guild_id).toBe(guild.id)
  await bob.put('/api/auth/display-name', { display_name: 'Robert' })
  expect((await nextOf(members)).user.username).toBe('Robert')
  const { body: thread } = await alice.post(`/api/channels/${home.channel_id}/threads`, { name: 'Owls' })
  await until(() => guild.channels.cache.has(snowflakeOf(thread)))
  const threadChannel: any = guild.channels.cache.get(snowflakeOf(thread))
  await threadChannel.join()
  expect((await nextOf(follows)).added_members[0].user_id).toBe(client.user.id)
  // Alice has begun it.
  const aliceId = snowflakeOf((await alice.get('/api/auth/me')).body)
  expect(new Set((await threadChannel.members.fetch()).keys())).toEqual(new Set([aliceId, client.user.id]))

  const { body: hidden } = await alice.post(`/api/servers/${home.server_id}/channels`, { name: 'crew', type: 'text' })
  await areToldOf(hidden)
  const { body: roles } = await alice.get(`/api/servers/${home.server_id}/roles`)
  const everyone = roles.find((role: any) => role.is_everyone)
  const path = `/api/channels/${hidden.id}/permissions/${everyone.id}`
  await alice.put(path, { deny: permissions('view_channel') })
  await alice.post(`/api/channels/${hidden.id}/threads`, { name: 'Secret owls' })
  await until(() => weakClient.guilds.cache.first()?.channels.cache.has(snowflakeOf(hidden)) === false)
  await alice.delete(path)
  const list = await nextOf(lists)
  expect([list.channel_ids, list.threads.map(({ name }: any) => name)]).toEqual([
    [snowflakeOf(hidden)],
    ['Secret owls'],
  ])
})

test('a forum that a bot gains comes without its hidden posts', async () => {
  const lists = framesOf(weakClient, 'THREAD_LIST_SYNC')
  const { body: forum } = await alice.post(`/api/servers/${home.server_id}/channels`, { name: 'help', type: 'forum' })
  await areToldOf(forum)
  for (const name of ['Shown', 'Secret'])
    await alice.post(`/api/channels/${forum.id}/threads`, { name, message: { content: 'Hi' } })
  const { body: posts } = await alice.get(`/api/channels/${forum.id}/threads`)
  const secret = posts.find(({ name }: any) => name === 'Secret')
  expect((await alice.put(`/api/channels/${secret.id}`, { hidden: true })).status).toBe(200)
  const { body: roles } = await alice.get(`/api/servers/${home.server_id}/roles`)
  const path = `/api/channels/${forum.id}/permissions/${roles.find((role: any) => role.is_everyone).id}`
  await alice.put(path, { deny: permissions('view_channel') })
  await until(() => weakClient.guilds.cache.first()?.channels.cache.has(snowflakeOf(forum)) === false)
  await alice.delete(path)
  expect((await nextOf(lists)).threads.map(({ name }: any) => name)).toEqual(['Shown'])
})

test('overwrites for members reach bots that manage roles, and another bot only its own', async () => {
  const { body: channel } = await alice.post(`/api/servers/${home.server_id}/channels`, { name: 'nest', type: 'text' })
  await areToldOf(channel)
  const [updates, weakUpdates] = [framesOf(client, 'CHANNEL_UPDATE'), framesOf(weakClient, 'CHANNEL_UPDATE')]
  const members = guild.members.cache.size > 2 ? guild.members.cache : await guild.members.fetch()
  const idOf = (who: { display_name: string }) =>
    members.find(({ user }) => user.username === who.display_name)?.id as string
  const put = async (who: { id: number }, body: object) => {
    const answer = await alice.put(`/api/channels/${channel.id}/permissions/members/${who.id}`, body)
    expect(answer.status).toBe(200)
    return (await Promise.all([nextOf(updates), nextOf(weakUpdates)])).map((update) => update.permission_overwrites)
  }
  const ofCarol = { id: idOf(carol), type: 1, allow: '0', deny: String(permissions('send_messages') + 2 ** 14) }
  const [seen, weakSeen] = await put(carol, { deny: permissions('send_messages') })
  expect([seen, weakSeen]).toEqual([[ofCarol], []])
  const ofWeak = { id: weakClient.user.id, type: 1, allow: String(permissions('pin_messages')), deny: '0' }
  const [all, weakAll] = await put(weak, { allow: permissions('pin_messages') })
  expect([new Set(all), weakAll]).toEqual([new Set([ofCarol, ofWeak]), [ofWeak]])
  const fetched: any = await weakClient.guilds.cache.first()?.channels.fetch(snowflakeOf(channel), { force: true })
  expect([...fetched.permissionOverwrites.cache.keys()]).toEqual([weakClient.user.id])
  await alice.delete(`/api/channels/${channel.id}/permissions/members/${carol.id}`)
  expect((await nextOf(updates)).permission_overwrites).toEqual([ofWeak])
})

test('docs/discord.md names each call that this bot made, and none as missing', () => expectListed(parley))
