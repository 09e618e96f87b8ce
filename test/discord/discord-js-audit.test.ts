import { afterAll, expect, test } from 'bun:test'
import { AuditLogEvent, ChannelType, Events, GatewayIntentBits, type Guild, type TextChannel } from 'discord.js'
import { permissions } from '../../src/core/permissions.ts'
import { snowflake } from '../../src/discord/snowflake.ts'
import { addBot, botOf } from '../support/bots.ts'
import { expectListed } from '../support/discord-calls.ts'
import { ALL, apiOf, discordClient, loggedIn, nextOf, snowflakeOf } from '../support/discord.ts'
import { boot, newServer, person, say, stop, until } from '../support/harness.ts'
import { png } from '../support/uploads.ts'
import { inVoice, voiceChannel } from '../support/voice-people.ts'

// The audit log for bots of discord.js: its pages and filters, reasons of all kinds of acts, and changes.

const parley = await boot()
const [alice, bob, carol] = [await person(parley, 'alice'), await person(parley, 'bob'), await person(parley, 'carol')]
const home = await newServer(alice, bob, carol)
const bot = await botOf(alice, 'Scribe')
await addBot(alice, home.server_id, bot, permissions('administrator'))
const client = await loggedIn(
  parley,
  bot,
  discordClient(parley, [...ALL, GatewayIntentBits.GuildModeration, GatewayIntentBits.GuildVoiceStates]),
)
const guild = client.guilds.cache.first() as Guild
const general = guild.channels.cache.find(({ name }) => name === 'general') as TextChannel
afterAll(async () => {
  await client.destroy()
  await stop(parley)
})

const idOf = async (who: typeof alice) => snowflakeOf((await who.get('/api/auth/me')).body)
/** The newest entry, as it comes over the wire. */
async function newest(type?: number): Promise<any> {
  const query = new URLSearchParams({ limit: '1', ...(type === undefined ? {} : { action_type: String(type) }) })
  const { audit_log_entries: entries }: any = await client.rest.get(`/guilds/${guild.id}/audit-logs`, { query })
  return entries[0]
}
const codeOf = (refused: Promise<unknown>) => refused.then(() => 0).catch((error: { code: number }) => error.code)

