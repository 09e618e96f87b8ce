import { expect, test } from 'bun:test'
import { events } from '../src/catalogue.ts'
import { ClientModel, type Row } from './client-model.ts'
import { type Person, person, room, say, standard } from './harness.ts'

const parley = await standard()

/** Every durable event, and how a client can meet it: one that says so and is never met fails. */
const durable: Record<string, 'live' | 'live and replay'> = {
  'user.updated': 'live and replay',
  'server.created': 'live and replay',
  'server.updated': 'live and replay',
  // What is gone is not named by `ready`, so no replay tells of it.
  'server.deleted': 'live',
  'member.joined': 'live and replay',
  'member.left': 'live and replay',
  'channel.created': 'live and replay',
  'channel.updated': 'live and replay',
  'channel.deleted': 'live',
  'channel.read': 'live and replay',
  'message.created': 'live and replay',
  'message.updated': 'live and replay',
  'message.deleted': 'live and replay',
  'invite.created': 'live and replay',
  'invite.deleted': 'live and replay',
}
const met = { live: new Set<string>(), replay: new Set<string>() }

/** All that a client holds, for comparison. What someone is called who shares no server any more may be out of date. */
function stateOf(model: ClientModel): Row {
  const shared = new Set([...model.members.values()].map((member) => member.user.id))
  const rows = (kept: Map<unknown, Row>) => [...kept.values()].toSorted((a, b) => a.id - b.id)
  const nameOf = ({ id }: Row) => (shared.has(id) ? model.users.get(id) : { id })
  const members = [...model.members.values()].map((member) => ({ ...member, user: nameOf(member.user) }) as Row)
  return {
    user: model.user,
    servers: rows(model.servers),
    channels: rows(model.channels),
    members: members.toSorted((a, b) => a.server_id - b.server_id || a.user.id - b.user.id),
    messages: rows(model.messages).map((message) => ({ ...message, author: nameOf(message.author) })),
    invites: rows(model.invites),
    marks: [...model.marks].toSorted(([a], [b]) => a - b),
  }
}

/** What a live client, a resumed one and a fresh one hold of the same account is the same. */
async function expectEqualState(live: ClientModel, resumed: ClientModel, what: string): Promise<void> {
  await live.settle()
  const fresh = await ClientModel.open(live.who)
  const truth = stateOf(fresh)
  expect({ what: `${what}, live`, ...stateOf(live) }).toEqual({ what: `${what}, live`, ...truth })
  expect({ what: `${what}, resumed`, ...stateOf(resumed) }).toEqual({ what: `${what}, resumed`, ...truth })
  fresh.gateway.close()
  for (const model of [live, resumed]) {
    for (const name of model.met.live) met.live.add(name)
    for (const name of model.met.replay) met.replay.add(name)
  }
}

interface Stage {
  people: Person[]
  servers: number[]
  channels: number[]
  messages: number[]
  invites: { id: number; code: string }[]
  /** Clients that acknowledge what they read. */
  clients: ClientModel[]
}
type Pick = <T>(list: T[]) => T | undefined

