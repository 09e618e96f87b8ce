import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Transaction } from '../../../src/database/database.ts'
import { act, type Action, actions, mirrorTie, stateOf, type Tie } from '../../../src/features/friends/relation.ts'
import { type Answer, type Person, standard } from '../../support/harness.ts'
import { befriend, passersBy } from '../../support/people.ts'
import { race } from '../../support/races.ts'

const parley = await standard()
const { sql } = parley.parts

const call = (me: Person, other: Person, action: Action): Promise<Answer> => {
  if (action === 'request') return me.post('/api/friends/request', { friend_id: other.id })
  return action === 'remove' ? me.delete(`/api/friends/${other.id}`) : me.post(`/api/friends/${other.id}/${action}`)
}

/** The relation to the other in the lists of one side. */
async function stateIn(me: Person, other: Person): Promise<string> {
  const lists = { '': 'friends', '/pending': 'pending_incoming', '/sent': 'pending_outgoing', '/blocked': 'blocked' }
  const found: string[] = []
  for (const [path, state] of Object.entries(lists)) {
    const { body } = await me.get(`/api/friends${path}`)
    if (body.some((row: { user: { id: number } }) => row.user.id === other.id)) found.push(state)
  }
  expect(found.length).toBeLessThan(2)
  return found[0] ?? 'none'
}
const lock =
  ([one, other]: [Person, Person]) =>
  (tx: Transaction) =>
    tx`select lock_pair(${one.id}, ${other.id})`

test('two requests that cross make friends, whichever is first', async () => {
  for (let n = 0; n < 10; n++) {
    const [alice, bob] = await passersBy(parley, 'alice', 'bob')
    const answers = await Promise.all([call(alice, bob, 'request'), call(bob, alice, 'request')])
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 201])
    expect([await stateIn(alice, bob), await stateIn(bob, alice)]).toEqual(['friends', 'friends'])
  }
})

test('if eight requests race, one is created and seven answer already_requested', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const answers = await Promise.all(Array.from({ length: 8 }, () => call(alice, bob, 'request')))
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, 409, 409, 409, 409, 409, 409, 409])
  expect(
    await sql`select 1 from events where resource = ${`relation:${bob.id}`} and user_id = ${alice.id}`,
  ).toHaveLength(1)
})

test('an acceptance after a cancellation answers 404, and the other way round', async () => {
  for (const order of [
    ['cancel', 'accept'],
    ['accept', 'cancel'],
  ] as const) {
    const [alice, bob] = await passersBy(parley, 'alice', 'bob')
    await call(alice, bob, 'request')
    const requests = { cancel: () => call(alice, bob, 'cancel'), accept: () => call(bob, alice, 'accept') }
    const answers = await race(
      parley,
      lock([alice, bob]),
      order.map((action) => requests[action]),
    )
    expect(answers.map((answer) => answer.status)).toEqual([200, 404])
    expect(await stateIn(alice, bob)).toBe(order[0] === 'accept' ? 'friends' : 'none')
  }
})

test('nothing is sent, edited or typed after a block', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  await befriend(alice, bob)
  const send = () => alice.post('/api/dm/messages', { recipient_id: bob.id, content: 'Late' })
  const early = await send()
  const answers = await race(parley, lock([alice, bob]), [
    () => call(bob, alice, 'block'),
    send,
    () => alice.put(`/api/dm/messages/${early.body.id}`, { content: 'Rude' }),
    () => call(alice, bob, 'request'),
  ])
  expect(answers.map((answer) => answer.status)).toEqual([200, 403, 403, 403])
  expect((await bob.get(`/api/dm/${alice.id}/messages`)).body.map((row: { content: string }) => row.content)).toEqual([
    'Late',
  ])
})

test('after concurrent actions both sides, counts and events agree with some order of the actions', async () => {
  const [alice, bob] = await passersBy(parley, 'alice', 'bob')
  const step = fc.tuple(fc.boolean(), fc.constantFrom(...actions))
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 5 }), async (burst) => {
      await sql`delete from relations where ${alice.id} in (low, high)`
      const before: Tie = { bond: 'none', blocked_by_me: false, blocked_by_them: false }
      const answers = await Promise.all(
        burst.map(([hers, action]) => (hers ? call(alice, bob, action) : call(bob, alice, action))),
      )
      const outcome = [await stateIn(alice, bob), await stateIn(bob, alice)]
      const codes = answers.map(({ status, body }) => (status < 300 ? 'ok' : body.code))
      // Some sequential order of these actions gives the same answers and the same result.
      const orders = permutations(burst.map((_, at) => at))
      const explained = orders.some((order) => {
        let tie = before
        const answers: string[] = []
        for (const at of order) {
          const [hers, action] = burst[at] as [boolean, Action]
          const next = act(hers ? tie : mirrorTie(tie), action, true)
          answers[at] = typeof next === 'string' ? next : 'ok'
          if (typeof next !== 'string') tie = hers ? next : mirrorTie(next)
        }
        return Bun.deepEquals([answers, [stateOf(tie), stateOf(mirrorTie(tie))]], [codes, outcome])
      })
      expect({ burst, codes, outcome, explained }).toEqual({ burst, codes, outcome, explained: true })
      for (const [me, other, state] of [
        [alice, bob, outcome[0]],
        [bob, alice, outcome[1]],
      ] as const) {
        const [{ friend_count, block_count }] = await sql<[{ friend_count: number; block_count: number }]>`
          select friend_count, block_count from users where id = ${me.id}`
        const counts = [Number(state === 'friends' || state === 'pending_outgoing'), Number(state === 'blocked')]
        expect([friend_count, block_count]).toEqual(counts as [number, number])
        const [last] = await sql<{ state: string }[]>`select body -> 'relation' ->> 'state' as state from events
          where user_id = ${me.id} and resource = ${`relation:${other.id}`} order by id desc limit 1`
        if (last && codes.includes('ok') && state !== 'none') expect(last.state).toBe(state as string)
      }
    }),
    { numRuns: 40 },
  )
})

function permutations(list: number[]): number[][] {
  if (list.length < 2) return [list]
  return list.flatMap((first) => permutations(list.filter((other) => other !== first)).map((rest) => [first, ...rest]))
}
