import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type DateState, decide, placesFor } from '../../../src/features/calendar/signups.ts'
import { boot, call, type Person, standard, stop } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { place } from '../../support/places.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob, carol, dave] = await passersBy(parley, 'alice', 'bob', 'carol', 'dave')
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const create = async (who: Person, server_id: number, signup: object | null, more: object = {}) => {
  const draft = {
    title: 'The long walk',
    starts_at: inDays(2),
    ends_at: inDays(2.1),
    time_zone: 'UTC',
    place: { text: 'The old bridge' },
  }
  const { status, body } = await who.post(`/api/servers/${server_id}/events`, { ...draft, ...more, signup })
  expect(status).toBe(201)
  return body.id as number
}
const sign = (who: Person, id: number, status: string, more: object = {}) =>
  who.put(`/api/events/${id}/signup`, { status, ...more })
const ownOf = async (who: Person, id: number) =>
  (await who.get(`/api/events/${id}`)).body.dates.map(({ mine }: any) => mine?.status ?? null)
const countsOf = async (id: number) =>
  (await alice.get(`/api/events/${id}`)).body.dates.map(({ yes, maybe, waiting }: any) => [yes, maybe, waiting])

test('people sign up, wait for a place, and get it when somebody leaves', async () => {
  const { server_id } = await place(alice, bob, carol, dave)
  const id = await create(alice, server_id, { max: 1, waiting_list: true })
  expect((await sign(bob, id, 'yes', { remind: [1440, 10] })).status).toBe(204)
  expect((await bob.get(`/api/events/${id}`)).body.dates[0].mine).toEqual({
    status: 'yes',
    role: null,
    remind: [1440, 10],
  })
  const live = await connect(carol)
  await sign(carol, id, 'yes')
  await sign(dave, id, 'yes')
  await sign(alice, id, 'maybe')
  expect(await countsOf(id)).toEqual([[1, 1, 2]])
  // Asking again keeps the turn.
  await sign(carol, id, 'yes')
  const listed = (await bob.get(`/api/events/${id}/dates/0/signups`)).body
  expect(listed.map(({ user, status }: any) => [user.id, status])).toEqual(
    [
      [alice.id, 'maybe'],
      [bob.id, 'yes'],
      [carol.id, 'waiting'],
      [dave.id, 'waiting'],
    ].toSorted((a, b) => Number(a[0]) - Number(b[0])),
  )
  expect((await sign(bob, id, 'no')).status).toBe(204)
  expect((await live.next('event.signup', ({ d }) => d.promoted.length > 0)).d).toEqual({ event_id: id, promoted: [0] })
  expect([await ownOf(carol, id), await ownOf(dave, id)]).toEqual([['yes'], ['waiting']])
  // Leaving the server makes room too.
  await carol.delete(`/api/servers/${server_id}/members/@me`)
  expect(await ownOf(dave, id)).toEqual(['yes'])
  live.close()
})

test('without a waiting list a full event refuses; roles have places of their own', async () => {
  const { server_id } = await place(alice, bob, carol, dave)
  const id = await create(alice, server_id, { roles: [{ name: 'Driver', max: 1 }, { name: 'Cook' }] })
  expect((await sign(bob, id, 'yes', { role: 0 })).status).toBe(204)
  expect((await sign(carol, id, 'yes', { role: 0 })).body.code).toBe('event_full')
  expect((await sign(carol, id, 'yes', { role: 1 })).status).toBe(204)
  expect((await sign(carol, id, 'yes', { role: 0 })).body.code).toBe('event_full')
  expect((await sign(carol, id, 'yes', { role: 2 })).status).toBe(422)
  expect((await sign(dave, id, 'yes')).status).toBe(204)
  expect(await countsOf(id)).toEqual([[3, 0, 0]])
  // Fewer roles: people stay, without the role.
  await alice.put(`/api/events/${id}`, { signup: { roles: [{ name: 'Driver' }] } })
  expect((await carol.get(`/api/events/${id}`)).body.dates[0].mine.role).toBeNull()
  await alice.put(`/api/events/${id}`, { signup: null })
  expect(await countsOf(id)).toEqual([[0, 0, 0]])
  expect((await sign(bob, id, 'yes')).body.code).toBe('signup_closed')
})

