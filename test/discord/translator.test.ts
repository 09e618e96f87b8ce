import { expect, test } from 'bun:test'
import { eventFrame } from '../../src/core/events.ts'
import { Facts } from '../../src/discord/facts.ts'
import { NativeSocket } from '../../src/discord/gateway/native-socket.ts'
import { Encoded, Translator } from '../../src/discord/gateway/translator.ts'
import { Links } from '../../src/discord/links.ts'
import { memoryBus } from '../../src/events/bus.ts'
import { newSocketData } from '../../src/gateway/socket.ts'
import { say, standard, until } from '../support/harness.ts'
import { passersBy } from '../support/people.ts'
import { place } from '../support/places.ts'

const parley = await standard()
const [alice, bob] = await passersBy(parley, 'alice', 'bob')

test('an event is translated and encoded once for all bots that get it, by a common topic or their own', async () => {
  const home = await place(alice, bob)
  const message = await say(alice, home.channel_id, 'An owl')
  const bus = memoryBus()
  const links = Links.open({ objects_secret: 'x' } as never, parley.url)
  const translator = new Translator(bus, new Facts(parley.parts.sql), () => {}, links)
  const line = { isOpen: true, cork: (work: () => unknown) => work() } as never
  const received = [1, 2, 3].map((id) => {
    const list: Encoded[][] = []
    const me = { id, session_id: id, tokenExpiresS: 0, ver: 0, unverified: false, is_bot: true, is_guest: false }
    const socket = new NativeSocket(newSocketData(me as never, undefined, parley.url), translator, line)
    translator.add(socket, {
      begin: () => {},
      take: (_, dispatches) => void list.push(dispatches),
      reconnect: () => {},
    })
    for (const topic of ['server:1', `user:${id}`]) socket.subscribe(topic)
    return list
  })
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
