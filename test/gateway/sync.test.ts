import { expect, test } from 'bun:test'
import { events } from '../../src/api/asyncapi.ts'
import { permissions } from '../../src/core/permissions.ts'
import type { Row } from '../support/client-memory.ts'
import { ClientModel } from '../support/client-model.ts'
import { callAndLeave, happenings, type Pick, seeded, type World, usual } from '../support/happenings.ts'
import { removePasskey } from '../support/factors.ts'
import { call, PASSWORD, type Person, person, newServer, say, standard, until } from '../support/harness.ts'
import { overwriteSteps, passage, requestSteps } from '../support/own-steps.ts'
import { befriend, passersBy, peopleWithPassword, group, write } from '../support/people.ts'
import { reactionSteps } from '../support/reaction-steps.ts'
import { aboutReports } from '../support/reports.ts'
import { onStage } from '../support/stages.ts'
import { inThreads, published } from '../support/threads.ts'
import { makeOld, pruneWith } from '../support/retention.ts'
import { FOR_BOTS } from '../support/bots.ts'

const parley = await standard()

/**
 * Every durable event, and the ways a client can receive it. The last test fails for an event that no client received
 * so.
 */
const durable: Record<string, 'live' | 'live and replay'> = {
  'user.updated': 'live and replay',
  'session.created': 'live and replay',
  'security.changed': 'live and replay',
  'membership.ended': 'live and replay',
  'server.created': 'live and replay',
  'server.updated': 'live and replay',
  // `ready` does not contain deleted things, so the event is not replayed.
  'server.deleted': 'live',
  'member.joined': 'live and replay',
  'member.left': 'live and replay',
  'channel.created': 'live and replay',
  'channel.updated': 'live and replay',
  'channel.deleted': 'live',
  'channel.pruned': 'live and replay',
  'channel.pruned_by': 'live and replay',
  'channel.read': 'live and replay',
  'notifications.updated': 'live and replay',
  'scheduled.updated': 'live and replay',
  'scheduled.removed': 'live and replay',
  'saved.updated': 'live and replay',
  'saved.removed': 'live and replay',
  'message.created': 'live and replay',
  'message.updated': 'live and replay',
  'message.deleted': 'live and replay',
  'message.reactions': 'live and replay',
  'event.changed': 'live and replay',
  'event.deleted': 'live and replay',
  'event.reminder': 'live and replay',
  'event.signup': 'live and replay',
  'message.poll': 'live and replay',
  'poll.mine': 'live and replay',
  'reaction.mine': 'live and replay',
  'emoji.created': 'live and replay',
  'emoji.updated': 'live and replay',
  'emoji.deleted': 'live and replay',
  'stage.started': 'live and replay',
  'stage.updated': 'live and replay',
  'stage.ended': 'live and replay',
  'sticker.created': 'live and replay',
  'sticker.updated': 'live and replay',
  'sticker.deleted': 'live and replay',
  'favourite.created': 'live and replay',
  'favourite.deleted': 'live and replay',
  'report.created': 'live and replay',
  'report.updated': 'live and replay',
  'warning.created': 'live and replay',
  'warning.read': 'live and replay',
  'warning.deleted': 'live and replay',
  'invite.created': 'live and replay',
  'invite.deleted': 'live and replay',
  'member.updated': 'live and replay',
  'role.created': 'live and replay',
  'role.updated': 'live and replay',
  'role.deleted': 'live and replay',
  'channel.permissions_updated': 'live and replay',
  'channel.own_overwrite_updated': 'live and replay',
  'thread.created': 'live and replay',
  'thread.updated': 'live and replay',
  'thread.deleted': 'live',
  'thread.followed': 'live and replay',
  'friend.updated': 'live and replay',
  'dm.request': 'live and replay',
  'dm.read': 'live and replay',
  'dm.hidden': 'live and replay',
  // A replay of a call that has ended has only its end.
  'call.ringing': 'live',
  'call.declined': 'live and replay',
  'call.ended': 'live and replay',
}
const received = { live: new Set<string>(), replay: new Set<string>() }

/** A live, a resumed and a fresh client have the same state, except marks that nobody has set: `ready` has them. */
async function expectEqualState(live: ClientModel, resumed: ClientModel, what: string): Promise<void> {
  await published(parley)
  const fresh = await ClientModel.open(live.who)
  const isSet = ([channel_id]: [number]) => live.marks.has(channel_id)
  const compared = ({ marks, ...rest }: Row): Row => ({ ...rest, marks: marks.filter(isSet) })
  const truth = () => compared(fresh.state())
  // Reactions that follow others are merged, and published a moment later.
  await until(async () => {
    for (const model of [live, resumed]) await model.settle()
    return [live, resumed].every((model) => Bun.deepEquals(compared(model.state()), truth()))
  }).catch(() => {})
  expect({ what: `${what}, live`, ...compared(live.state()) }).toEqual({ what: `${what}, live`, ...truth() })
  expect({ what: `${what}, resumed`, ...compared(resumed.state()) }).toEqual({ what: `${what}, resumed`, ...truth() })
  fresh.gateway.close()
  for (const model of [live, resumed]) {
    for (const name of model.met.live) received.live.add(name)
    for (const name of model.met.replay) received.replay.add(name)
  }
}

