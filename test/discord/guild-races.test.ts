import { expect, test } from 'bun:test'
import { permissions } from '../../src/core/permissions.ts'
import { INTENT } from '../../src/discord/gateway/intents.ts'
import { addBot } from '../support/bots.ts'
import { ALL_INTENTS, changesOf, namesIn, scene, sorted, translated, wishesOf } from '../support/discord-servers.ts'
import { snowflakeOf } from '../support/discord.ts'
import { seeded } from '../support/happenings.ts'
import { type Person, standard, until } from '../support/harness.ts'
import { place } from '../support/places.ts'
import { connect } from '../support/socket.ts'
import { inVoice } from '../support/voice-people.ts'

// Bots on Discord's gateway itself, whose servers change while they open them.

const parley = await standard()
const { sql } = parley.parts
/** Other tests may change the statuses of these people. */
const INTENTS = ALL_INTENTS & ~INTENT.presences

/** A bot that connects, and what it is sent. @param lost a session that it resumes */
async function opening(bot: Person, lost?: { session_id: string; seq: number }) {
  const socket = new WebSocket(`${parley.url.replace('http', 'ws')}/discord/gateway`)
  const frames: { t: string | null; s: number | null; d: any }[] = []
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  socket.onclose = () => resolve()
  socket.onmessage = ({ data }) => void frames.push(JSON.parse(data))
  await until(() => frames.length > 0)
  const { token } = bot
  const identify = { op: 2, d: { token, intents: INTENTS, properties: {} } }
  socket.send(JSON.stringify(lost ? { op: 6, d: { token, ...lost } } : identify))
  const dispatches = (t: string) => frames.filter((frame) => frame.t === t).map(({ d }) => d)
  const has = (t: string) => until(() => dispatches(t).length > 0)
  // A bot that is removed meanwhile gets the end of its server instead.
  const isWhole = () => {
    const [ready] = dispatches('READY')
    const count = dispatches('GUILD_CREATE').length + dispatches('GUILD_DELETE').length
    return ready !== undefined && count >= ready.guilds.length
  }
  const end = async (code = 1000) => {
    socket.close(code)
    await ended
  }
  return { frames, dispatches, has, end, whole: () => until(isWhole) }
}

/** The event of the only server that the bot is in; undefined if it is in none. */
async function serverOf(bot: Person): Promise<any> {
  const { dispatches, end, whole } = await opening(bot)
  await whole()
  const [created] = dispatches('GUILD_CREATE')
  await end()
  return created
}

