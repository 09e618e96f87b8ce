import { describe, expect, test } from 'bun:test'
import type { Events } from '../../../src/core/events.ts'
import { permissions } from '../../../src/core/permissions.ts'
import { seeded } from '../../support/happenings.ts'
import { boot, type Person, newServer } from '../../support/harness.ts'
import { by } from '../../support/installation.ts'
import { befriend, passersBy } from '../../support/people.ts'
import { redisProgram, redisServer } from '../../support/redis.ts'
import { connect } from '../../support/socket.ts'
import { StoreClient } from '../../support/store-client.ts'

const SECONDS_MAX = 30
const SEEDS = 6
const STEPS = 60
/** Duration of a short mute. */
const MOMENT_MS = 100

/** Three people who write in two channels, a thread, a dm and a group, at random. */
interface World {
  alice: Person
  bob: Person
  carol: Person
  server_id: number
  /** In the server: one channel without a category, and one in a category. */
  channels: number[]
  category: number
  everyone: number
  role: number
  thread: number
  /** With all three; the first is the owner. */
  group: number
  places: number[]
  messages: { id: number; channel_id: number; by: Person }[]
}
type Pick = <T>(list: T[]) => T
type Doing = (world: World, device: StoreClient, pick: Pick) => Promise<unknown>

/** The web client's view of its channels. */
function unreadByChannel({ store: { state } }: StoreClient): Record<number, unknown> {
  const unread = [...state.channels.values()].filter((channel) => state.isUnread(channel))
  return Object.fromEntries(unread.map(({ id }) => [id, [state.newest.get(id), state.mentions.get(id) ?? 0]]))
}

/** The state that the next connection receives. */
async function freshLook(who: Person): Promise<Record<number, unknown>> {
  const live = await connect(who)
  live.close()
  const marks: Events['ready']['read_marks'] = live.frames[0]?.d.read_marks
  const unread = marks.filter(({ newest_id }) => newest_id !== undefined)
  return Object.fromEntries(unread.map((mark) => [mark.channel_id, [mark.newest_id, mark.mention_count]]))
}

const contents = ({ bob, role }: World, pick: Pick): string =>
  pick(['A heron', `<@${bob.id}>`, `<@&${role}>`, '@everyone', '@here', `<@${bob.id}> <@&${role}> @everyone`])

const doings: Record<string, Doing> = {
  send: async (world, _, pick) => {
    const [by, channel_id] = [pick([world.alice, world.alice, world.carol, world.bob]), pick(world.places)]
    const own = world.messages.filter((message) => message.channel_id === channel_id)
    const reply_to_id = own.length > 0 && pick([true, false]) ? pick(own).id : null
    const draft = { content: contents(world, pick), reply_to_id, reply_mention: pick([true, false]) }
    const { status, body } = await by.post(`/api/channels/${channel_id}/messages`, draft)
    if (status === 201) world.messages.push({ id: body.id, channel_id, by })
  },
  edit: async (world, _, pick) => {
    if (world.messages.length === 0) return
    const { id, by } = pick(world.messages)
    await by.put(`/api/messages/${id}`, { content: contents(world, pick) })
  },
  delete: async (world, _, pick) => {
    if (world.messages.length === 0) return
    const message = pick(world.messages)
    await message.by.delete(`/api/messages/${message.id}`)
    world.messages = world.messages.filter((other) => other !== message)
  },
  read: async (world, device, pick) => {
    if (world.messages.length === 0) return
    const { id: message_id, channel_id } = pick(world.messages.slice(-5))
    await device.gateway.command('channel.ack', { channel_id, message_id }).catch(() => {})
  },
  'mark unread': async (world, _, pick) => {
    if (world.messages.length === 0) return
    const { id: message_id, channel_id } = pick(world.messages)
    await world.bob.post(`/api/channels/${channel_id}/unread`, { message_id })
  },
  'read the server': ({ bob, server_id }) => bob.post(`/api/servers/${server_id}/read-all`),
  'read the dm': ({ bob, alice }) => bob.post(`/api/dm/${alice.id}/read-all`),
  mute: ({ bob, places, category, server_id }, _, pick) => {
    const place = pick([...places.map((id) => `channels/${id}`), `channels/${category}`, `servers/${server_id}`])
    const muted_until = pick(['2999-01-01T00:00:00.000Z', null])
    const change = pick([{ muted_until }, { suppress_everyone: pick([true, false, null]) }, undefined])
    return change ? bob.put(`/api/notifications/${place}`, change) : bob.delete(`/api/notifications/${place}`)
  },
  'mute for a moment': async ({ bob, places, server_id }, _, pick) => {
    const [end, place] = [
      Date.now() + MOMENT_MS,
      pick([...places.map((id) => `channels/${id}`), `servers/${server_id}`]),
    ]
    await bob.put(`/api/notifications/${place}`, { muted_until: new Date(end).toISOString() })
    while (Date.now() <= end) await Bun.sleep(end - Date.now() + 1)
  },
  'come and go': ({ alice, bob, carol, group }, _, pick) => {
    const [by, who] = pick([
      [alice, bob],
      [alice, carol],
      [bob, bob],
    ] as const)
    const path = `/api/channels/${group}/recipients/${who.id}`
    return pick([true, false]) ? alice.put(path) : by.delete(path)
  },
  block: ({ bob, carol }, _, pick) => bob.post(`/api/friends/${carol.id}/${pick(['block', 'unblock'])}`),
  role: ({ alice, bob, server_id, role }, _, pick) => {
    const path = `/api/servers/${server_id}/members/${bob.id}/roles/${role}`
    return pick([true, false]) ? alice.post(path) : alice.delete(path)
  },
  hide: ({ alice, channels, category, everyone }, _, pick) => {
    const path = `/api/channels/${pick([...channels, category])}/permissions/${everyone}`
    const deny = permissions(pick(['view_channel', 'read_history']))
    return pick([true, false]) ? alice.put(path, { deny }) : alice.delete(path)
  },
  follow: ({ bob, thread }, _, pick) => {
    const path = `/api/channels/${thread}/followers/@me`
    return pick([true, false]) ? bob.put(path) : bob.delete(path)
  },
  archive: ({ alice, thread }, _, pick) => alice.put(`/api/channels/${thread}`, { archived: pick([true, false]) }),
  move: ({ alice, channels, category }, _, pick) =>
    alice.put(`/api/channels/${channels[1]}`, { parent_id: pick([category, null]) }),
  'come back': async ({ alice, bob, server_id }) => {
    await bob.delete(`/api/servers/${server_id}/members/@me`)
    const invite = await alice.post('/api/invites', { server_id })
    await bob.post(`/api/invites/${invite.body.code}/join`)
  },
  away: async (_, device) => {
    device.cut()
    await device.resume()
  },
}
/** More frequent steps. */
const usual = ['send', 'send', 'send', 'send', 'read', 'read', 'edit', 'delete', 'delete']