async function openWorld(): Promise<Omit<World, 'clients'> & { clients: ClientModel[] }> {
  const people = await Promise.all(['alice', 'bob', 'carol'].map((name) => person(parley, name)))
  const [alice, bob, carol] = people as [Person, Person, Person]
  const homes = [await newServer(alice, bob, carol), await newServer(bob, alice)]
  const clients = await Promise.all(people.map((who) => ClientModel.open(who)))
  const ids = { servers: homes.map((one) => one.server_id), channels: homes.map((one) => one.channel_id) }
  return { people, ...ids, messages: [], invites: [], roles: [], directs: [], clients }
}

const ROUNDS = 45

for (const seed of [1, 2, 3, 4, 21, 36]) {
  test(`a live, a resumed and a fresh client have the same state after random actions (seed ${seed})`, async () => {
    const random = seeded(seed)
    const pick: Pick = (list) => list[Math.floor(random() * list.length)]
    const world = await openWorld()
    const travellers = await Promise.all(world.people.map((who) => ClientModel.open(who)))
    const away = new Set<ClientModel>()
    const names = [...Object.keys(happenings), ...usual]
    for (let round = 0; round < ROUNDS; round++) {
      // Up to four concurrent actions.
      const now = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, at) => {
        const happen = happenings[pick(names) as string]
        return happen?.(world, pick(world.people) as Person, pick, round * 10 + at)
      })
      await Promise.all(now)
      const traveller = pick(travellers) as ClientModel
      if (random() < 0.2) {
        await (away.has(traveller) ? traveller.resume() : traveller.cut())
        if (!away.delete(traveller)) away.add(traveller)
      }
      if (random() < 0.2) await pick(world.clients)?.settle()
    }
    for (const [at, traveller] of travellers.entries()) {
      await (away.has(traveller) ? traveller.resume() : traveller.settle())
      await expectEqualState(world.clients[at] as ClientModel, traveller, `seed ${seed}, person ${at}`)
    }
    for (const model of [...world.clients, ...travellers]) model.gateway.close()
  })
}

/** Friendship and direct messages between two people, step by step. */
const betweenTwo = (world: World, alice: Person, bob: Person): Record<string, () => Promise<unknown>> => ({
  'alice asks bob': () => alice.post('/api/friends/request', { friend_id: bob.id }),
  'bob accepts': () => bob.post(`/api/friends/${alice.id}/accept`),
  'alice whispers': async () => void world.directs.push((await write(alice, bob, 'Psst')).id),
  'alice whispers again': async () => void world.directs.push((await write(alice, bob, 'Psst?')).id),
  'she edits it': () => alice.put(`/api/dm/messages/${world.directs[1]}`, { content: 'Psst!' }),
  'bob reads it': () => bob.post(`/api/dm/messages/${world.directs[1]}/read`),
  'bob hides the conversation': () => bob.delete(`/api/dm/${alice.id}/hide`),
  'it is back': () => write(alice, bob, 'Hello?'),
  'bob reads all': () => bob.post(`/api/dm/${alice.id}/read-all`),
  'alice unsays it': () => alice.delete(`/api/dm/messages/${world.directs[1]}`),
  'bob blocks alice': () => bob.post(`/api/friends/${alice.id}/block`),
  'bob relents': () => bob.post(`/api/friends/${alice.id}/unblock`),
})

/** A group of three, step by step. */
function amongThree(alice: Person, bob: Person, carol: Person): Record<string, () => Promise<unknown>> {
  let id = 0
  const path = () => `/api/channels/${id}`
  const recipient = (who: Person) => `${path()}/recipients/${who.id}`
  const values: number[] = []
  return {
    'alice befriends both': () => Promise.all([befriend(alice, bob), befriend(alice, carol)]),
    'she makes a group': async () => {
      id = (await alice.post('/api/channels/direct', { recipient_ids: [bob.id, carol.id] })).body.id
    },
    'carol says something there': async () => void values.push((await say(carol, id, 'Hello both')).id),
    'bob names it': () => bob.put(path(), { name: 'Three' }),
    'bob answers': async () => void values.push((await say(bob, id, 'Hello')).id),
    'carol edits': () => carol.put(`/api/messages/${values[0]}`, { content: 'Hello, both' }),
    'carol leaves': () => carol.delete(recipient(carol)),
    'the others go on': () => say(alice, id, 'She is gone'),
    'carol comes again': () => alice.put(recipient(carol)),
    'alice leaves the group': () => alice.delete(recipient(alice)),
    'bob unsays': () => bob.delete(`/api/messages/${values[1]}`),
    'bob has another name': () => bob.put('/api/auth/display-name', { display_name: 'Bobby' }),
  }
}

