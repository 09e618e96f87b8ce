import { expect, test } from 'bun:test'
import { happenings, type Pick, seeded, usual, type World } from '../../support/happenings.ts'
import { newServer, type Person, person, say, standard, until } from '../../support/harness.ts'
import { ClientModel } from '../../support/client-model.ts'
import { passersBy } from '../../support/people.ts'
import { place } from '../../support/places.ts'
import { StoreClient } from '../../support/store-client.ts'
import { published } from '../../support/threads.ts'
import { badgeOf, isUnreadAloud } from '../../../src/web/state/notifications.ts'

const parley = await standard()
const ROUNDS = 25
/** Names no server, so that a fresh connection opens none. */
const NONE = [0]

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

/** Actions that concern what counts as unread. */
const quieting: typeof happenings = {
  'mute a channel for a time': (world, who, pick, n) =>
    who.put(`/api/notifications/channels/${pick(world.channels)}`, { muted_until: n % 2 ? inAnHour() : null }),
  'mute a server for a time': (world, who, pick, n) =>
    who.put(`/api/notifications/servers/${pick(world.servers)}`, { muted_until: n % 3 ? null : inAnHour() }),
  'call everyone': async (world, who, pick) =>
    who.post(`/api/channels/${pick(world.channels)}/messages`, { content: '@everyone come' }),
  'begin a thread': async (world, who, pick, n) => {
    const message_id = pick(world.messages) ?? 1
    const { status: found, body: message } = await who.get(`/api/messages/${message_id}`)
    if (found !== 200) return
    const draft = { name: `Thread ${n}`, message_id }
    const { status, body } = await who.post(`/api/channels/${message.channel_id}/threads`, draft)
    if (status === 201) world.channels.push(body.id)
  },
  'let members choose a channel': (world, who, pick, n) =>
    who.put(`/api/channels/${pick(world.channels)}`, { opt_in: n % 3 > 0 }),
  'choose a channel': (world, who, pick, n) =>
    who.put(`/api/notifications/channels/${pick(world.channels)}`, { listed: n % 2 === 0 }),
}

async function openWorld(): Promise<World & { clients: StoreClient[] }> {
  const people = await Promise.all(['alice', 'bob', 'carol'].map((name) => person(parley, name)))
  const [alice, bob, carol] = people as [Person, Person, Person]
  const homes = [await newServer(alice, bob, carol), await newServer(bob, alice), await newServer(carol, alice, bob)]
  const clients = await Promise.all(people.map((who) => StoreClient.open(who)))
  const ids = { servers: homes.map((one) => one.server_id), channels: homes.map((one) => one.channel_id) }
  return { people, ...ids, messages: [], invites: [], roles: [], directs: [], clients }
}

/** The counts that the list of servers shows, by server. */
function listOf({ store: { state } }: StoreClient) {
  const rows = new Map([...state.servers.values()].map(({ id, name }) => [id, { name, unread: 0, mentions: 0 }]))
  for (const channel of state.channels.values()) {
    const row = rows.get(channel.server_id ?? 0)
    if (!row) continue
    row.unread += Number(isUnreadAloud(state, channel))
    row.mentions += badgeOf(state, channel)
  }
  for (const { id, name, unread_count, mention_count } of state.listed.values())
    rows.set(id, { name, unread: unread_count, mentions: mention_count })
  return [...rows].toSorted(([a], [b]) => a - b)
}

/** Compares the lists of servers of a client, which has opened some, and of one that has just opened all. */
async function expectFullList(client: StoreClient, what: string): Promise<void> {
  await published(parley)
  await client.settle()
  const full = await StoreClient.open(client.who)
  expect({ what, rows: listOf(client) }).toEqual({ what, rows: listOf(full) })
  full.cut()
}

