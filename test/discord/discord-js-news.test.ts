import { afterAll, expect, test } from 'bun:test'
import { type Client, GatewayIntentBits, type Guild, GuildScheduledEventEntityType } from 'discord.js'
import { permissions } from '../../src/core/permissions.ts'
import { addBot, botOf } from '../support/bots.ts'
import { expectListed } from '../support/discord-calls.ts'
import { ALL, discordClient, framesOf, loggedIn, nextOf, snowflakeOf } from '../support/discord.ts'
import { boot, newServer, person, say, stop, until } from '../support/harness.ts'

const parley = await boot()
const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
const home = await newServer(alice, bob)
const { body: cellar } = await alice.post(`/api/servers/${home.server_id}/channels`, { name: 'cellar', type: 'voice' })
const [bot, weak] = [await botOf(alice, 'Herald'), await botOf(alice, 'Weak')]
await addBot(alice, home.server_id, bot, permissions('administrator'))
await addBot(alice, home.server_id, weak)
const intents = [
  ...ALL,
  GatewayIntentBits.GuildModeration,
  GatewayIntentBits.GuildWebhooks,
  GatewayIntentBits.GuildIntegrations,
  GatewayIntentBits.GuildScheduledEvents,
]
const client = await loggedIn(parley, bot, discordClient(parley, intents))
const weakClient = await loggedIn(parley, weak, discordClient(parley, intents))
const guild = client.guilds.cache.first() as Guild
afterAll(async () => {
  await client.destroy()
  await weakClient.destroy()
  await stop(parley)
})

/** The Discord id of a message. */
const idOf = (message: any): string => snowflakeOf(message)

/** Waits until a bot has received everything that was sent before. */
async function settled(of: Client): Promise<void> {
  const messages = framesOf(of, 'MESSAGE_CREATE')
  const { id } = await say(bob, home.channel_id, 'A milestone')
  await until(() => messages.some(({ content }) => content === 'A milestone'))
  await bob.delete(`/api/messages/${id}`)
}

test('messages that are deleted together come as one event, and a single one as its own', async () => {
  const [bulk, single] = [framesOf(client, 'MESSAGE_DELETE_BULK'), framesOf(client, 'MESSAGE_DELETE')]
  const messages = await Promise.all([1, 2, 3].map((n) => say(bob, home.channel_id, `Spam ${n}`)))
  const ids = messages.map(({ id }) => id)
  const path = `/api/channels/${home.channel_id}/messages/bulk-delete`
  expect((await alice.post(path, { ids })).status).toBe(204)
  const event = await nextOf(bulk)
  expect(event.ids.toSorted()).toEqual(messages.map((each) => idOf(each)).toSorted())
  expect(event.guild_id).toBe(guild.id)
  const last = await say(bob, home.channel_id, 'Last')
  await alice.delete(`/api/messages/${last.id}`)
  expect((await nextOf(single)).id).toBe(idOf(last))
  await Promise.all([4, 5].map((n) => say(bob, home.channel_id, `Spam ${n}`)))
  const channel = client.channels.cache.find((each: any) => each.name === 'general' || each.isSendable?.()) as any
  const deleted = await channel.bulkDelete(2)
  expect((await nextOf(bulk)).ids).toHaveLength(deleted.size)
  expect([bulk, single]).toEqual([[], []])
})

test('entries of the audit log reach the bots that may read it, with their reasons, and no other', async () => {
  // Entries of the deletions above may come after their events.
  await settled(client)
  const [entries, hidden] = [
    framesOf(client, 'GUILD_AUDIT_LOG_ENTRY_CREATE'),
    framesOf(weakClient, 'GUILD_AUDIT_LOG_ENTRY_CREATE'),
  ]
  const { body: role } = await alice.post(`/api/servers/${home.server_id}/roles`, { name: 'Keepers' })
  const creation = await nextOf(entries)
  expect([creation.action_type, creation.target_id, creation.guild_id]).toEqual([30, snowflakeOf(role), guild.id])
  const { entries: listed } = await guild.fetchAuditLogs({ type: 30 })
  expect(listed.first()?.id).toBe(creation.id)
  const rude = await say(bob, home.channel_id, 'Rude words')
  await alice.delete(`/api/messages/${rude.id}`)
  const deletion = await nextOf(entries)
  expect(deletion.action_type).toBe(72)
  await settled(weakClient)
  expect([entries, hidden]).toEqual([[], []])
})

