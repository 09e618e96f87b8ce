import { expect, test } from 'bun:test'
import { connect as dial } from 'node:net'
import { EVERYONE_PERMISSIONS, permissions } from '../../src/core/permissions.ts'
import { type Person, person, say, standard, until } from '../support/harness.ts'
import { passerBy, place, rank } from '../support/places.ts'
import { connect, type Gateway, newestS } from '../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob, mallory, carol] = [
  await person(parley, 'alice'),
  await passerBy(parley, 'bob'),
  await passerBy(parley, 'mallory'),
  await passerBy(parley, 'carol'),
]
const view = permissions('view_channel')

/** The frames of the channel between its channel.deleted and its next channel.created. */
function afterLoss(gateway: Gateway, channel_id: number) {
  let isLost = false
  return gateway.frames.filter(({ t, d }) => {
    if (t === 'channel.deleted' && d.id === channel_id) isLost = true
    else if (t === 'channel.created' && d.id === channel_id) isLost = false
    else if (isLost) return d.channel_id === channel_id || (d.id === channel_id && t.startsWith('channel.'))
    return false
  })
}

test('when a channel is hidden, members who lose it receive nothing more and the others miss nothing', async () => {
  const { server_id, channel_id, everyone } = await place(alice, bob, mallory, carol)
  await rank(parley, server_id, view, bob, carol)
  const [keeper, loser] = await Promise.all([connect(bob), connect(mallory)])
  for (let round = 0; round < 6; round++) {
    const sent: number[] = []
    let isHidden = false
    let isOver = false
    const sender = async (who: Person) => {
      while (!isOver) sent.push((await say(who, channel_id, isHidden ? 'secret' : 'open')).id)
    }
    const typing = async () => {
      // Below the limit of 120 commands a minute.
      const typist = await connect(carol)
      for (let at = 0; at < 100 && !isOver; at++) await typist.command('typing.start', { channel_id })
      typist.close()
    }
    const busy = [sender(alice), sender(bob), sender(carol), sender(carol), typing(), typing()]
    await until(() => sent.length > 5)
    const put = await alice.put(`/api/roles/${everyone}`, { permissions: EVERYONE_PERMISSIONS - view })
    expect(put.status).toBe(200)
    isHidden = true
    const before = sent.length
    await until(() => sent.length > before + 10)
    isOver = true
    await Promise.all(busy)
    await Promise.all([keeper.settled(), loser.settled()])
    expect(loser.of('message.created').filter(({ d }) => d.content === 'secret')).toEqual([])
    expect(afterLoss(loser, channel_id)).toEqual([])
    const received = new Set(keeper.of('message.created').map(({ d }) => d.id))
    expect(sent.filter((id) => !received.has(id))).toEqual([])
    await alice.put(`/api/roles/${everyone}`, { permissions: EVERYONE_PERMISSIONS })
    for (const gateway of [keeper, loser]) {
      await gateway.settled()
      gateway.frames.length = 0
    }
  }
  for (const gateway of [keeper, loser]) gateway.close()
})

