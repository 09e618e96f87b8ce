import { expect, test } from 'bun:test'
import { inflateRawSync } from 'node:zlib'
import { LazyServers, parseChoice } from '../../src/gateway/lazy-servers.ts'
import { MarkCache } from '../../src/gateway/mark-cache.ts'
import { OwnPlaces } from '../../src/gateway/own-places.ts'
import { type MarkAnswers, Marks, type OwnMarks } from '../../src/gateway/read-marks.ts'
import type { Membership } from '../../src/gateway/server-views.ts'
import { happenings, type Pick, seeded, usual, type World } from '../support/happenings.ts'
import { newServer, type Person, person, standard } from '../support/harness.ts'
import { connect } from '../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts

const USER = 7
const CHANNELS = 40
const END = ',"user":{"id":7}}}'

type Random = () => number
const below = (random: Random, limit: number) => Math.floor(random() * limit)

let views = 0
/** Servers with ids from 1 and forty channels each, of which half have news. */
const membershipOf = (id: number, random: Random): Membership =>
  ({
    member: { floor_id: below(random, 50), joined_ms: 1 },
    view: {
      id,
      number: ++views,
      readyText: `{"id":${id},"channel_ids":[${id * CHANNELS}]}`,
      labelText: `"name":"Server ${id}","icon_file_id":null`,
      hasChoices: random() < 0.3,
      near: [],
      channels: Array.from({ length: CHANNELS }, (_, at) => ({
        id: id * CHANNELS + at,
        parent_id: null,
        opt_in_since: random() < 0.1 ? '2026-01-01T00:00:00.000Z' : null,
        news:
          random() < 0.5
            ? { newest_id: below(random, 1000), author_id: 1 + below(random, 9), mention_id: below(random, 500) }
            : undefined,
      })),
    },
  }) as unknown as Membership

const marksOf = (random: Random): OwnMarks['marks'] => ({
  channels: Float64Array.from({ length: 130 }, (_, at) => 30 + at),
  messages: Float64Array.from({ length: 130 }, () => below(random, 1000)),
})
const threadOf = (id: number) => ({ id, server_id: 1, parent_id: CHANNELS, last_message_id: 990 })

/** An account's state, with one change of each kind that an opening depends on. */
interface State {
  own: OwnMarks
  memberships: Membership[]
  settings: string
  answers: MarkAnswers
}
const CHANGES: ((state: State, random: Random) => State)[] = [
  (state, random) => ({ ...state, own: { ...state.own, marks: marksOf(random) } }),
  (state, random) => ({ ...state, own: { ...state.own, blocked_ids: [1 + below(random, 9)] } }),
  (state, random) => ({ ...state, own: { ...state.own, groups: [1001, below(random, 2000)] } }),
  (state, random) => ({ ...state, own: { ...state.own, dms: random() < 0.5 ? [1002] : [] } }),
  (state, random) => ({ ...state, own: { ...state.own, threads: [threadOf(1100 + below(random, 3))] } }),
  (state, random) => ({ ...state, memberships: state.memberships.map(({ view }) => membershipOf(view.id, random)) }),
  (state, random) => ({
    ...state,
    memberships: state.memberships.map((one) => ({ ...one, member: { ...one.member, floor_id: below(random, 900) } })),
  }),
  (state) => ({ ...state, settings: `{"server_id":1,"channel_id":${CHANNELS},"muted_until":null,"listed":true}` }),
  (state) => ({ ...state, settings: `{"server_id":2,"channel_id":null,"muted_until":"2999-01-01T00:00:00.000Z"}` }),
  (state) => ({ ...state, settings: '' }),
  (state, random) => ({
    ...state,
    answers: {
      unread: new Map(
        Array.from({ length: 200 }, (_, id) => [
          id,
          { channel_id: id, message_id: 1, newest_id: 1 + below(random, 99), mention_count: below(random, 3) },
        ]),
      ),
      living: new Set(Array.from({ length: 60 }, () => below(random, 200))),
    },
  }),
]

/** One opening with a cache. @returns the compressed frame, and the text without anything kept */
function opening(cache: MarkCache, { own, memberships, settings, answers }: State, query: string | undefined) {
  const places = new OwnPlaces(own, memberships, settings, cache)
  const fresh = new Marks(own, memberships)
  expect(places.questions).toEqual(fresh.questions())
  places.settle(answers)
  fresh.settle(answers)
  const choice = query === undefined ? undefined : parseChoice(query)
  const lazyFor = (ids: ReadonlySet<number>) => new LazyServers(ids, memberships, own.threads)
  const lazy = choice && lazyFor(places.toOpen(choice, false))
  const plain = new OwnPlaces(own, memberships, settings, new MarkCache(0))
  plain.settle(answers)
  const plainLazy = choice && lazyFor(plain.toOpen(choice, false))
  return {
    frame: places.start(choice, false, lazy).frame(END, true),
    text: plain.start(choice, false, plainLazy).frame(END, false) as string,
  }
}

const list = (marks: OwnMarks['marks']) => ({
  marks,
  memberships: '',
  mark: { s: 1, from_xid: '1', seen: '1:1:', now_s: 0 },
  source: 'primary' as const,
})
const stateOf = (random: Random): State => ({
  own: { user_id: USER, marks: marksOf(random), blocked_ids: [], groups: [], threads: [], dms: [] },
  memberships: [1, 2, 3, 4, 5, 6, 7].map((id) => membershipOf(id, random)),
  settings: '',
  answers: { unread: undefined, living: new Set() },
})
const textOf = (frame: string | Uint8Array) => (typeof frame === 'string' ? frame : inflateRawSync(frame).toString())

