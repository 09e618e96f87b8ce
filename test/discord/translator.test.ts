import { expect, test } from 'bun:test'
import { eventFrame } from '../../src/core/events.ts'
import { Facts } from '../../src/discord/facts.ts'
import { INTENT } from '../../src/discord/gateway/intents.ts'
import { NativeSocket } from '../../src/discord/gateway/native-socket.ts'
import { Encoded, Translator } from '../../src/discord/gateway/translator.ts'
import { FileLinks } from '../../src/discord/file-links.ts'
import { memoryBus } from '../../src/events/bus.ts'
import { newSocketData } from '../../src/gateway/socket.ts'
import { permissions } from '../../src/core/permissions.ts'
import { addBot, botOf } from '../support/bots.ts'
import { say, standard, until } from '../support/harness.ts'
import { passersBy } from '../support/people.ts'
import { place } from '../support/places.ts'

const parley = await standard()
const [alice, bob] = await passersBy(parley, 'alice', 'bob')

/** A translator with a bus of its own, and what it hands to the sockets of these bots. */
function translatorFor(ids: number[], intents = 2 ** 26 - 1) {
  const bus = memoryBus()
  const links = FileLinks.open({ objects_secret: 'x' } as never, parley.url)
  const translator = new Translator(bus, new Facts(parley.parts.sql), () => {}, links)
  const line = { isOpen: true, cork: (work: () => unknown) => work() } as never
  const received = ids.map((id) => {
    const list: Encoded[][] = []
    const me = { id, session_id: id, tokenExpiresS: 0, ver: 0, unverified: false, is_bot: true, is_guest: false }
    const socket = new NativeSocket(newSocketData(me as never, undefined, parley.url), translator, line)
    translator.add(socket, {
      begin: () => {},
      take: (_, dispatches) => void list.push(dispatches),
      wants: (some) => (intents & some) !== 0,
      reconnect: () => {},
    })
    for (const topic of ['server:1', `user:${id}`]) socket.subscribe(topic)
    return list
  })
  return { bus, translator, received }
}

test('an event is translated and encoded once for all bots that get it, by a common topic or their own', async () => {
  const home = await place(alice, bob)
  const message = await say(alice, home.channel_id, 'An owl')
  const { bus, received } = translatorFor([1, 2, 3])
  const body = JSON.stringify(message)
  bus.publish(eventFrame({ topic: 'server:1' }, 'message.created', 7, body))
  for (const id of [1, 2, 3]) bus.publish(eventFrame({ topic: `user:${id}` }, 'message.updated', 7 + id, body))
  await until(() => received.every((list) => list.length === 2))
  const [first, ...others] = received
  for (const list of others) {
    expect(list[0]).toBe(first?.[0] as never)
    expect(list[1]).toBe(first?.[1] as never)
  }
  expect(first?.map(([encoded]) => encoded?.dispatch.t)).toEqual(['MESSAGE_CREATE', 'MESSAGE_UPDATE'])
  const [encoded] = first?.[0] ?? []
  expect(encoded?.body(true, 1)).toBe(encoded?.body(true, 2) as string)
})

test('a ban and its end in one batch stay two events, although their payloads are equal', async () => {
  const home = await place(alice, bob)
  const { body: user } = await alice.get(`/api/users/${bob.id}`)
  const { bus, received } = translatorFor([1, 2])
  const body = JSON.stringify({ server_id: home.server_id, user })
  for (const [at, type] of ['ban.created', 'ban.deleted', 'ban.created'].entries())
    for (const id of [1, 2]) bus.publish(eventFrame({ topic: `user:${id}` }, type, 10 * at + id, body))
  await until(() => received.every((list) => list.length === 3))
  for (const list of received)
    expect(list.map(([encoded]) => encoded?.dispatch.t)).toEqual(['GUILD_BAN_ADD', 'GUILD_BAN_REMOVE', 'GUILD_BAN_ADD'])
})

test('old news of an event of the calendar that has moved tells its content only to bots that see it now', async () => {
  const { server_id, channel_id, everyone } = await place(alice)
  const [seer, blind] = [await botOf(alice, 'Seer'), await botOf(alice, 'Blind')]
  await addBot(alice, server_id, seer, permissions('administrator'))
  await addBot(alice, server_id, blind)
  const deny = permissions('view_channel')
  expect((await alice.put(`/api/channels/${channel_id}/permissions/${everyone}`, { allow: 0, deny })).status).toBe(200)
  const [starts_at, ends_at] = [3_600_000, 7_200_000].map((ms) => new Date(Date.now() + ms).toISOString())
  const draft = { title: 'A secret', description: 'A plot', starts_at, ends_at, time_zone: 'UTC' }
  const { body: event } = await alice.post(`/api/servers/${server_id}/events`, { ...draft, place: { channel_id } })
  const { translator } = translatorFor([])
  const { id } = event
  const news = [
    { type: 'event.changed', d: { id, server_id, is_new: true } },
    { type: 'event.changed', d: { id, server_id } },
    { type: 'event.deleted', d: { id, server_id } },
    { type: 'event.attendee', d: { event_id: id, server_id, user_id: alice.id, coming: true } },
  ]
  const topic = `server:${server_id}`
  const translated = await translator.translateAll(news.map((each, at) => ({ ...each, s: at + 1, topic })))
  const toldTo = (bot: { id: number }) =>
    translated.map((list) =>
      list
        .filter(({ dispatch }) => dispatch.isFor?.(bot.id) ?? true)
        .map((encoded) => [encoded.dispatch.t.replace('GUILD_SCHEDULED_EVENT_', ''), encoded.body(true, bot.id)]),
    )
  const [creation, change, end, interest] = toldTo(seer)
  expect([creation, change, end, interest].map((list) => list?.map(([t]) => t))).toEqual([
    ['CREATE'],
    ['UPDATE'],
    ['DELETE'],
    ['USER_ADD'],
  ])
  expect(change?.[0]?.[1]).toContain('A secret')
  const blank = toldTo(blind)
  expect(blank.map((list) => list.map(([t]) => t))).toEqual([[], ['DELETE'], ['DELETE'], []])
  for (const secret of ['secret', 'plot', starts_at?.slice(0, 10) ?? '', alice.username])
    expect(JSON.stringify(blank)).not.toContain(secret)
})

test('presence and typing are handed only to bots with an intent for them', async () => {
  const home = await place(alice, bob)
  const message = await say(alice, home.channel_id, 'A heron')
  const presence = JSON.stringify({ users: [{ user_id: bob.id, status: 'online' }] })
  const typing = JSON.stringify({ channel_id: home.channel_id, user: { id: bob.id, display_name: 'bob' } })
  const typesFor = async (intents: number) => {
    const { bus, received } = translatorFor([1], intents)
    bus.publish(eventFrame({ topic: 'server:1' }, 'presence.updated', undefined, presence))
    bus.publish(eventFrame({ topic: 'server:1' }, 'typing.started', undefined, typing))
    bus.publish(eventFrame({ topic: 'server:1' }, 'message.created', 7, JSON.stringify(message)))
    const types = () => received[0]?.flat().map(({ dispatch }) => dispatch.t) ?? []
    await until(() => types().includes('MESSAGE_CREATE'))
    return types()
  }
  expect(await typesFor(INTENT.messages)).toEqual(['MESSAGE_CREATE'])
  expect(await typesFor(INTENT.presences)).toEqual(['PRESENCE_UPDATE', 'MESSAGE_CREATE'])
  expect(await typesFor(INTENT.typing)).toEqual(['TYPING_START', 'MESSAGE_CREATE'])
})
