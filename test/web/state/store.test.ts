import { expect, test } from 'bun:test'
import { events } from '../../../src/api/asyncapi.ts'
import { found } from '../../../src/core/errors.ts'
import { ClientModel } from '../../support/client-model.ts'
import { callAndLeave, happenings, type Pick, seeded, type World, usual } from '../../support/happenings.ts'
import { removePasskey } from '../../support/factors.ts'
import { call, PASSWORD, type Person, person, newServer, say, standard } from '../../support/harness.ts'
import { overwriteSteps, requestSteps } from '../../support/own-steps.ts'
import { group, write } from '../../support/people.ts'
import { reactionSteps } from '../../support/reaction-steps.ts'
import { report, reportsOf } from '../../support/reports.ts'
import { makeOld, pruneWith } from '../../support/retention.ts'
import { onStage } from '../../support/stages.ts'
import { inThreads, published } from '../../support/threads.ts'
import { FOR_BOTS } from '../../support/bots.ts'
import { StoreClient } from '../../support/store-client.ts'

const parley = await standard()
const ROUNDS = 45
const met = new Set<string>()

async function openWorld(): Promise<World & { clients: StoreClient[] }> {
  const people = await Promise.all(['alice', 'bob', 'carol'].map((name) => person(parley, name)))
  const [alice, bob, carol] = people as [Person, Person, Person]
  const homes = [await newServer(alice, bob, carol), await newServer(bob, alice)]
  const clients = await Promise.all(people.map((who) => StoreClient.open(who)))
  const ids = { servers: homes.map((one) => one.server_id), channels: homes.map((one) => one.channel_id) }
  return { people, ...ids, messages: [], invites: [], roles: [], directs: [], clients }
}

/** Compares the web client's state with that of a model client that has just connected. */
async function expectFreshState(client: StoreClient, what: string): Promise<void> {
  await published(parley)
  await client.settle()
  const model = await ClientModel.open(client.who)
  // The store keeps only the marks that it needs for unread messages: unread.test.ts compares those.
  const truth = { ...model.state(), marks: [] }
  expect({ what, ...client.state() }).toEqual({ what, ...truth })
  model.gateway.close()
  for (const name of [...client.met.live, ...client.met.replay]) met.add(name)
}

for (const seed of [13, 15, 18, 19, 20]) {
  test(`after random changes, live and resumed, a client has a fresh one's state (seed ${seed})`, async () => {
    const random = seeded(seed)
    const pick: Pick = (list) => list[Math.floor(random() * list.length)]
    const stage = await openWorld()
    const travellers = await Promise.all(stage.people.map((who) => StoreClient.open(who)))
    const away = new Set<StoreClient>()
    const names = [...Object.keys(happenings), ...usual]
    for (let round = 0; round < ROUNDS; round++) {
      const now = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, at) =>
        happenings[pick(names) as string]?.(stage, pick(stage.people) as Person, pick, round * 10 + at),
      )
      const traveller = pick(travellers) as StoreClient
      // Sometimes a client fetches lists while they change.
      const fetching = random() < 0.2 ? pick(stage.clients)?.settle() : undefined
      await Promise.all([...now, fetching])
      if (random() < 0.2) {
        if (away.has(traveller)) await traveller.resume()
        else traveller.cut()
        if (!away.delete(traveller)) away.add(traveller)
      }
    }
    for (const [at, traveller] of travellers.entries()) {
      if (away.has(traveller)) await traveller.resume()
      await expectFreshState(stage.clients[at] as StoreClient, `seed ${seed}, person ${at}, live`)
      await expectFreshState(traveller, `seed ${seed}, person ${at}, resumed`)
      await expectFreshState(await StoreClient.open(traveller.who), `seed ${seed}, person ${at}, fresh`)
    }
    for (const client of [...stage.clients, ...travellers]) client.cut()
  })
}