/** Everything that can happen; whether it is allowed is the server's affair. */
const happenings: Record<string, (stage: Stage, who: Person, pick: Pick, n: number) => Promise<unknown>> = {
  server: async (stage, who) => {
    const { server_id, channel_id } = await room(who)
    stage.servers.push(server_id)
    stage.channels.push(channel_id)
  },
  rename: (stage, who, pick, n) => who.put(`/api/servers/${pick(stage.servers)}`, { name: `Server ${n}` }),
  transfer: (stage, who, pick) =>
    who.post(`/api/servers/${pick(stage.servers)}/transfer`, { user_id: pick(stage.people)?.id }),
  'delete server': (stage, who, pick, n) =>
    n % 4 === 0 ? who.delete(`/api/servers/${pick(stage.servers)}`) : Promise.resolve(),
  channel: async (stage, who, pick, n) => {
    const { status, body } = await who.post(`/api/servers/${pick(stage.servers)}/channels`, {
      name: `channel ${n}`,
      type: n % 3 === 0 ? 'voice' : 'text',
    })
    if (status === 201) stage.channels.push(body.id)
  },
  'rename channel': (stage, who, pick, n) => who.put(`/api/channels/${pick(stage.channels)}`, { topic: `Topic ${n}` }),
  'move channel': (stage, who, pick, n) => who.put(`/api/channels/${pick(stage.channels)}`, { position: n % 4 }),
  'delete channel': (stage, who, pick) => who.delete(`/api/channels/${pick(stage.channels)}`),
  invite: async (stage, who, pick) => {
    const { status, body } = await who.post('/api/invites', { server_id: pick(stage.servers) })
    if (status === 201) stage.invites.push(body)
  },
  'delete invite': (stage, who, pick) => who.delete(`/api/invites/${pick(stage.invites)?.id ?? 1}`),
  join: (stage, who, pick) => who.post(`/api/invites/${pick(stage.invites)?.code ?? 'none'}/join`),
  leave: (stage, who, pick) => who.delete(`/api/servers/${pick(stage.servers)}/members/@me`),
  kick: (stage, who, pick) => who.delete(`/api/servers/${pick(stage.servers)}/members/${pick(stage.people)?.id}`),
  ban: (stage, who, pick) => who.put(`/api/servers/${pick(stage.servers)}/bans/${pick(stage.people)?.id}`, {}),
  pardon: (stage, who, pick) => who.delete(`/api/servers/${pick(stage.servers)}/bans/${pick(stage.people)?.id}`),
  name: (_stage, who, _pick, n) => who.put('/api/auth/display-name', { display_name: `Name ${n}` }),
  say: async (stage, who, pick, n) => {
    const path = `/api/channels/${pick(stage.channels)}/messages`
    const { status, body } = await who.post(path, { content: `Message ${n} for <@${pick(stage.people)?.id}>` })
    if (status === 201) stage.messages.push(body.id)
  },
  edit: (stage, who, pick, n) => who.put(`/api/messages/${pick(stage.messages) ?? 1}`, { content: `Edited ${n}` }),
  unsay: (stage, who, pick) => who.delete(`/api/messages/${pick(stage.messages) ?? 1}`),
  read: async (stage, who, pick) => {
    const client = stage.clients.find((candidate) => candidate.who === who)
    const message = pick([...(client?.messages.values() ?? [])])
    const d = message && { channel_id: message.channel_id, message_id: message.id }
    if (d) await client?.gateway.command('channel.ack', d)
  },
}
/** What happens more often than the rest. */
const usual = [
  'say',
  'say',
  'say',
  'edit',
  'unsay',
  'read',
  'read',
  'join',
  'join',
  'invite',
  'channel',
  'move channel',
]