/** Keeps those waiting who read a table. */
async function without(table: 'event_dates' | 'event_log_origin') {
  const [locked, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const done = sql.begin(async (tx) => {
    await tx`lock table ${tx(table)} in access exclusive mode`
    locked.resolve()
    await over.promise
  })
  await locked.promise
  const lift = async () => {
    over.resolve()
    await done
  }
  /** Waits until a statement waits for the table. */
  const isMissed = () =>
    until(async () => {
      const [row] = await sql`select from pg_locks where not granted and relation = ${table}::regclass`
      return row !== undefined
    })
  return { lift, isMissed, [Symbol.asyncDispose]: lift }
}

/** Dates of events, and with them the events of servers. */
const withoutDates = () => without('event_dates')

test('a bot whose server is still being sent gets nothing of a channel that it loses meanwhile', async () => {
  const { alice, carol, channel_id, voice, everyone, bots } = await scene(parley)
  const [plain] = bots as [Person]
  const channels = await Promise.all(
    [channel_id, voice].map(async (id) => (await alice.get(`/api/channels/${id}`)).body),
  )
  const caller = await inVoice(carol, voice)
  const watch = await connect(plain)
  await using dates = await withoutDates()
  const { frames, dispatches, has, end } = await opening(plain)
  // Its snapshot is read by now.
  await has('READY')
  const deny = permissions('view_channel')
  for (const { id } of channels) {
    expect((await alice.put(`/api/channels/${id}/permissions/${everyone}`, { deny })).status).toBe(200)
    await watch.next('channel.deleted', ({ d }) => d.id === id)
  }
  expect(dispatches('GUILD_CREATE')).toEqual([])
  await dates.lift()
  await until(() => dispatches('CHANNEL_DELETE').length === 2)
  const [created] = dispatches('GUILD_CREATE')
  expect(created.channels.map(({ name }: { name: string }) => name).toSorted()).toEqual(['Birds', 'help', 'one', 'two'])
  expect(created.voice_states).toEqual([])
  const ids = channels.map(snowflakeOf)
  const about = frames.filter((frame) => ids.some((id) => JSON.stringify(frame).includes(id)))
  expect(about.map(({ t, d }) => [t, d.id])).toEqual(ids.map((id) => ['CHANNEL_DELETE', id]))
  await end()
  watch.close()
  caller.gateway.close()
})

test('a bot that is removed while its server is still being sent gets only the end of the server', async () => {
  const { alice, path, bots } = await scene(parley)
  const [plain] = bots as [Person]
  const watch = await connect(plain)
  await using dates = await withoutDates()
  const { dispatches, has, end } = await opening(plain)
  await has('READY')
  expect((await alice.delete(`${path}/members/${plain.id}`)).status).toBe(204)
  await watch.next('server.deleted')
  await dates.lift()
  await has('GUILD_DELETE')
  expect(dispatches('GUILD_CREATE')).toEqual([])
  await end()
  watch.close()
})

test('a bot that is removed and added again while it opens ends with the whole server', async () => {
  const { alice, path, server_id, bots } = await scene(parley)
  const [plain] = bots as [Person]
  const watch = await connect(plain)
  await using dates = await withoutDates()
  const { frames, has, end } = await opening(plain)
  await has('READY')
  // Twice, so that the event of the first return would come before the second removal.
  for (const [at, name] of ['Once', 'Twice'].entries()) {
    expect((await alice.delete(`${path}/members/${plain.id}`)).status).toBe(204)
    await until(() => watch.of('server.deleted').length > at)
    expect((await alice.post(`${path}/channels`, { name, type: 'text' })).status).toBe(201)
    await addBot(alice, server_id, plain)
    await until(() => watch.of('server.created').length > at)
  }
  await dates.lift()
  const ofServers = () => frames.filter(({ t }) => t === 'GUILD_CREATE' || t === 'GUILD_DELETE')
  await until(() => ofServers().some(({ t }) => t === 'GUILD_CREATE'))
  const { body: last } = await alice.post(`${path}/channels`, { name: 'Last', type: 'text' })
  await until(() => frames.some(({ t, d }) => t === 'CHANNEL_CREATE' && d.id === snowflakeOf(last)))
  expect(ofServers().map(({ t }) => t)).toEqual(['GUILD_DELETE', 'GUILD_DELETE', 'GUILD_CREATE'])
  const [created] = frames.flatMap(({ t, d }) => (t === 'GUILD_CREATE' ? [d] : []))
  const names = created.channels.map(({ name }: { name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(['Once', 'Twice', 'one', 'two']))
  await end()
  watch.close()
})

test('a bot that is added to a server while it resumes gets the event of that server once', async () => {
  const { alice, bots } = await scene(parley)
  const [plain] = bots as [Person]
  const first = await opening(plain)
  await first.whole()
  const [{ session_id }] = first.dispatches('READY')
  await first.end(4000)
  await using log = await without('event_log_origin')
  const { frames, dispatches, has, end } = await opening(plain, { session_id, seq: 1 })
  await log.isMissed()
  const { server_id } = await place(alice)
  const watch = await connect(alice)
  await addBot(alice, server_id, plain)
  await watch.next('member.joined', ({ d }) => d.server_id === server_id && d.user.id === plain.id)
  await log.lift()
  await has('RESUMED')
  await has('GUILD_CREATE')
  const { body: last } = await alice.post(`/api/servers/${server_id}/channels`, { name: 'Last', type: 'text' })
  await until(() => frames.some(({ t, d }) => t === 'CHANNEL_CREATE' && d.id === snowflakeOf(last)))
  const { body: server } = await alice.get(`/api/servers/${server_id}`)
  expect(dispatches('GUILD_CREATE').map(({ id }) => id)).toEqual([snowflakeOf(server)])
  await end()
  watch.close()
})

const ROUNDS = 20

test('a bot that connects gets what a translation of its own gives it, also while its server changes', async () => {
  const world = await scene(parley)
  const { server_id, bots, selves } = world
  const change = changesOf(world, seeded(7))
  const openAll = () => Promise.all(bots.map(serverOf))
  const ownOnes = () => Promise.all(bots.map((bot) => translated(bot, server_id, wishesOf(bot, { intents: INTENTS }))))
  let before = await ownOnes()
  for (let round = 0; round < ROUNDS; round++) {
    const [name, during] = await Promise.all([change(round), openAll()])
    const [after, expected] = [await openAll(), await ownOnes()]
    for (const [at, { display_name }] of bots.entries()) {
      const what = `${round}: ${name}, ${display_name}`
      expect({ what, ...sorted(after[at]) }).toEqual({ what, ...sorted(expected[at]) })
      const self = selves[at] ?? ''
      const seen = namesIn(before[at], self).union(namesIn(expected[at], self))
      expect({ what, surplus: [...namesIn(during[at], self).difference(seen)] }).toEqual({ what, surplus: [] })
    }
    before = expected
  }
})
