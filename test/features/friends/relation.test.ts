import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  act,
  type Action,
  actions,
  mirrorTie,
  type RelationState,
  stateOf,
  type Tie,
} from '../../../src/features/friends/relation.ts'

const bonds = ['none', 'asked_by_me', 'asked_by_them', 'friends'] as const
/** Every possible tie: a block excludes friendship and requests. */
const ties: Tie[] = [
  ...bonds.map((bond) => ({ bond, blocked_by_me: false, blocked_by_them: false })),
  ...[
    [true, false],
    [false, true],
    [true, true],
  ].map(([mine, theirs]) => ({
    bond: 'none' as const,
    blocked_by_me: mine === true,
    blocked_by_them: theirs === true,
  })),
]
const nameOf = ({ bond, blocked_by_me, blocked_by_them }: Tie): string =>
  [bond, blocked_by_me && 'blocked by me', blocked_by_them && 'blocked by them'].filter(Boolean).join(', ')

/** The rule as a table: from each tie, each of my actions leads to this tie or to this code. */
const TABLE: Record<string, Record<Action, string>> = {
  none: {
    request: 'asked_by_me',
    accept: 'not_found',
    decline: 'not_found',
    cancel: 'not_found',
    remove: 'not_found',
    block: 'none, blocked by me',
    unblock: 'not_found',
  },
  asked_by_me: {
    request: 'already_requested',
    accept: 'not_found',
    decline: 'not_found',
    cancel: 'none',
    remove: 'not_found',
    block: 'none, blocked by me',
    unblock: 'not_found',
  },
  asked_by_them: {
    request: 'friends',
    accept: 'friends',
    decline: 'none',
    cancel: 'not_found',
    remove: 'not_found',
    block: 'none, blocked by me',
    unblock: 'not_found',
  },
  friends: {
    request: 'already_friends',
    accept: 'not_found',
    decline: 'not_found',
    cancel: 'not_found',
    remove: 'none',
    block: 'none, blocked by me',
    unblock: 'not_found',
  },
  'none, blocked by me': {
    request: 'blocked_by_you',
    accept: 'not_found',
    decline: 'not_found',
    cancel: 'not_found',
    remove: 'not_found',
    block: 'none, blocked by me',
    unblock: 'none',
  },
  'none, blocked by them': {
    request: 'cannot_contact',
    accept: 'not_found',
    decline: 'not_found',
    cancel: 'not_found',
    remove: 'not_found',
    block: 'none, blocked by me, blocked by them',
    unblock: 'not_found',
  },
  'none, blocked by me, blocked by them': {
    request: 'blocked_by_you',
    accept: 'not_found',
    decline: 'not_found',
    cancel: 'not_found',
    remove: 'not_found',
    block: 'none, blocked by me, blocked by them',
    unblock: 'none, blocked by them',
  },
}

test('every action from every tie, by either side, leads to the state that the rule names', () => {
  expect(ties.map(nameOf).toSorted()).toEqual(Object.keys(TABLE).toSorted())
  for (const tie of ties)
    for (const action of actions) {
      const result = act(tie, action, true)
      const led = typeof result === 'string' ? result : nameOf(result)
      expect(`${nameOf(tie)} + ${action} = ${led}`).toBe(`${nameOf(tie)} + ${action} = ${TABLE[nameOf(tie)]?.[action]}`)
      // The other side has the mirror of the same tie, whoever acted.
      if (typeof result !== 'string') expect(mirrorTie(mirrorTie(result))).toEqual(result)
    }
})

test('an account that takes no requests refuses like a block, and refuses new requests only', () => {
  for (const tie of ties) {
    const open = act(tie, 'request', true)
    const closed = act(tie, 'request', false)
    expect(closed).toEqual(typeof open === 'object' && open.bond === 'asked_by_me' ? 'cannot_contact' : open)
    for (const action of actions)
      if (action !== 'request') expect(act(tie, action, false)).toEqual(act(tie, action, true))
  }
})

test('only its owner sees a block', () => {
  const state = (isMine: boolean, isTheirs: boolean): RelationState =>
    stateOf({ bond: 'none', blocked_by_me: isMine, blocked_by_them: isTheirs })
  expect([state(false, false), state(true, false), state(false, true), state(true, true)]).toEqual([
    'none',
    'blocked',
    'none',
    'blocked',
  ])
})

/** A simple model: requests, friendships and blocks as sets of names. */
class Model {
  readonly asks = new Set<string>()
  readonly friends = new Set<string>()
  readonly blocks = new Set<string>()
  readonly #pair = (one: number, other: number) => [one, other].toSorted((a, b) => a - b).join('-')

  state(me: number, other: number): RelationState {
    if (this.blocks.has(`${me}>${other}`)) return 'blocked'
    if (this.friends.has(this.#pair(me, other))) return 'friends'
    if (this.asks.has(`${me}>${other}`)) return 'pending_outgoing'
    return this.asks.has(`${other}>${me}`) ? 'pending_incoming' : 'none'
  }

  act(me: number, other: number, action: Action): void {
    const [mine, theirs, pair] = [`${me}>${other}`, `${other}>${me}`, this.#pair(me, other)]
    const before = this.state(me, other)
    if (action === 'block') {
      this.blocks.add(mine)
      for (const set of [this.asks, this.friends]) for (const key of [mine, theirs, pair]) set.delete(key)
    }
    if (action === 'unblock') this.blocks.delete(mine)
    if (action === 'request' && before === 'none' && !this.blocks.has(theirs)) this.asks.add(mine)
    if (['request', 'accept'].includes(action) && before === 'pending_incoming') {
      this.asks.delete(theirs)
      this.friends.add(pair)
    }
    if (action === 'decline') this.asks.delete(theirs)
    if (action === 'cancel') this.asks.delete(mine)
    if (action === 'remove') this.friends.delete(pair)
  }
}

for (const people of [2, 3])
  test(`any history of ${people} people leaves what a simple model says, for each of them`, () => {
    const person = fc.integer({ min: 0, max: people - 1 })
    const step = fc.tuple(person, person, fc.constantFrom(...actions)).filter(([me, other]) => me !== other)
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (history) => {
        const model = new Model()
        const ties = new Map<string, Tie>()
        const tieOf = (me: number, other: number): Tie => {
          const tie = ties.get(`${Math.min(me, other)}-${Math.max(me, other)}`)
          if (!tie) return { bond: 'none', blocked_by_me: false, blocked_by_them: false }
          return me < other ? tie : mirrorTie(tie)
        }
        for (const [me, other, action] of history) {
          const next = act(tieOf(me, other), action, true)
          if (typeof next !== 'string')
            ties.set(`${Math.min(me, other)}-${Math.max(me, other)}`, me < other ? next : mirrorTie(next))
          model.act(me, other, action)
          for (let one = 0; one < people; one++)
            for (let two = 0; two < people; two++)
              if (one !== two) expect(stateOf(tieOf(one, two))).toBe(model.state(one, two))
        }
      }),
      { numRuns: 300 },
    )
  })