test('a live, a resumed and a fresh client have the same state after every single change', async () => {
  const world = await openWorld()
  const [alice, bob, carol] = world.people as [Person, Person, Person]
  const [server_id, channel_id] = [world.servers[0], world.channels[0]] as [number, number]
  const dave = await person(parley, 'dave')
  const [fly] = await peopleWithPassword(parley, 'mayfly')
  const travellers = await Promise.all(world.people.map((who) => ClientModel.open(who)))
  const first = await say(alice, channel_id, 'first')
  const invite = (await alice.post('/api/invites', { server_id })).body
  const channel = (await alice.post(`/api/servers/${server_id}/channels`, { name: 'extra', type: 'text' })).body
  const extra = await say(bob, channel.id, 'in the extra channel')
  const ack = (client: ClientModel | undefined, message: { id: number; channel_id?: number }) =>
    client?.gateway.command('channel.ack', { channel_id: message.channel_id, message_id: message.id })
  const steps: Record<string, () => Promise<unknown> | undefined> = {
    'alice edits': () => alice.put(`/api/messages/${first.id}`, { content: 'edited' }),
    'bob reads': () => ack(world.clients[1], first),
    'bob reads what is deleted soon': () => ack(world.clients[1], extra),
    ...reactionSteps(world, world.people, { server_id, channel_id, id: first.id }),
    'bob mutes the channel': () => bob.put(`/api/notifications/channels/${channel_id}`, { level: 'nothing' }),
    'he does not any more': () => bob.delete(`/api/notifications/channels/${channel_id}`),
    'bob begins there again': () => bob.post(`/api/channels/${channel_id}/unread`, { message_id: first.id }),
    'carol says and unsays': async () => carol.delete(`/api/messages/${(await say(carol, channel_id, 'oops')).id}`),
    ...aboutReports(alice, bob, carol, { server_id, channel_id }),
    'the channel moves': () => alice.put(`/api/channels/${channel.id}`, { position: 0 }),
    'the channel goes': () => alice.delete(`/api/channels/${channel.id}`),
    ...betweenTwo(world, alice, bob),
    ...requestSteps(dave, bob),
    'bob logs in by two browsers': async () => {
      await parley.parts.sql`update users set password_hash = other.password_hash from users other
        where users.id = ${bob.id} and other.id = ${fly.id}`
      for (const browser of ['Firefox', 'Chrome']) {
        const headers = { 'user-agent': `${browser}/150` }
        const body = { username: bob.username, password: PASSWORD }
        expect((await call(parley, 'POST', '/api/auth/login', { body, headers })).status).toBe(200)
      }
    },
    'bob removes a passkey': () => removePasskey(bob),
    'bob has a new name': () => bob.put('/api/auth/display-name', { display_name: 'Robert' }),
    'a role is made': async () => {
      const draft = { name: 'Keepers', permissions: permissions('manage_server') }
      world.roles.push((await alice.post(`/api/servers/${server_id}/roles`, draft)).body.id)
    },
    'bob gets it': () => alice.post(`/api/servers/${server_id}/members/${bob.id}/roles/${world.roles[0]}`),
    'it is renamed': () => alice.put(`/api/roles/${world.roles[0]}`, { name: 'Wardens' }),
    'old messages go': async () => {
      await makeOld(parley, [first.id, ...world.directs.slice(0, 1)])
      await pruneWith(parley, { MESSAGE_RETENTION_DAYS: 1 })
    },
    ...overwriteSteps(alice, bob, channel_id),
    'the channel is hidden': async () => {
      const [everyone] = (await alice.get(`/api/servers/${server_id}/roles`)).body
      await alice.put(`/api/channels/${channel_id}/permissions/${world.roles[0]}`, { allow: 1024 })
      return alice.put(`/api/channels/${channel_id}/permissions/${everyone.id}`, { deny: 1024 })
    },
    'a word among those who see it': () => bob.post(`/api/channels/${channel_id}/messages`, { content: 'psst' }),
    'the channel is open again': async () => {
      const [everyone] = (await alice.get(`/api/servers/${server_id}/roles`)).body
      return alice.delete(`/api/channels/${channel_id}/permissions/${everyone.id}`)
    },
    'bob loses it': () => alice.delete(`/api/servers/${server_id}/members/${bob.id}/roles/${world.roles[0]}`),
    'the role goes': () => alice.delete(`/api/roles/${world.roles[0]}`),
    ...passage(alice, bob, carol, fly, invite.code, channel_id),
    'dave joins': () => dave.post(`/api/invites/${invite.code}/join`),
    'dave is banned': () => alice.put(`/api/servers/${server_id}/bans/${dave.id}`, {}),
    'carol is kicked': () => alice.delete(`/api/servers/${server_id}/members/${carol.id}`),
    'carol is back': () => carol.post(`/api/invites/${invite.code}/join`),
    'bob becomes owner': () => alice.post(`/api/servers/${server_id}/transfer`, { user_id: bob.id }),
    'an invite goes': () => bob.delete(`/api/invites/${invite.id}`),
    'alice leaves': () => alice.delete(`/api/servers/${server_id}/members/@me`),
    'another server': () => happenings.server?.(world, carol, () => undefined, 0),
    'the server goes': () => bob.delete(`/api/servers/${server_id}`),
  }
  await expectEqualAfterEach(steps, world.clients, travellers)
}, 300_000)

