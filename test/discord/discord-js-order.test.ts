import { afterAll, expect, test } from 'bun:test'
import { type Guild, type Message, SnowflakeUtil, type TextChannel } from 'discord.js'
import { permissions } from '../../src/core/permissions.ts'
import { snowflake } from '../../src/discord/snowflake.ts'
import { addBot, botOf } from '../support/bots.ts'
import { expectListed } from '../support/discord-calls.ts'
import { apiOf, discordClient, loggedIn, snowflakeOf } from '../support/discord.ts'
import { boot, newServer, person, say, stop, until } from '../support/harness.ts'

// Orders, pages from a time, limits and statuses, as programs ask for them.

const parley = await boot()
const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
const home = await newServer(alice, bob)
const bot = await botOf(alice, 'Sorter')
await addBot(alice, home.server_id, bot, permissions('administrator'))
const client = await loggedIn(parley, bot, discordClient(parley))
const guild = client.guilds.cache.first() as Guild
const general = guild.channels.cache.find(({ name }) => name === 'general') as TextChannel
afterAll(async () => {
  await client.destroy()
  await stop(parley)
})

test('messages are listed from a time that a program invents, and from a message that is gone', async () => {
  const sent: { id: number }[] = []
  for (let n = 0; n < 6; n++) sent.push(await say(bob, home.channel_id, `Owl ${n}`))
  // Another channel was imported later: its messages have higher ids, and are older.
  const { body: imported } = await alice.post(`/api/servers/${home.server_id}/channels`, { name: 'old', type: 'text' })
  for (let n = 0; n < 9; n++) await say(bob, imported.id, `Auk ${n}`)
  await parley.parts.sql`update messages set created_at = '2019-01-01' where channel_id = ${imported.id}`
  // An hour lies between each two of them.
  const began = Date.UTC(2026, 0, 1)
  const hour = 3_600_000
  await parley.parts.sql`update messages set created_at = '2020-01-01' where id < ${sent[0]?.id ?? 0}`
  for (const [n, { id }] of sent.entries())
    await parley.parts
      .sql`update messages set created_at = ${new Date(began + n * hour).toISOString()} where id = ${id}`
  const texts = async (query: object) =>
    [...((await general.messages.fetch({ cache: false, ...query })) as Map<string, Message>).values()]
      .map(({ content }) => content)
      .filter((content) => content.startsWith('Owl'))
      .toSorted()
  const at = (n: number) => String(SnowflakeUtil.generate({ timestamp: began + n * hour + hour / 2 }))
  expect(await texts({ after: at(3) })).toEqual(['Owl 4', 'Owl 5'])
  expect(await texts({ before: at(1) })).toEqual(['Owl 0', 'Owl 1'])
  expect(await texts({ around: at(2), limit: 2 })).toEqual(['Owl 2', 'Owl 3'])
  expect(await texts({ after: at(9) })).toEqual([])
  expect((await texts({ before: at(9) })).length).toBe(6)
  expect((await texts({ after: snowflake(1, 0) })).length).toBe(6)
  expect((await texts({ after: '0' })).length).toBe(6)
  // A message that is deleted still tells where a page begins.
  const [, , third] = sent
  const deleted = snowflakeOf({ id: third?.id ?? 0, created_at: new Date(began + 2 * hour).toISOString() })
  await bob.delete(`/api/messages/${third?.id}`)
  expect(await texts({ after: deleted })).toEqual(['Owl 3', 'Owl 4', 'Owl 5'])
  expect(await texts({ before: deleted })).toEqual(['Owl 0', 'Owl 1'])
  for (const after of ['now', '-1', '1e17', '9'.repeat(20)])
    expect(await general.messages.fetch({ after }).catch((error: unknown) => error)).toMatchObject({ status: 404 })
})

test('a list of members begins after the time that a made-up id names', async () => {
  const names = async (after: string) =>
    [...(await guild.members.list({ after, limit: 10, cache: false })).values()].map(({ displayName }) => displayName)
  const all = await names('0')
  expect(all.length).toBe(3)
  expect(await names(snowflake(1, 0))).toEqual(all)
  expect(await names(String(SnowflakeUtil.generate({ timestamp: Date.now() + 3_600_000 })))).toEqual([])
})