test('edits and deletions reach the web client', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  const client = await StoreClient.open(bob)
  const { id } = await say(alice, channel_id, 'teh')
  await alice.put(`/api/messages/${id}`, { content: 'the' })
  await expectFreshState(client, 'edited')
  expect(client.messages.get(id)?.content).toBe('the')
  const role = (await alice.post(`/api/servers/${server_id}/roles`, { name: 'Keepers', permissions: 32 })).body
  await alice.post(`/api/servers/${server_id}/members/${bob.id}/roles/${role.id}`)
  await alice.put(`/api/roles/${role.id}`, { name: 'Wardens' })
  const invite = (await alice.post('/api/invites', { server_id })).body
  await expectFreshState(client, 'trusted')
  await alice.delete(`/api/invites/${invite.id}`)
  await alice.delete(`/api/roles/${role.id}`)
  const whisper = await write(alice, bob, 'Pst')
  await alice.put(`/api/dm/messages/${whisper.id}`, { content: 'Psst' })
  await bob.post(`/api/dm/${alice.id}/read-all`)
  await expectFreshState(client, 'whispered')
  const old = await say(alice, channel_id, 'Long ago')
  await write(alice, bob, 'There')
  await makeOld(parley, [id, old.id, whisper.id])
  await pruneWith(parley, { MESSAGE_RETENTION_DAYS: 1 })
  await expectFreshState(client, 'pruned')
  expect(client.messages.has(old.id)).toBeFalse()
  // Everything unread has been deleted: nothing is left to read, and the next message is unread again.
  const isUnread = () => client.store.state.isUnread(found(client.store.state.channels.get(channel_id)))
  expect(isUnread()).toBeFalse()
  await say(alice, channel_id, 'News')
  await client.settle()
  expect(isUnread()).toBeTrue()
  await bob.delete(`/api/dm/${alice.id}/hide`)
  await expectFreshState(client, 'hidden')
  await alice.delete(`/api/servers/${server_id}`)
  await expectFreshState(client, 'ended')
  expect(client.messages.size).toBe(0)
  client.cut()
})

test('reactions, pins and emoji reach the web client', async () => {
  const stage = await openWorld()
  const [alice, bob] = stage.people as [Person, Person, Person]
  const [server_id, channel_id] = [found(stage.servers[0]), found(stage.channels[0])]
  const { id } = await say(alice, channel_id, 'An owl')
  const client = await StoreClient.open(bob)
  for (const [what, step] of Object.entries(reactionSteps(stage, stage.people, { server_id, channel_id, id }))) {
    await step()
    await expectFreshState(client, what)
  }
  for (const each of [client, ...stage.clients]) each.cut()
})

test('calls reach the web client', async () => {
  const [alice, bob, carol] = (await Promise.all(['alice', 'bob', 'carol'].map((name) => person(parley, name)))) as [
    Person,
    Person,
    Person,
  ]
  const channel_id = await group(alice, bob, carol)
  const [client, traveller] = [await StoreClient.open(bob), await StoreClient.open(bob)]
  traveller.cut()
  await callAndLeave(alice, carol, channel_id, async () => {
    await expectFreshState(client, 'ringing')
    expect(client.store.state.ringing.get(channel_id)).toBe(alice.id)
  })
  await traveller.resume()
  for (const each of [client, traveller]) {
    await expectFreshState(each, 'ended')
    each.cut()
  }
})

for (const [what, steps] of Object.entries({ threads: inThreads, stages: onStage }))
  test(`${what} reach the web client`, async () => {
    const people = (await Promise.all(['alice', 'bob', 'carol'].map((name) => person(parley, name)))) as [
      Person,
      Person,
      Person,
    ]
    const clients = await Promise.all(people.map((who) => StoreClient.open(who)))
    const travellers = await Promise.all(people.map((who) => StoreClient.open(who)))
    for (const [what, step] of Object.entries(steps(...people))) {
      for (const traveller of travellers) traveller.cut()
      await step()
      await published(parley)
      for (const traveller of travellers) await traveller.resume()
      for (const client of [...clients, ...travellers]) await expectFreshState(client, what)
    }
    for (const client of [...clients, ...travellers]) client.cut()
  })

test('overwrites for a member, and message requests, reach the web client', async () => {
  const [alice, bob, dave] = (await Promise.all(['alice', 'bob', 'dave'].map((name) => person(parley, name)))) as [
    Person,
    Person,
    Person,
  ]
  const { channel_id } = await newServer(alice, bob)
  const [client, traveller] = [await StoreClient.open(bob), await StoreClient.open(bob)]
  const steps = { ...overwriteSteps(alice, bob, channel_id), ...requestSteps(dave, bob) }
  for (const [what, step] of Object.entries(steps)) {
    traveller.cut()
    await step()
    await traveller.resume()
    for (const each of [client, traveller]) await expectFreshState(each, what)
  }
  for (const each of [client, traveller]) each.cut()
})