test('the reason of each kind of act stands in the audit log', async () => {
  const member = await guild.members.fetch(await idOf(bob))
  let count = 0
  /** Does something for a reason, which the newest entry of the type then has. */
  const noted = async <T>(type: AuditLogEvent, act: (reason: string) => Promise<T>): Promise<T> => {
    const reason = `Reason ${++count}: “ж”`
    const result = await act(reason)
    expect(await newest(type)).toMatchObject({ action_type: type, reason, user_id: client.user.id })
    return result
  }
  const role = await noted(AuditLogEvent.RoleCreate, (reason) => guild.roles.create({ name: 'Owl', reason }))
  await noted(AuditLogEvent.RoleUpdate, (reason) => role.edit({ name: 'Wren', reason }))
  await noted(AuditLogEvent.MemberRoleUpdate, (reason) => member.roles.add(role, reason))
  await noted(AuditLogEvent.MemberRoleUpdate, (reason) => member.roles.remove(role, reason))
  await noted(AuditLogEvent.RoleDelete, (reason) => guild.roles.delete(role.id, reason))
  await noted(AuditLogEvent.MemberUpdate, (reason) => member.setNickname('Bobby', reason))
  await noted(AuditLogEvent.MemberUpdate, (reason) => member.timeout(60_000, reason))
  await noted(AuditLogEvent.MemberUpdate, (reason) => member.timeout(null, reason))
  const channel = await noted(AuditLogEvent.ChannelCreate, (reason) =>
    guild.channels.create({ name: 'nest', type: ChannelType.GuildText, reason }),
  )
  await noted(AuditLogEvent.ChannelUpdate, (reason) => channel.setTopic('Eggs', reason))
  await noted(AuditLogEvent.ChannelOverwriteCreate, (reason) =>
    channel.permissionOverwrites.edit(guild.id, { SendMessages: false }, { reason }),
  )
  await noted(AuditLogEvent.ChannelOverwriteUpdate, (reason) =>
    channel.permissionOverwrites.edit(guild.id, { SendMessages: true }, { reason }),
  )
  await noted(AuditLogEvent.ChannelOverwriteDelete, (reason) => channel.permissionOverwrites.delete(guild.id, reason))
  const hook = await noted(AuditLogEvent.WebhookCreate, (reason) => channel.createWebhook({ name: 'Build', reason }))
  // With its token, a webhook changes itself.
  await hook.edit({ name: 'Built', reason: 'Better' })
  const ofHook = { user_id: hook.id, target_id: hook.id, reason: 'Better' }
  expect(await newest(AuditLogEvent.WebhookUpdate)).toMatchObject(ofHook)
  await noted(AuditLogEvent.WebhookDelete, (reason) => client.deleteWebhook(hook.id, { reason }))
  const invite = await noted(AuditLogEvent.InviteCreate, (reason) => channel.createInvite({ reason }))
  await noted(AuditLogEvent.InviteDelete, (reason) => invite.delete(reason))
  const { body: begun } = await alice.post(`/api/channels/${home.channel_id}/threads`, { name: 'Feathers' })
  const thread: any = await guild.channels.fetch(snowflakeOf(begun))
  await noted(AuditLogEvent.ThreadUpdate, (reason) => thread.setName('Plumes', reason))
  await noted(AuditLogEvent.ThreadDelete, (reason) => thread.delete(reason))
  await noted(AuditLogEvent.ChannelDelete, async (reason) => void (await guild.channels.delete(channel, reason)))
  const attachment = Buffer.from(await png(64, 64))
  const emoji = await noted(AuditLogEvent.EmojiCreate, (reason) =>
    guild.emojis.create({ name: 'owl', attachment, reason }),
  )
  await noted(AuditLogEvent.EmojiUpdate, (reason) => emoji.edit({ name: 'wren', reason }))
  await noted(AuditLogEvent.EmojiDelete, (reason) => emoji.delete(reason))
  await noted(AuditLogEvent.GuildUpdate, (reason) => guild.setName('Aviary', reason))
  const message: any = await say(bob, home.channel_id, 'Pin me')
  await noted(AuditLogEvent.MessagePin, (reason) => general.messages.pin(snowflakeOf(message), reason))
  await noted(AuditLogEvent.MessageUnpin, (reason) => general.messages.unpin(snowflakeOf(message), reason))
  // discord.js has no option for these, but others do.
  const path = `/channels/${general.id}/messages/${snowflakeOf(message)}` as const
  await noted(AuditLogEvent.MessageDelete, (reason) => client.rest.delete(path, { reason }))
  const spam = await Promise.all([1, 2].map((n) => say(bob, home.channel_id, `Spam ${n}`)))
  await noted(AuditLogEvent.MessageBulkDelete, (reason) =>
    client.rest.post(`/channels/${general.id}/messages/bulk-delete`, {
      body: { messages: spam.map((each: any) => snowflakeOf(each)) },
      reason,
    }),
  )
  await noted(AuditLogEvent.MemberBanAdd, async (reason) => guild.bans.create(await idOf(carol), { reason }))
  await noted(AuditLogEvent.MemberBanRemove, async (reason) => guild.bans.remove(await idOf(carol), reason))
  // The reason of a ban goes with it, that of its end stays.
  expect((await newest(AuditLogEvent.MemberBanRemove)).changes).toEqual([])
})

test('the reason of an act on a member of a call stands in the audit log', async () => {
  const [dawn, dusk] = [
    await voiceChannel(alice, home.server_id, 'dawn'),
    await voiceChannel(alice, home.server_id, 'dusk'),
  ]
  const { gateway } = await inVoice(bob, dawn)
  const member = await guild.members.fetch(await idOf(bob))
  await until(() => member.voice.channelId !== null)
  const channel = snowflakeOf((await alice.get(`/api/channels/${dusk}`)).body)
  await member.edit({ channel, reason: 'Too loud' })
  expect(await newest(AuditLogEvent.MemberMove)).toMatchObject({ reason: 'Too loud', options: { channel_id: channel } })
  await member.edit({ channel: null, reason: 'Still too loud' })
  expect(await newest(AuditLogEvent.MemberDisconnect)).toMatchObject({ reason: 'Still too loud' })
  gateway.close()
})