for (const [what, steps] of Object.entries({ 'a group': amongThree, threads: inThreads, 'a stage': onStage }))
  test(`a live, a resumed and a fresh client have the same state of ${what} after every single change`, async () => {
    const people = (await passersBy(parley, 'alice', 'bob', 'carol')) as [Person, Person, Person]
    const open = () => Promise.all(people.map((who) => ClientModel.open(who)))
    await expectEqualAfterEach(steps(...people), await open(), await open())
  })

/** After each step, the live and the resumed client of each account have a fresh one's state. */
async function expectEqualAfterEach(
  steps: Record<string, () => Promise<unknown> | undefined>,
  clients: ClientModel[],
  travellers: ClientModel[],
): Promise<void> {
  for (const [what, step] of Object.entries(steps)) {
    for (const traveller of travellers) await traveller.cut()
    await step()
    await published(parley)
    for (const traveller of travellers) await traveller.resume()
    for (const [at, live] of clients.entries())
      await expectEqualState(live, travellers[at] as ClientModel, `after: ${what}, person ${at}`)
  }
  for (const model of [...clients, ...travellers]) model.gateway.close()
}

test('a called account gets the call, each decline and the end, over any kind of connection', async () => {
  const [alice, bob, carol] = (await Promise.all(['alice', 'bob', 'carol'].map((name) => person(parley, name)))) as [
    Person,
    Person,
    Person,
  ]
  const channel_id = await group(alice, bob, carol)
  const [live, traveller] = [await ClientModel.open(bob), await ClientModel.open(bob)]
  await traveller.cut()
  await callAndLeave(alice, carol, channel_id, async () => {
    await expectEqualState(live, live, 'while it rings')
    expect(live.ringing.get(channel_id)).toBe(alice.id)
  })
  await traveller.resume()
  await expectEqualState(live, traveller, 'after the call')
  for (const model of [live, traveller]) model.gateway.close()
})

test('a channel that becomes visible again keeps its read mark', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  const roles = (await alice.get(`/api/servers/${server_id}/roles`)).body
  const { id: everyone } = roles.find((role: { is_everyone: boolean }) => role.is_everyone)
  const see = (deny: number) => alice.put(`/api/channels/${channel_id}/permissions/${everyone}`, { deny })
  const live = await ClientModel.open(bob)
  const message = await say(alice, channel_id, 'Read')
  await live.gateway.command('channel.ack', { channel_id, message_id: message.id })
  expect((await see(permissions('view_channel'))).status).toBe(200)
  const late = await ClientModel.open(bob)
  expect((await see(0)).status).toBe(200)
  const models = [live, late, await ClientModel.open(bob)]
  for (const model of models) {
    await model.settle()
    expect(model.state().marks).toEqual([[channel_id, message.id]])
    model.gateway.close()
  }
})

test('every durable event was received live and, if it is replayable, in a replay', () => {
  // Only bots receive these: test/discord/discord-js-events.test.ts and discord-js-news.test.ts.
  const isOfPeople = (name: string) => !FOR_BOTS.has(name)
  const declared = Object.entries(events).flatMap(([name, event]) => (event.resource && isOfPeople(name) ? [name] : []))
  expect(Object.keys(durable).toSorted()).toEqual(declared.toSorted())
  const both = Object.keys(durable).filter((name) => durable[name] === 'live and replay')
  expect(Object.keys(durable).filter((name) => !received.live.has(name))).toEqual([])
  expect(both.filter((name) => !received.replay.has(name))).toEqual([])
})