test('after overlapping changes, each socket ends up with exactly the channels that its account sees', async () => {
  const { server_id, channel_id, everyone } = await place(alice, bob, mallory, carol)
  const roles = [await rank(parley, server_id, view, bob), await rank(parley, server_id, 0, mallory)]
  const second = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'second', type: 'text' })).body.id
  const people = [alice, bob, mallory, carol]
  const channels = [channel_id, second]
  const pick = <T>(from: T[]): T => from[Math.floor(Math.random() * from.length)] as T
  const change = (): Promise<unknown> =>
    pick([
      () => alice.put(`/api/channels/${pick(channels)}/permissions/${pick([everyone, ...roles])}`, { allow: view }),
      () => alice.put(`/api/channels/${pick(channels)}/permissions/${pick([everyone, ...roles])}`, { deny: view }),
      () => alice.delete(`/api/channels/${pick(channels)}/permissions/${pick([everyone, ...roles])}`),
      () => alice.put(`/api/roles/${pick(roles)}`, { permissions: pick([0, view]) }),
      () => alice.put(`/api/roles/${everyone}`, { permissions: EVERYONE_PERMISSIONS - pick([0, view]) }),
      () => alice.post(`/api/servers/${server_id}/members/${pick(people).id}/roles/${pick(roles)}`),
      () => alice.delete(`/api/servers/${server_id}/members/${pick(people).id}/roles/${pick(roles)}`),
    ])()
  const sockets = await Promise.all(people.map(async (who) => ({ who, gateway: await connect(who) })))
  for (let round = 0; round < 8; round++) {
    const late = Promise.all(people.map(async (who) => ({ who, gateway: await connect(who) })))
    await Promise.all(Array.from({ length: 14 }, change))
    const all = [...sockets, ...(await late)]
    await Promise.all(all.map(({ gateway }) => gateway.settled()))
    for (const { gateway } of all) gateway.frames.splice(0, gateway.frames.length, ...channelFrames(gateway))
    for (const id of channels) await say(alice, id, `round ${round}`)
    for (const { who, gateway } of all) {
      await gateway.settled()
      const sees = (await who.get<any[]>(`/api/servers/${server_id}/channels`)).body.map(({ id }) => id)
      const received = gateway.of('message.created').filter(({ d }) => d.content === `round ${round}`)
      expect(received.map(({ d }) => d.channel_id).toSorted()).toEqual(sees.toSorted())
      expect(knownChannels(gateway, server_id).toSorted()).toEqual(sees.toSorted())
    }
    for (const { gateway } of await late) gateway.close()
  }
  for (const { gateway } of sockets) gateway.close()
})

const channelFrames = (gateway: Gateway) =>
  gateway.frames.filter(({ t }) => ['ready', 'server.snapshot', 'channel.created', 'channel.deleted'].includes(t))

/** The channels that a client with these frames would show. */
function knownChannels(gateway: Gateway, server_id: number): number[] {
  const knownIds = new Set<number>()
  for (const { t, d } of gateway.frames) {
    if (t === 'server.snapshot' && d.server.id === server_id) for (const { id } of d.channels) knownIds.add(id)
    if (t === 'channel.created' && d.server_id === server_id) knownIds.add(d.id)
    if (t === 'channel.deleted') knownIds.delete(d.id)
  }
  return [...knownIds]
}

/** While `work` runs, the gateway's first read of access has finished but waits for `release`. */
async function withHeldRead(work: (release: () => void) => Promise<void>): Promise<void> {
  const begin = sql.begin
  const { promise, resolve } = Promise.withResolvers<void>()
  let isFirst = true
  sql.begin = ((...args: [any, any]) => {
    const reading = begin.apply(sql, args)
    if (typeof args[0] !== 'string' || !isFirst) return reading
    isFirst = false
    return reading.then(async (value: unknown) => promise.then(() => value))
  }) as typeof begin
  try {
    await work(resolve)
  } finally {
    sql.begin = begin
  }
}

/** A hidden channel, the role that opens it, and another role; mallory has both roles and is connected. */
async function hiddenChannel() {
  const server = await place(alice, mallory)
  const key = await rank(parley, server.server_id, 0, mallory)
  const other = await rank(parley, server.server_id, 0, mallory)
  await alice.put(`/api/channels/${server.channel_id}/permissions/${server.everyone}`, { deny: view })
  await alice.put(`/api/channels/${server.channel_id}/permissions/${key}`, { allow: view })
  const live = await connect(mallory)
  const receives = async () => {
    const { id } = await say(alice, server.channel_id, 'secret')
    await live.settled()
    live.close()
    return live.of('message.created').some(({ d }) => d.id === id)
  }
  return { ...server, key, other, receives }
}

test('an older refresh of a server does not undo a newer refresh of one account', async () => {
  const { server_id, key, other, receives } = await hiddenChannel()
  await withHeldRead(async (release) => {
    const renamed = alice.put(`/api/roles/${other}`, { name: 'renamed' })
    await until(async () => (await alice.get(`/api/roles/${other}`)).body.name === 'renamed')
    await Bun.sleep(20)
    const removal = alice.delete(`/api/servers/${server_id}/members/${mallory.id}/roles/${key}`)
    await Promise.race([removal, Bun.sleep(200)])
    release()
    expect([(await renamed).status, (await removal).status]).toEqual([200, 204])
  })
  expect(await receives()).toBe(false)
})