test('a reason stays with the request that brings it', async () => {
  const edits = Array.from({ length: 10 }, (_, n) =>
    n % 2 === 0
      ? guild.roles.create({ name: `Role ${n}`, reason: `Reason ${n}` })
      : alice.post(`/api/servers/${home.server_id}/roles`, { name: `Role ${n}` }),
  )
  await Promise.all(edits)
  await guild.roles.create({ name: 'Role 10' })
  const { audit_log_entries: entries }: any = await client.rest.get(`/guilds/${guild.id}/audit-logs`, {
    query: new URLSearchParams({ limit: '11', action_type: '30' }),
  })
  const reasons = entries.map(({ changes, reason }: any) => [
    Number(changes.find(({ key }: any) => key === 'name').new_value.slice(5)),
    reason,
  ])
  expect(new Map(reasons.toSorted(([a]: any, [b]: any) => a - b))).toEqual(
    new Map(Array.from({ length: 11 }, (_, n) => [n, n % 2 === 0 && n < 10 ? `Reason ${n}` : undefined])),
  )
})

test('a reason is cut to its length, and loses what no text has', async () => {
  const create = (reason: string) =>
    client.rest.post(`/guilds/${guild.id}/roles`, { body: { name: 'Odd' }, headers: { 'X-Audit-Log-Reason': reason } })
  const reasonFor = async (header: string) => {
    await create(header)
    return (await newest(AuditLogEvent.RoleCreate)).reason
  }
  expect(await reasonFor('%00')).toBeUndefined()
  expect(await reasonFor('a%00b%ED%A0%80')).toBe('a%00b%ED%A0%80')
  expect(await reasonFor('a%00b')).toBe('ab')
  expect([...(await reasonFor(encodeURIComponent('🦉'.repeat(600))))].length).toBe(512)
  // Not percent-encoded, as some programs send it.
  expect(await reasonFor('100% sure')).toBe('100% sure')
})

test('the audit log comes in pages in both directions, and by who acted and what was done', async () => {
  const yard = await newServer(alice, bob)
  await addBot(alice, yard.server_id, bot, permissions('administrator'))
  const there = snowflakeOf((await alice.get(`/api/servers/${yard.server_id}`)).body)
  await until(() => client.guilds.cache.has(there))
  const own = client.guilds.cache.get(there) as Guild
  for (const n of [1, 2, 3, 4, 5]) await alice.post(`/api/servers/${yard.server_id}/roles`, { name: `R${n}` })
  await own.roles.create({ name: 'R6' })
  const names = (entries: Iterable<any>) => [...entries].map(({ target }) => target?.name)
  const list = async (options: object) => [...(await own.fetchAuditLogs(options)).entries.values()]
  const all = await list({ type: AuditLogEvent.RoleCreate })
  expect(names(all)).toEqual(['R6', 'R5', 'R4', 'R3', 'R2', 'R1'])
  const first = await list({ type: AuditLogEvent.RoleCreate, limit: 2 })
  const second = await list({ type: AuditLogEvent.RoleCreate, limit: 2, before: first[1]?.id })
  expect([names(first), names(second)]).toEqual([
    ['R6', 'R5'],
    ['R4', 'R3'],
  ])
  const { audit_log_entries: after }: any = await client.rest.get(`/guilds/${there}/audit-logs`, {
    query: new URLSearchParams({ limit: '2', action_type: '30', after: second[0]?.id ?? '' }),
  })
  expect(after.map(({ id }: any) => id)).toEqual([first[1]?.id, first[0]?.id])
  expect(names(await list({ type: AuditLogEvent.RoleCreate, user: client.user.id }))).toEqual(['R6'])
  expect(names(await list({ user: await idOf(bob) }))).toEqual([])
  // Snowflakes of times, which programs invent.
  const at = (ms: number) => snowflake(0, ms)
  expect(await list({ before: at(Date.now() - 3_600_000) })).toEqual([])
  expect((await list({ before: at(Date.now() + 3_600_000) })).length).toBeGreaterThan(6)
  const refused = client.rest.get(`/guilds/${there}/audit-logs`, { query: new URLSearchParams({ before: 'owl' }) })
  expect(await codeOf(refused)).toBe(50035)
})