/** Numbers that a seed decides (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

async function openStage(): Promise<Stage> {
  const people = await Promise.all(['alice', 'bob', 'carol'].map((name) => person(parley, name)))
  const [alice, bob, carol] = people as [Person, Person, Person]
  const rooms = [await room(alice, bob, carol), await room(bob, alice)]
  const clients = await Promise.all(people.map((who) => ClientModel.open(who)))
  const ids = { servers: rooms.map((one) => one.server_id), channels: rooms.map((one) => one.channel_id) }
  return { people, ...ids, messages: [], invites: [], clients }
}

const ROUNDS = 45

for (const seed of [1, 2, 3, 4, 5, 6]) {
  test(`a live, a resumed and a fresh client hold the same after whatever happens (seed ${seed})`, async () => {
    const random = seeded(seed)
    const pick: Pick = (list) => list[Math.floor(random() * list.length)]
    const stage = await openStage()
    const travellers = await Promise.all(stage.people.map((who) => ClientModel.open(who)))
    const away = new Set<ClientModel>()
    const names = [...Object.keys(happenings), ...usual]
    for (let round = 0; round < ROUNDS; round++) {
      // Some things happen at the same time.
      const now = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, at) => {
        const happen = happenings[pick(names) as string]
        return happen?.(stage, pick(stage.people) as Person, pick, round * 10 + at)
      })
      await Promise.all(now)
      const traveller = pick(travellers) as ClientModel
      if (random() < 0.2) {
        await (away.has(traveller) ? traveller.resume() : traveller.cut())
        if (!away.delete(traveller)) away.add(traveller)
      }
      if (random() < 0.2) await pick(stage.clients)?.settle()
    }
    for (const [at, traveller] of travellers.entries()) {
      await (away.has(traveller) ? traveller.resume() : traveller.settle())
      await expectEqualState(stage.clients[at] as ClientModel, traveller, `seed ${seed}, person ${at}`)
    }
    for (const model of [...stage.clients, ...travellers]) model.gateway.close()
  })
}

test('every change on its own leaves a live, a resumed and a fresh client with the same', async () => {
  const stage = await openStage()
  const [alice, bob, carol] = stage.people as [Person, Person, Person]
  const [server_id, channel_id] = [stage.servers[0], stage.channels[0]] as [number, number]
  const dave = await person(parley, 'dave')
  const travellers = await Promise.all(stage.people.map((who) => ClientModel.open(who)))
  const first = await say(alice, channel_id, 'first')
  const invite = (await alice.post('/api/invites', { server_id })).body
  const channel = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'extra', type: 'text' })).body
  const extra = await say(bob, channel.id, 'in the extra channel')
  const ack = (client: ClientModel | undefined, message: { id: number; channel_id?: number }) =>
    client?.gateway.command('channel.ack', { channel_id: message.channel_id, message_id: message.id })
  const steps: Record<string, () => Promise<unknown> | undefined> = {
    'alice edits': () => alice.put(`/api/messages/${first.id}`, { content: 'edited' }),
    'bob reads': () => ack(stage.clients[1], first),
    'bob reads what is deleted soon': () => ack(stage.clients[1], extra),
    'carol says and unsays': async () => carol.delete(`/api/messages/${(await say(carol, channel_id, 'oops')).id}`),
    'the channel moves': () => alice.put(`/api/channels/${channel.id}`, { position: 0 }),
    'the channel goes': () => alice.delete(`/api/channels/${channel.id}`),
    'bob has a new name': () => bob.put('/api/auth/display-name', { display_name: 'Robert' }),
    'dave joins': () => dave.post(`/api/invites/${invite.code}/join`),
    'dave is banned': () => alice.put(`/api/servers/${server_id}/bans/${dave.id}`, {}),
    'carol is kicked': () => alice.delete(`/api/servers/${server_id}/members/${carol.id}`),
    'carol is back': () => carol.post(`/api/invites/${invite.code}/join`),
    'bob becomes owner': () => alice.post(`/api/servers/${server_id}/transfer`, { user_id: bob.id }),
    'an invite goes': () => bob.delete(`/api/invites/${invite.id}`),
    'alice leaves': () => alice.delete(`/api/servers/${server_id}/members/@me`),
    'another server': () => happenings.server?.(stage, carol, () => undefined, 0),
    'the server goes': () => bob.delete(`/api/servers/${server_id}`),
  }
  for (const [what, step] of Object.entries(steps)) {
    for (const traveller of travellers) await traveller.cut()
    await step()
    for (const traveller of travellers) await traveller.resume()
    for (const [at, live] of stage.clients.entries())
      await expectEqualState(live, travellers[at] as ClientModel, `after: ${what}, person ${at}`)
  }
  for (const model of [...stage.clients, ...travellers]) model.gateway.close()
})

test('every durable event has been proven, live and, where it is replayed, in a replay', () => {
  const declared = Object.entries(events).flatMap(([name, event]) => (event.resource ? [name] : []))
  expect(Object.keys(durable).toSorted()).toEqual(declared.toSorted())
  const both = Object.keys(durable).filter((name) => durable[name] === 'live and replay')
  expect(Object.keys(durable).filter((name) => !met.live.has(name))).toEqual([])
  expect(both.filter((name) => !met.replay.has(name))).toEqual([])
})