test('more places go to those who wait, in their order', async () => {
  const { server_id } = await place(alice, bob, carol, dave)
  const id = await create(alice, server_id, { max: 1, waiting_list: true })
  for (const who of [bob, carol, dave]) await sign(who, id, 'yes')
  await alice.put(`/api/events/${id}`, { signup: { max: 2, waiting_list: true } })
  expect([await ownOf(bob, id), await ownOf(carol, id), await ownOf(dave, id)]).toEqual([['yes'], ['yes'], ['waiting']])
})

test('one signs up for one date or for all, until sign-ups close; a timeout and holding back forbid it', async () => {
  const { server_id } = await place(alice, bob, carol, dave)
  const id = await create(alice, server_id, { max: 1, closes_minutes: 60 }, { recurrence: 'FREQ=DAILY;COUNT=3' })
  expect((await sign(bob, id, 'yes', { date: 1 })).status).toBe(204)
  expect((await sign(carol, id, 'yes')).status).toBe(204)
  expect([await ownOf(bob, id), await ownOf(carol, id)]).toEqual([
    [null, 'yes', null],
    ['yes', null, 'yes'],
  ])
  expect((await sign(dave, id, 'yes', { date: 1 })).body.code).toBe('event_full')
  expect((await sign(dave, id, 'yes', { date: 7 })).body.code).toBe('signup_closed')
  await sql`update event_dates set starts_at = now() + interval '59 minutes' where event_id = ${id} and n = 0`
  expect((await sign(dave, id, 'maybe', { date: 0 })).body.code).toBe('signup_closed')
  await sql`insert into timeouts values (${server_id}, ${bob.id}, now() + interval '1 day')`
  await sql`update members set held_back = 'quarantined' where server_id = ${server_id} and user_id = ${carol.id}`
  for (const who of [bob, carol]) expect((await sign(who, id, 'maybe')).body.code).toBe('missing_permission')
  expect((await sign(bob, id, 'no')).status).toBe(204)
})

test('by its decisions a date never exceeds max, nobody waits for a free place, and nobody overtakes', () => {
  const [MAX, ROLE_MAX, DRIVER] = [3, 1, 0]
  const signup = {
    max: MAX,
    waiting_list: true,
    closes_minutes: 0,
    roles: [
      { name: 'Driver', emoji: null, max: ROLE_MAX },
      { name: 'Cook', emoji: null, max: null },
    ],
  }
  const step = fc.record({
    user_id: fc.nat(7),
    status: fc.constantFrom('yes', 'yes', 'yes', 'maybe', 'no'),
    role: fc.constantFrom(null, 0, 1),
  })
  interface Row {
    user_id: number
    role: number | null
    status: string
    turn: number
  }
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let rows: Row[] = []
      const inOrder = (status: string) =>
        rows.filter((row) => row.status === status).toSorted((a, b) => a.turn - b.turn)
      for (const [turn, { user_id, status, role }] of steps.entries()) {
        const own = rows.find((row) => row.user_id === user_id)
        const others = rows.filter((row) => row !== own)
        const yes = others.filter((row) => row.status === 'yes')
        const state: DateState = {
          n: 0,
          yes: yes.length,
          in_role: yes.filter((row) => row.role === role).length,
          others: others.length,
          own_status: (own?.status ?? null) as DateState['own_status'],
          own_role: own?.role ?? null,
        }
        const before = inOrder('waiting')
        const decision = decide(state, { status: status as 'yes', role, remind: [] }, signup)
        if (decision !== 'full') {
          const isSame = own?.status === decision && own.role === role
          const next = { user_id, role, status: decision, turn: isSame ? own.turn : turn }
          rows = decision === 'gone' ? others : [...others, next]
        }
        const comers = Map.groupBy(inOrder('yes'), (row) => row.role)
        const promoted = placesFor(
          inOrder('waiting').map((row) => ({ n: 0, starts_at: '', ...row })),
          [...comers].map(([of, people]) => ({ n: 0, role: of, yes: people.length })),
          signup,
        )
        for (const { user_id: id } of promoted) {
          const row = rows.find((one) => one.user_id === id)
          if (row) row.status = 'yes'
        }
        const [coming, waiting] = [inOrder('yes'), inOrder('waiting')]
        const drivers = coming.filter((row) => row.role === DRIVER)
        expect(coming.length).toBeLessThanOrEqual(MAX)
        expect(drivers.length).toBeLessThanOrEqual(ROLE_MAX)
        for (const row of waiting)
          expect(coming.length === MAX || (row.role === DRIVER && drivers.length === ROLE_MAX)).toBeTrue()
        // Nobody who waited and did nothing has a place before an earlier one of the same role.
        const line = before.filter((row) => row.user_id !== user_id)
        const hasPlace = (row: Row) => coming.some((one) => one.user_id === row.user_id)
        for (const [at, earlier] of line.entries())
          for (const later of line.slice(at + 1))
            if (earlier.role === later.role) expect(hasPlace(later) && !hasPlace(earlier)).toBeFalse()
      }
    }),
    { numRuns: 2_000 },
  )
})