for (const seed of [3, 4, 5]) {
  test(`counts and badges of listed servers equal those of a full opening (seed ${seed})`, async () => {
    const random = seeded(seed)
    const pick: Pick = (list) => list[Math.floor(random() * list.length)]
    const stage = await openWorld()
    const all = { ...happenings, ...quieting }
    const names = [...Object.keys(happenings), ...usual, ...Object.keys(quieting), ...Object.keys(quieting)]
    const travellers = await Promise.all(stage.people.map((who) => StoreClient.open(who, NONE)))
    const away = new Set<StoreClient>()
    for (let round = 0; round < ROUNDS; round++) {
      const now = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, at) =>
        all[pick(names) as string]?.(stage, pick(stage.people) as Person, pick, round * 10 + at),
      )
      await Promise.all(now)
      const traveller = pick(travellers) as StoreClient
      if (random() < 0.3) {
        if (away.has(traveller)) await traveller.resume()
        else traveller.cut()
        if (!away.delete(traveller)) away.add(traveller)
      }
    }
    for (const [at, traveller] of travellers.entries()) {
      if (away.has(traveller)) await traveller.resume()
      await expectFullList(traveller, `seed ${seed}, person ${at}, live or resumed`)
      const fresh = await StoreClient.open(traveller.who, NONE)
      expect(fresh.store.state.servers.size).toBe(0)
      await expectFullList(fresh, `seed ${seed}, person ${at}, fresh`)
      // Opened one by one, they are what a full opening brings.
      await fresh.loader.openAll()
      await fresh.settle()
      expect(fresh.store.state.listed.size).toBe(0)
      await expectFullList(fresh, `seed ${seed}, person ${at}, opened`)
      const model = await ClientModel.open(fresh.who)
      const truth = { ...model.state(), marks: [] }
      expect({ what: at, ...fresh.state() }).toEqual({ what: at, ...truth })
      model.gateway.close()
      fresh.cut()
    }
    for (const client of [...stage.clients, ...travellers]) client.cut()
  })
}

test('a message in a listed server opens that server, and no other', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const [one, other] = [await place(alice, bob), await place(alice, bob)]
  const client = await StoreClient.open(bob, NONE)
  const { state } = client.store
  expect([...state.listed.keys()]).toEqual([one.server_id, other.server_id])
  await say(alice, one.channel_id, `<@${bob.id}>, an owl`)
  await until(() => state.servers.has(one.server_id))
  await client.settle()
  const channel = state.channels.get(one.channel_id)
  expect(channel && [isUnreadAloud(state, channel), badgeOf(state, channel)]).toEqual([true, 1])
  expect([...state.listed.keys()]).toEqual([other.server_id])
  // An event that changes no count opens nothing.
  await alice.put(`/api/channels/${other.channel_id}`, { topic: 'Herons' })
  await alice.put(`/api/servers/${other.server_id}`, { name: 'Heronry' })
  await client.settle()
  expect(state.listed.get(other.server_id)?.name).toBe('Heronry')
  client.cut()
})

test('looking a channel of a listed server up opens the server', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { server_id, channel_id } = await place(alice, bob)
  const client = await StoreClient.open(bob, NONE)
  const { state } = client.store
  expect(state.channels.get(channel_id)).toBeUndefined()
  await until(() => state.channels.has(channel_id))
  expect(state.servers.has(server_id)).toBe(true)
  client.cut()
})

test('a resumed client keeps its open servers without a snapshot, and misses nothing in listed ones', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const [open, listed] = [await place(alice, bob), await place(alice, bob)]
  const client = await StoreClient.open(bob, [open.server_id])
  const snapshots: number[] = []
  client.gateway.listen(({ t, d }) => t === 'server.snapshot' && snapshots.push(d.server.id))
  client.cut()
  await say(alice, open.channel_id, 'A wren')
  await say(alice, listed.channel_id, 'A tern')
  await client.resume()
  const { state } = client.store
  expect(snapshots).toEqual([])
  expect([...state.servers.keys()]).toEqual([open.server_id])
  expect(state.newest.has(open.channel_id)).toBe(true)
  expect(state.listed.get(listed.server_id)?.unread_count).toBe(1)
  client.cut()
})

test('a server that the account leaves is not opened and disappears from the list', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const { server_id } = await place(alice, bob)
  const client = await StoreClient.open(bob, NONE)
  expect((await bob.delete(`/api/servers/${server_id}/members/@me`)).status).toBe(204)
  await until(() => !client.store.state.listed.has(server_id))
  await client.loader.openServer(server_id)
  expect(client.store.state.servers.has(server_id)).toBe(false)
  client.cut()
})