for (const seed of [1, 2, 3])
  test(`an opening after others equals one without a cache, whatever changed between (seed ${seed})`, () => {
    const random = seeded(seed)
    const cache = new MarkCache(3600)
    let state = stateOf(random)
    for (let round = 0; round < 150; round++) {
      const change = CHANGES[below(random, CHANGES.length)]
      if (change && round % 3 > 0) state = change(state, random)
      cache.store(USER, 1e9, list(state.own.marks))
      for (let again = below(random, 4); again >= 0; again--)
        for (const query of [undefined, 'recent', '3,recent']) {
          const { frame, text } = opening(cache, state, query)
          expect(textOf(frame)).toBe(text)
        }
    }
  })

test('the third opening begins with the compressed bytes of the second; other choices have their own', () => {
  const cache = new MarkCache(3600)
  const state = stateOf(seeded(4))
  cache.store(USER, 1e9, list(state.own.marks))
  const before = cache.bytes
  for (const query of [undefined, 'recent']) {
    const [first, second, third] = [1, 2, 3].map(() => opening(cache, state, query).frame as Uint8Array)
    expect(Buffer.compare(second!, third!)).toBe(0)
    // The first is compressed as a whole.
    expect(Buffer.compare(first!, second!)).not.toBe(0)
  }
  expect(cache.bytes).toBeGreaterThan(before + 1000)
  // A list with other marks has nothing yet.
  const moved = { ...state, own: { ...state.own, marks: marksOf(seeded(5)) } }
  cache.store(USER, 1e9, list(moved.own.marks))
  expect(cache.bytes).toBe(before)
})

test('few choices are kept, however many there are', () => {
  const cache = new MarkCache(3600)
  const state = stateOf(seeded(6))
  cache.store(USER, 1e9, list(state.own.marks))
  const open = (query: string) => opening(cache, state, query)
  for (let round = 0; round < 3; round++) for (const id of [1, 2, 3]) open(String(id))
  const before = cache.bytes
  for (let id = 4; id < 40; id++) for (let round = 0; round < 3; round++) open(`${id},recent`)
  expect(cache.bytes).toBe(before)
})

test('kept openings count towards the bound of all lists', () => {
  const cache = new MarkCache(3600)
  const state = stateOf(seeded(7))
  for (let user_id = 1; user_id <= 9000; user_id++) {
    const own = { ...state.own, user_id }
    cache.store(user_id, 1e9, list(own.marks))
    const places = new OwnPlaces(own, state.memberships, '', cache)
    places.settle(state.answers)
    cache.growPlaces(user_id, cache.placesOf(user_id, own.marks)!, 4000)
  }
  expect(cache.bytes).toBeLessThanOrEqual(32 * 1024 * 1024)
  expect(cache.placesOf(1, state.own.marks)).toBeUndefined()
  expect(cache.placesOf(9000, state.own.marks)).toBeDefined()
})

/** Three people with enough marks for a list to be kept, in servers of each other. */
async function worldOf(seed: number) {
  const random = seeded(seed)
  const pick: Pick = (some) => some[Math.floor(random() * some.length)]
  const people = await Promise.all(['alice', 'bob', 'carol'].map((name) => person(parley, name)))
  const [alice, bob, carol] = people as [Person, Person, Person]
  const homes = [await newServer(alice, bob, carol), await newServer(bob, alice), await newServer(carol, alice, bob)]
  const { server_id } = await newServer(alice, bob, carol)
  await sql`insert into channels (server_id, name, type, position)
    select ${server_id}, 'shelf-' || n, 'text', n from generate_series(1, 120) n`
  await sql`insert into read_marks (user_id, channel_id, message_id)
    select m.user_id, c.id, 1 from channels c join members m using (server_id) where c.server_id = ${server_id}
    on conflict do nothing`
  const ids = { servers: homes.map((one) => one.server_id), channels: homes.map((one) => one.channel_id) }
  const world: World = { people, ...ids, messages: [], invites: [], roles: [], directs: [], clients: [] }
  return { pick, people, world }
}

test('compressed openings equal one that nothing is kept for, after anything', async () => {
  const { pick, people, world } = await worldOf(8)
  const names = [...Object.keys(happenings), ...usual]
  const readyOf = async (who: Person, query: string) => {
    const gateway = await connect(who, query)
    gateway.close()
    const { servers, read_marks } = gateway.of('ready')[0]?.d ?? {}
    return { servers, read_marks }
  }
  let compared = 0
  for (let round = 0; round < 24; round++) {
    for (let at = 0; at < 3; at++)
      await happenings[pick(names) ?? '']?.(world, pick(people) as Person, pick, round * 10 + at)
    const who = pick(people) as Person
    for (const query of ['', '&servers=recent']) {
      // A choice that nobody has made before, which opens the same.
      const plain = (n: number) => readyOf(who, query && `${query},${900_000 + 2 * round + n}`)
      const before = await plain(0)
      const compressed = [1, 2, 3].map(() => `${query}&compress=deflate`)
      const frames: Awaited<ReturnType<typeof readyOf>>[] = []
      for (const one of compressed) frames.push(await readyOf(who, one))
      // Something may still be happening.
      if (!Bun.deepEquals(before, await plain(1))) continue
      for (const frame of frames) expect(frame).toEqual(before)
      compared++
    }
  }
  expect(compared).toBeGreaterThan(24)
})