test('a waiting list never exceeds max and nobody overtakes, over two processes', async () => {
  const own = await boot()
  const sibling = await boot({}, own)
  const crowd = await passersBy(own, ...Array.from({ length: 7 }, (_, n) => `guest${n}`))
  const [host] = crowd as [Person]
  const { server_id } = await place(...(crowd as [Person, ...Person[]]))
  const status = fc.constantFrom('yes', 'yes', 'yes', 'maybe', 'no')
  const steps = fc.array(
    fc.array(fc.record({ who: fc.nat(crowd.length - 1), status, role: fc.constantFrom(null, 0, 1) }), {
      minLength: 1,
      maxLength: 4,
    }),
    { minLength: 3, maxLength: 6 },
  )
  const MAX = 3
  const ROLE_MAX = 1
  await fc.assert(
    fc.asyncProperty(steps, async (rounds) => {
      const id = await create(host, server_id, {
        max: MAX,
        waiting_list: true,
        roles: [{ name: 'Driver', max: ROLE_MAX }, { name: 'Cook' }],
      })
      // The waiting list, in the order of arrival; requests of one round race.
      let line: { user_id: number; role: number | null }[] = []
      for (const round of rounds) {
        await Promise.all(
          round.map(({ who, ...body }, at) =>
            call(at % 2 === 0 ? own : sibling, 'PUT', `/api/events/${id}/signup`, {
              token: crowd[who]?.token ?? '',
              body,
            }),
          ),
        )
        const rows = await own.parts.sql<{ user_id: number; role: number | null; status: string }[]>`
          select user_id, role, status from event_signups where event_id = ${id} order by turn`
        const coming = rows.filter((row) => row.status === 'yes')
        const drivers = coming.filter(({ role }) => role === 0)
        expect(coming.length).toBeLessThanOrEqual(MAX)
        expect(drivers.length).toBeLessThanOrEqual(ROLE_MAX)
        const waiting = rows.filter((row) => row.status === 'waiting')
        // Nobody waits while a place is free.
        for (const { role } of waiting)
          expect(coming.length === MAX || (role === 0 && drivers.length === ROLE_MAX)).toBeTrue()
        // Accounts that waited before, and did nothing, are in the same order.
        const acted = new Set(round.map(({ who }) => crowd[who]?.id))
        const stayed = line.filter(
          (before) => !acted.has(before.user_id) && waiting.some(({ user_id }) => user_id === before.user_id),
        )
        const order = waiting.map(({ user_id }) => user_id)
        expect(order.filter((one) => stayed.some(({ user_id }) => user_id === one))).toEqual(
          stayed.map(({ user_id }) => user_id),
        )
        // Of two who waited for the same role, the later one has no place before the earlier one.
        for (const [at, earlier] of line.entries())
          for (const later of line.slice(at + 1)) {
            if (acted.has(earlier.user_id) || acted.has(later.user_id) || earlier.role !== later.role) continue
            const isComing = ({ user_id }: { user_id: number }) => coming.some((row) => row.user_id === user_id)
            expect(isComing(later) && !isComing(earlier)).toBeFalse()
          }
        line = waiting
      }
      await host.delete(`/api/events/${id}`)
    }),
    // The decisions themselves are tested above, by thousands of runs; here requests race.
    { numRuns: 4, endOnFailure: true },
  )
  await Promise.all([stop(sibling), stop(own)])
}, 300_000)