test('changes have Discord’s names and notation, also for the entries that a bot is sent', async () => {
  const entries: any[] = []
  client.on(Events.Raw as never, ({ t, d }: any) => {
    // Entries of other servers may come late.
    if (t === 'GUILD_AUDIT_LOG_ENTRY_CREATE' && d.guild_id === guild.id) entries.push(d)
  })
  const next = () => nextOf(entries)
  const path = `/api/servers/${home.server_id}`
  const { body: role } = await alice.post(`${path}/roles`, { name: 'Heron', color: '#00ff00', hoist: true })
  const created = await next()
  expect(created.changes).toContainEqual({ key: 'color', new_value: 0x00ff00 })
  expect(created.changes).toContainEqual({ key: 'hoist', new_value: true })
  await alice.put(`/api/roles/${role.id}`, { permissions: permissions('ban_members'), color: null })
  expect((await next()).changes.toSorted((a: any, b: any) => a.key.localeCompare(b.key))).toEqual([
    { key: 'color', old_value: 0x00ff00 },
    { key: 'permissions', old_value: '0', new_value: '4' },
  ])
  await alice.post(`${path}/members/${bob.id}/roles/${role.id}`)
  expect((await next()).changes).toEqual([{ key: '$add', new_value: [{ id: snowflakeOf(role), name: 'Heron' }] }])
  await alice.delete(`${path}/members/${bob.id}/roles/${role.id}`)
  expect((await next()).changes[0].key).toBe('$remove')
  await alice.put(`/api/channels/${home.channel_id}`, { slowmode_seconds: 5 })
  expect((await next()).changes).toEqual([{ key: 'rate_limit_per_user', old_value: 0, new_value: 5 }])
  await alice.put(`/api/channels/${home.channel_id}`, { slowmode_seconds: 0 })
  await next()
  await alice.put(`/api/channels/${home.channel_id}/permissions/${role.id}`, { deny: permissions('view_channel') })
  expect(await next()).toMatchObject({ action_type: 13, options: { id: snowflakeOf(role), type: '0' } })
  const message: any = await say(bob, home.channel_id, 'Pin me')
  await alice.put(`/api/channels/${home.channel_id}/pins/${message.id}`)
  // Discord names the author of a message.
  expect(await next()).toMatchObject({
    action_type: AuditLogEvent.MessagePin,
    target_id: await idOf(bob),
    options: { channel_id: general.id, message_id: snowflakeOf(message) },
  })
  const { body: rule } = await alice.post(`${path}/automod`, {
    name: 'No owls',
    trigger: { type: 'words', words: ['owls'] },
    actions: [{ type: 'block' }, { type: 'timeout', seconds: 60 }],
  })
  expect(await next()).toMatchObject({ action_type: 140, target_id: snowflakeOf(rule) })
  const blocked = await bob.post(`/api/channels/${home.channel_id}/messages`, { content: 'owls' })
  expect(blocked.body.code).toBe('automod_blocked')
  const { action_type, target_id, options } = await next()
  expect([
    action_type,
    target_id,
    options.auto_moderation_rule_name,
    options.auto_moderation_rule_trigger_type,
  ]).toEqual([145, await idOf(bob), 'No owls', '1'])
})

test('the audit log is only for bots that may read it', async () => {
  const weak = await botOf(alice, 'Weak')
  await addBot(alice, home.server_id, weak)
  const response = await fetch(`${apiOf(parley)}/v10/guilds/${guild.id}/audit-logs?user_id=${client.user.id}`, {
    headers: { authorization: `Bot ${weak.token}` },
  })
  expect([response.status, ((await response.json()) as any).code]).toEqual([403, 50013])
})

test('docs/discord.md names each call that this bot made, and none as missing', () => expectListed(parley))