test('a bot changes the order of channels and roles, and hears of it', async () => {
  const [a, b] = [await guild.channels.create({ name: 'aa' }), await guild.channels.create({ name: 'bb' })]
  const orderOf = async () =>
    (await alice.get(`/api/servers/${home.server_id}/channels`)).body
      .toSorted((one: any, other: any) => one.position - other.position)
      .map(({ name }: any) => name)
  const before = await orderOf()
  expect(before.indexOf('aa')).toBeLessThan(before.indexOf('bb'))
  await guild.channels.setPositions([
    { channel: a.id, position: b.rawPosition },
    { channel: b.id, position: a.rawPosition },
  ])
  await until(async () => {
    const now = await orderOf()
    return now.indexOf('bb') < now.indexOf('aa')
  })
  const [low, high] = [await guild.roles.create({ name: 'Low' }), await guild.roles.create({ name: 'High' })]
  const positions = async () => {
    const { body } = await alice.get(`/api/servers/${home.server_id}/roles`)
    return ['Low', 'High'].map((name) => body.find((role: any) => role.name === name).position)
  }
  const [first = 0, second = 0] = await positions()
  await (first < second ? low : high).setPosition(Math.max(first, second))
  await until(async () => {
    const [one = 0, other = 0] = await positions()
    return one < other !== first < second
  })
})

test('a new order of roles takes the fewest moves, and all of it or nothing', async () => {
  const names = ['Auk', 'Bee', 'Cat', 'Dog', 'Elk', 'Fox', 'Gnu', 'Hen']
  for (const name of names.toReversed()) await guild.roles.create({ name })
  const listed = async (): Promise<any[]> => (await alice.get(`/api/servers/${home.server_id}/roles?limit=100`)).body
  const order = async () => (await listed()).flatMap(({ name }) => (names.includes(name) ? [name[0]] : [])).join('')
  const moves = async (): Promise<number> =>
    (await parley.parts.sql`select from audit_log where action = 'role.updated'`).count
  await until(() => names.every((name) => guild.roles.cache.some((role) => role.name === name)))
  const roleOf = (letter: string) =>
    guild.roles.cache.find(({ name }) => name === names.find((one) => one[0] === letter))!
  expect(await order()).toBe('ABCDEFGH')
  const first = (await listed()).find(({ name }) => name === 'Auk').position
  const began = await moves()
  // discord.js names all roles, those that stay too.
  await roleOf('A').setPosition(first + 7)
  expect([await order(), (await moves()) - began]).toEqual(['BCDEFGHA', 1])
  // Here it names only some.
  await guild.roles.setPositions([
    { role: roleOf('C').id, position: first + 3 },
    { role: roleOf('B').id, position: first + 5 },
  ])
  expect([await order(), (await moves()) - began]).toEqual(['DEFCGBHA', 3])
  const letters = [...'HAGBFCED']
  await guild.roles.setPositions(letters.map((letter, at) => ({ role: roleOf(letter).id, position: first + at })))
  expect(await order()).toBe('HAGBFCED')
  const count = await moves()
  // The second one would stand above the bot, so the first one stays too.
  const high = (await listed()).length + 1
  const refused = guild.roles.setPositions([
    { role: roleOf('A').id, position: first },
    { role: roleOf('D').id, position: high },
  ])
  expect(await refused.catch((error: unknown) => error)).toMatchObject({ status: 403 })
  // So does a role of another server.
  const { server_id: elsewhere } = await newServer(alice)
  const { body: foreign } = await alice.post(`/api/servers/${elsewhere}/roles`, { name: 'Far' })
  const unknown = client.rest.patch(`/guilds/${guild.id}/roles`, {
    body: [
      { id: roleOf('A').id, position: first },
      { id: snowflakeOf(foreign), position: first },
    ],
  })
  expect(await unknown.catch((error: unknown) => error)).toMatchObject({ code: 10011 })
  expect([await order(), await moves()]).toEqual(['HAGBFCED', count])
})

test('an answer says how many requests are left, and a refused one when to come again', async () => {
  const limited = await boot({ RATE_LIMITS: 'on' }, parley)
  const headers = { authorization: `Bot ${bot.token}`, 'content-type': 'application/json' }
  const send = (content: string) =>
    fetch(`${apiOf(limited)}/v10/channels/${general.id}/messages`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ content }),
    })
  const answer = await send('One')
  for (const name of ['limit', 'remaining', 'reset', 'reset-after', 'bucket'])
    expect([name, answer.headers.get(`x-ratelimit-${name}`)]).toEqual([name, expect.any(String)])
  await answer.body?.cancel()
  let refused: Response | undefined
  for (let n = 0; n < 400 && !refused; n++) {
    const next = await send(`Flood ${n}`)
    if (next.status === 429) refused = next
    else await next.body?.cancel()
  }
  const body: any = await refused?.json()
  expect(body).toMatchObject({ message: 'You are being rate limited.', global: false, retry_after: expect.any(Number) })
  expect(refused?.headers.get('content-type')).toBe('application/json')
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  await stop(limited)
})

test('a bot that sets its status to idle is seen as idle', async () => {
  client.user?.setStatus('idle')
  await until(async () => {
    const { body } = await alice.get(`/api/servers/${home.server_id}/members?limit=10`)
    return body.find(({ user }: any) => user.id === bot.id)?.status === 'idle'
  })
})

test('docs/discord.md names each call that this bot made, and none as missing', () => expectListed(parley))