test('a login from a new device reaches the web client', async () => {
  const alice = await person(parley, 'alice')
  const client = await StoreClient.open(alice)
  const headers = { 'user-agent': 'Firefox on Windows' }
  await call(parley, 'POST', '/api/auth/login', { body: { username: alice.username, password: PASSWORD }, headers })
  await expectFreshState(client, 'logged in')
  await removePasskey(alice)
  await expectFreshState(client, 'a passkey removed')
  client.cut()
})

test('reports and their decisions reach the web client of a moderator', async () => {
  const [alice, bob, carol] = (await Promise.all(['alice', 'bob', 'carol'].map((name) => person(parley, name)))) as [
    Person,
    Person,
    Person,
  ]
  const { server_id, channel_id } = await newServer(alice, bob, carol)
  const client = await StoreClient.open(alice)
  await report(bob, (await say(carol, channel_id, 'Buy feathers')).id)
  await expectFreshState(client, 'reported')
  const [row] = await reportsOf(alice, server_id)
  await alice.put(`/api/reports/${row.id}`, { state: 'dismissed' })
  await expectFreshState(client, 'dismissed')
  client.cut()
  const carols = await StoreClient.open(carol)
  const path = `/api/servers/${server_id}/members/${carol.id}/warnings`
  const [first, second] = [
    (await alice.post(path, { reason: 'No feathers' })).body,
    (await alice.post(path, { reason: 'By mistake' })).body,
  ]
  await carol.post(`/api/users/@me/warnings/${first.id}/read`)
  await alice.delete(`/api/cases/${second.id}`)
  await expectFreshState(carols, 'warned')
  const timed_out_until = new Date(Date.now() + 3_600_000).toISOString()
  await alice.put(`/api/servers/${server_id}/members/${carol.id}`, { timed_out_until, delete_messages_hours: 1 })
  await parley.sweep()
  await expectFreshState(carols, 'messages deleted')
  expect([...carols.messages.values()].map(({ content }) => content)).not.toContain('Buy feathers')
  carols.cut()
})

test('the tests above delivered every type of durable event', () => {
  const durable = Object.entries(events).flatMap(([name, event]) => (event.resource ? [name] : []))
  expect(durable.filter((name) => !met.has(name) && !FOR_BOTS.has(name))).toEqual([])
})

test('a group whose creation arrives while its first page is loading shows that page', async () => {
  const [ann, ben, cat] = [await person(parley, 'ann'), await person(parley, 'ben'), await person(parley, 'cat')]
  const channel_id = await group(ann, ben, cat)
  const client = await StoreClient.open(ann)
  const { state } = client.store
  const d = found(state.channels.get(channel_id))
  state.timelines.clear()
  const page = client.loader.page({ channel_id }, 'newest')
  client.store.apply({ t: 'channel.created', s: 1_000_000, d })
  await page
  expect(state.timelines.get(`c${channel_id}`)).toMatchObject({ loaded: true, atOldest: true, atNewest: true })
  client.cut()
})

test('a timeline has no gaps and stays bounded however far a reader scrolls', async () => {
  const alice = await person(parley, 'alice')
  const { channel_id } = await newServer(alice)
  const ids: number[] = []
  for (let n = 0; n < 420; n++) ids.push((await say(alice, channel_id, `number ${n}`)).id)
  const client = await StoreClient.open(alice)
  const { loader, store } = client
  const place = { channel_id }
  const timeline = () => store.state.timelines.get(`c${channel_id}`)
  const entryIds = () => timeline()?.entries.map((entry) => entry.id) ?? []
  const expectRow = () =>
    expect(entryIds()).toEqual(ids.slice(ids.indexOf(entryIds()[0] as number)).slice(0, entryIds().length))
  while (!timeline()?.atOldest) {
    await loader.page(place, 'older')
    expectRow()
    expect(entryIds().length).toBeLessThanOrEqual(200)
  }
  expect(entryIds()[0]).toBe(ids[0])
  expect(timeline()?.atNewest).toBe(false)
  ids.push((await say(alice, channel_id, 'said while looking back')).id)
  while (!timeline()?.atNewest) {
    await loader.page(place, 'newer')
    expectRow()
  }
  expect(entryIds().at(-1)).toBe(ids.at(-1))
  await loader.page(place, 'around', ids[210])
  expectRow()
  expect(entryIds()).toContain(ids[210] as number)
  client.cut()
})