test('a bot that manages webhooks hears that those of a channel have changed', async () => {
  const [news, hidden] = [framesOf(client, 'WEBHOOKS_UPDATE'), framesOf(weakClient, 'WEBHOOKS_UPDATE')]
  const { body: hook } = await alice.post(`/api/channels/${home.channel_id}/webhooks`, { name: 'Build' })
  const first = await nextOf(news)
  expect(first.guild_id).toBe(guild.id)
  await alice.put(`/api/webhooks/${hook.id}`, { channel_id: cellar.id })
  const moved = [await nextOf(news), await nextOf(news)].map((each) => each.channel_id)
  expect(moved.toSorted()).toEqual([first.channel_id, snowflakeOf(cellar)].toSorted())
  await alice.delete(`/api/webhooks/${hook.id}`)
  expect((await nextOf(news)).channel_id).toBe(snowflakeOf(cellar))
  await settled(weakClient)
  expect([news, hidden]).toEqual([[], []])
})

test('bots of a server are its integrations, from their arrival to their departure', async () => {
  const [arrivals, departures] = [framesOf(client, 'INTEGRATION_CREATE'), framesOf(client, 'INTEGRATION_DELETE')]
  const guest = await botOf(alice, 'Guest')
  await addBot(alice, home.server_id, guest)
  const integration = await nextOf(arrivals)
  expect([integration.name, integration.guild_id]).toEqual(['Guest', guild.id])
  const names = (await guild.fetchIntegrations()).map(({ name }) => name)
  expect(names.toSorted()).toEqual(['Guest', 'Herald', 'Weak'])
  await expect((weakClient.guilds.cache.first() as Guild).fetchIntegrations()).rejects.toThrow('Missing Permissions')
  expect((await alice.delete(`/api/servers/${home.server_id}/members/${guest.id}`)).status).toBe(204)
  expect((await nextOf(departures)).application_id).toBe(integration.id)
  const regions = await client.fetchVoiceRegions()
  expect(regions.size).toBe(1)
})

const HOUR_MS = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()

test('a bot makes, lists, changes and deletes scheduled events, and people show their interest', async () => {
  const events = guild.scheduledEvents
  const [created, updated, deleted] = [
    framesOf(client, 'GUILD_SCHEDULED_EVENT_CREATE'),
    framesOf(client, 'GUILD_SCHEDULED_EVENT_UPDATE'),
    framesOf(client, 'GUILD_SCHEDULED_EVENT_DELETE'),
  ]
  const walk = await events.create({
    name: 'The long walk',
    description: 'Bring boots',
    scheduledStartTime: inHours(2),
    scheduledEndTime: inHours(4),
    privacyLevel: 2,
    entityType: GuildScheduledEventEntityType.External,
    entityMetadata: { location: 'The old bridge' },
  })
  expect((await nextOf(created)).id).toBe(walk.id)
  expect(walk).toMatchObject({ name: 'The long walk', status: 1, entityMetadata: { location: 'The old bridge' } })
  const [own] = (await bob.get(`/api/servers/${home.server_id}/events`)).body
  expect(own).toMatchObject({ title: 'The long walk', place: { text: 'The old bridge' }, creator: { id: bot.id } })
  const talk = await events.create({
    name: 'A talk',
    scheduledStartTime: inHours(5),
    privacyLevel: 2,
    entityType: GuildScheduledEventEntityType.Voice,
    channel: snowflakeOf(cellar),
    recurrenceRule: { startAt: inHours(5), frequency: 3, interval: 2 } as never,
  })
  expect([talk.channelId, talk.recurrenceRule?.interval]).toEqual([snowflakeOf(cellar), 2])
  expect((await nextOf(created)).id).toBe(talk.id)
  expect((await events.fetch()).map(({ id }) => id).toSorted()).toEqual([walk.id, talk.id].toSorted())
  await walk.edit({ name: 'The longer walk' })
  expect((await nextOf(updated)).name).toBe('The longer walk')

  const [added, removed] = [
    framesOf(weakClient, 'GUILD_SCHEDULED_EVENT_USER_ADD'),
    framesOf(weakClient, 'GUILD_SCHEDULED_EVENT_USER_REMOVE'),
  ]
  const signup = `/api/events/${own.id}/signup`
  expect((await bob.put(signup, { status: 'maybe' })).status).toBe(204)
  const interest = await nextOf(added)
  expect([interest.guild_scheduled_event_id, interest.guild_id]).toEqual([walk.id, guild.id])
  await bob.put(signup, { status: 'yes' })
  const people = await walk.fetchSubscribers({ withMember: true })
  expect(people.map(({ user }) => user.id)).toEqual([interest.user_id])
  expect((await events.fetch({ guildScheduledEvent: walk.id, withUserCount: true, force: true })).userCount).toBe(1)
  await bob.put(signup, { status: 'no' })
  expect((await nextOf(removed)).user_id).toBe(interest.user_id)
  expect(added).toEqual([])

  await expect(walk.setStatus(2)).rejects.toThrow('begins and ends at its times')
  const seen = (weakClient.guilds.cache.first() as Guild).scheduledEvents
  await expect(seen.delete(walk.id)).rejects.toThrow('Missing Permissions')
  await expect(
    seen.create({ name: 'x', scheduledStartTime: inHours(1), privacyLevel: 2, entityType: 2 } as never),
  ).rejects.toThrow()
  await walk.setStatus(4)
  expect(await nextOf(deleted)).toMatchObject({ id: walk.id, status: 4 })
  await events.delete(talk.id)
  expect((await nextOf(deleted)).id).toBe(talk.id)
  expect((await events.fetch()).size).toBe(0)
  await expect(events.fetch(walk.id)).rejects.toThrow('Unknown Guild Scheduled Event')
})