async function openWorld(people: Person[]): Promise<World> {
  const [alice, bob, carol] = people as [Person, Person, Person]
  const { server_id, channel_id } = await newServer(alice, bob, carol)
  const make = async (name: string, type: string) =>
    (await alice.post(`/api/servers/${server_id}/channels`, { name, type })).body.id as number
  const [second, category] = [await make('second', 'text'), await make('birds', 'category')]
  for (const other of [bob, carol]) await befriend(alice, other)
  const open = async (...recipient_ids: number[]) =>
    (await alice.post('/api/channels/direct', { recipient_ids })).body.id as number
  const [dm, group] = [await open(bob.id), await open(bob.id, carol.id)]
  const role = (await alice.post(`/api/servers/${server_id}/roles`, { name: 'Herons', mentionable: true })).body.id
  const [everyone] = (await alice.get(`/api/servers/${server_id}/roles`)).body
  const channels = [channel_id, second]
  const thread = (await alice.post(`/api/channels/${channel_id}/threads`, { name: 'Kingfishers' })).body.id
  const places = [...channels, thread, dm, group]
  const ofServer = { server_id, channels, category, everyone: everyone.id, role, thread }
  return { alice, bob, carol, ...ofServer, group, places, messages: [] }
}

/** Events cross to the other node within this time, on a slow machine too. */
const CROSSING_MS_MAX = 30_000
/** The next connection is opened again after this many looks at the devices. */
const LOOKS = 100

/** Both devices reach the state that the next connection receives. */
async function expectFreshLook(devices: StoreClient[], who: Person, what: string): Promise<void> {
  let truth = await freshLook(who)
  const deadline = Date.now() + CROSSING_MS_MAX
  const isSame = () => devices.every((device) => Bun.deepEquals(unreadByChannel(device), truth))
  for (let tries = 1; tries === 1 || (!isSame() && Date.now() < deadline); tries++) {
    for (const { loader } of devices) await loader.catchUp()
    await Bun.sleep(10)
    // A command whose answer arrived too late takes effect later than its step.
    if (tries % LOOKS === 0) truth = await freshLook(who)
  }
  for (const [at, device] of devices.entries())
    expect({ what, at, shown: unreadByChannel(device) }).toEqual({ what, at, shown: truth })
}

describe.if(redisProgram !== undefined)('unread', async () => {
  const redis = await redisServer()
  const one = await boot({ REDIS_URL: redis.url })
  const two = await boot({}, one)

  test(
    'after every step of a random history, two devices on two nodes show the same as a fresh client',
    async () => {
      const endsAt = Date.now() + SECONDS_MAX * 1000
      for (let seed = 1; seed <= SEEDS && Date.now() < endsAt; seed++) {
        const random = seeded(seed)
        const pick: Pick = (list) => list[Math.floor(random() * list.length)] as never
        const world = await openWorld(await passersBy(one, 'alice', 'bob', 'carol'))
        const { bob } = world
        const devices = [await StoreClient.open(bob), await StoreClient.open(by(two, bob))]
        for (let step = 0; step < STEPS && Date.now() < endsAt; step++) {
          const what = pick([...Object.keys(doings), ...usual])
          await doings[what]?.(world, pick(devices), pick)
          await expectFreshLook(devices, bob, `${what}, step ${step} of seed ${seed}`)
        }
        for (const device of devices) device.cut()
      }
    },
    SECONDS_MAX * 3000,
  )
})