test('an older refresh of a server does not undo a newer one', async () => {
  const { channel_id, key, other, receives } = await hiddenChannel()
  await withHeldRead(async (release) => {
    const renamed = alice.put(`/api/roles/${other}`, { name: 'renamed' })
    await until(async () => (await alice.get(`/api/roles/${other}`)).body.name === 'renamed')
    await Bun.sleep(20)
    const hidden = alice.put(`/api/channels/${channel_id}/permissions/${key}`, { deny: view })
    await Promise.race([hidden, Bun.sleep(200)])
    release()
    expect([(await renamed).status, (await hidden).status]).toEqual([200, 200])
  })
  expect(await receives()).toBe(false)
})

test('a message sent between the hiding of a channel and the refresh reaches members who keep it', async () => {
  const { server_id, channel_id, everyone } = await place(alice, bob, mallory)
  await rank(parley, server_id, view, bob)
  const [keeper, loser] = await Promise.all([connect(bob), connect(mallory)])
  await withHeldRead(async (release) => {
    const hidden = alice.put(`/api/roles/${everyone}`, { permissions: EVERYONE_PERMISSIONS - view })
    await until(async () => (await mallory.get(`/api/channels/${channel_id}`)).status === 404)
    await say(alice, channel_id, 'in between')
    release()
    expect((await hidden).status).toBe(200)
  })
  await Promise.all([keeper.settled(), loser.settled()])
  // The event is received twice if it came by the topic and from the log.
  expect(new Set(keeper.of('message.created').map(({ d }) => d.content))).toEqual(new Set(['in between']))
  expect(loser.of('message.created')).toEqual([])
  for (const gateway of [keeper, loser]) gateway.close()
})

test('a socket whose refresh fails is closed, and does not keep its subscriptions', async () => {
  const { server_id, channel_id, everyone } = await place(alice, mallory)
  const live = await connect(mallory)
  const begin = sql.begin
  sql.begin = ((...args: [any, any]) =>
    typeof args[0] === 'string' ? Promise.reject(new Error('no read')) : begin.apply(sql, args)) as typeof begin
  const hidden = alice.put(`/api/channels/${channel_id}/permissions/${everyone}`, { deny: view })
  expect((await hidden.finally(() => (sql.begin = begin))).status).toBe(200)
  await say(alice, channel_id, 'secret')
  expect((await live.closed).code).toBe(4000)
  expect(live.of('message.created')).toEqual([])
  const again = await connect(mallory)
  expect(again.frames[0]?.d.servers).toContainEqual({ id: server_id, channel_ids: [] })
  again.close()
})

test('a slow client that loses a channel during its replay receives nothing of the channel after that', async () => {
  const { server_id, channel_id, everyone } = await place(alice, mallory)
  const live = await connect(mallory)
  const s = newestS(live)
  live.close()
  const body = { channel_id, kind: 'default', content: 'x'.repeat(4000), marker: 'history' }
  await sql`insert into events (type, topic, server_id, channel_id, resource, body)
    select 'message.created', ${`server:${server_id}`}, ${server_id}, ${channel_id}, 'message:-' || n, ${sql.json(body)}
    from generate_series(1, 1900) n`
  const { hostname, port } = new URL(parley.url)
  const socket = dial(Number(port), hostname)
  let received = ''
  socket.on('data', (chunk) => {
    const isFirst = !received.includes('"t":"ready"')
    received += chunk.toString('latin1')
    // At once: a moment later all of the replay may have come.
    if (isFirst && received.includes('"t":"ready"')) socket.pause()
  })
  const lines = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', `Host: ${hostname}:${port}`]
  const path = `/ws?token=${mallory.token}&s=${s}`
  socket.write(
    `GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\nSec-WebSocket-Key: ${btoa('sixteen bytes...')}\r\n\r\n`,
  )
  await until(() => received.includes('"t":"ready"'))
  expect((await alice.put(`/api/channels/${channel_id}/permissions/${everyone}`, { deny: view })).status).toBe(200)
  await say(alice, channel_id, 'the secret')
  socket.resume()
  await until(() => received.includes('"t":"synced"'))
  expect([received.includes('"t":"channel.deleted"'), received.includes('the secret')]).toEqual([true, false])
  expect(received.split('"marker":"history"').length).toBeLessThan(1900)
  socket.destroy()
  await sql`delete from events where resource like 'message:-%'`
})