test('an event in a channel exists only for the bots that see the channel', async () => {
  const { body: attic } = await alice.post(`/api/servers/${home.server_id}/channels`, { name: 'attic', type: 'voice' })
  const { body: roles } = await alice.get(`/api/servers/${home.server_id}/roles`)
  const everyone = roles.find((role: any) => role.is_everyone)
  const deny = permissions('view_channel')
  expect((await alice.put(`/api/channels/${attic.id}/permissions/${everyone.id}`, { deny })).status).toBe(200)
  const [created, hidden] = [
    framesOf(client, 'GUILD_SCHEDULED_EVENT_CREATE'),
    framesOf(weakClient, 'GUILD_SCHEDULED_EVENT_CREATE'),
  ]
  const draft = {
    title: 'A secret',
    starts_at: inHours(1),
    ends_at: inHours(2),
    time_zone: 'UTC',
    place: { channel_id: attic.id },
    signup: {},
  }
  const { body: event } = await alice.post(`/api/servers/${home.server_id}/events`, draft)
  const creation = await nextOf(created)
  const attendees = framesOf(weakClient, 'GUILD_SCHEDULED_EVENT_USER_ADD')
  expect((await alice.put(`/api/events/${event.id}/signup`, { status: 'yes' })).status).toBe(204)
  const blind = (weakClient.guilds.cache.first() as Guild).scheduledEvents
  expect((await blind.fetch()).size).toBe(0)
  await expect(blind.fetch(creation.id)).rejects.toThrow('Unknown Guild Scheduled Event')
  await settled(weakClient)
  expect([hidden, attendees]).toEqual([[], []])
})

test('a bot forgets an event that moves to a channel which it does not see, and learns no more of it', async () => {
  const { body: vault } = await alice.post(`/api/servers/${home.server_id}/channels`, { name: 'vault', type: 'voice' })
  const { body: roles } = await alice.get(`/api/servers/${home.server_id}/roles`)
  const everyone = roles.find((role: any) => role.is_everyone)
  const deny = permissions('view_channel')
  expect((await alice.put(`/api/channels/${vault.id}/permissions/${everyone.id}`, { deny })).status).toBe(200)
  const draft = { title: 'A feast', starts_at: inHours(1), ends_at: inHours(2), time_zone: 'UTC' }
  const { body: event } = await alice.post(`/api/servers/${home.server_id}/events`, {
    ...draft,
    place: { text: 'Here' },
  })
  const cached = (weakClient.guilds.cache.first() as Guild).scheduledEvents.cache
  await until(() => cached.some(({ name }) => name === 'A feast'))
  const [seen, changes, ends] = [
    framesOf(client, 'GUILD_SCHEDULED_EVENT_UPDATE'),
    framesOf(weakClient, 'GUILD_SCHEDULED_EVENT_UPDATE'),
    framesOf(weakClient, 'GUILD_SCHEDULED_EVENT_DELETE'),
  ]
  const change = { title: 'A plot', place: { channel_id: vault.id } }
  expect((await alice.put(`/api/events/${event.id}`, change)).status).toBe(200)
  expect((await nextOf(seen)).name).toBe('A plot')
  const end = await nextOf(ends)
  expect(end).toMatchObject({ guild_id: guild.id, channel_id: null, name: '', description: null, creator_id: null })
  expect(end.creator).toBeUndefined()
  await until(() => !cached.has(end.id))
  expect((await alice.put(`/api/events/${event.id}`, { title: 'A coup' })).status).toBe(200)
  await settled(weakClient)
  expect([changes, ends]).toEqual([[], []])
})

test('docs/discord.md names each call that this bot made, and none as missing', () => expectListed(parley))
