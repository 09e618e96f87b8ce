import { expect, test } from 'bun:test'
import { PatternPauses } from '../../../src/features/automod/pattern-pauses.ts'
import { PatternSet } from '../../../src/features/automod/pattern-set.ts'
import { programSize, PROGRAMS_MAX } from '../../../src/features/automod/patterns.ts'
import { person, standard } from '../../support/harness.ts'
import { place } from '../../support/places.ts'

const parley = await standard()
const alice = await person(parley, 'alice')
const MINUTE = 60_000

test('patterns find the same together, and one by one after slow passes', () => {
  const sources = ['free\\s+gold', '[ab]{1,20}c', 'x.{0,30}y', 'never']
  const texts = ['free gold', 'ababc and x then y', 'nothing', 'free  gold, x and y']
  const expected = texts.map((text) =>
    sources.flatMap((source, at) => (new RegExp(source, 'i').test(text) ? [at] : [])),
  )
  const set = new PatternSet(sources)
  expect(texts.map((text) => set.match(text))).toEqual(expected)
  // Each pass of 200 KB is slow.
  for (let n = 0; n < 3; n++) set.match(`${'abx free '.repeat(22_000)}${n}`)
  expect(texts.map((text) => set.match(text))).toEqual(expected)
})

test('the largest patterns that may be saved keep no request waiting for long, and say when they do', () => {
  const letters = 'ab'
  // Remembers which of the last letters were an a: each text leads to states that none has led to before.
  const source = `x[ab]*a[ab]{${40}}z`
  let stuck = 0
  const sources = Array.from({ length: Math.floor(PROGRAMS_MAX / programSize(source)) }, (_, n) => `${source}${n}`)
  const set = new PatternSet(sources, () => stuck++)
  let longest = 0
  for (let pass = 0; pass < 5; pass++) {
    const text = `x${Array.from({ length: 4000 }, () => letters[Math.floor(Math.random() * 2)]).join('')}`
    const begin = performance.now()
    expect(set.match(text)).toEqual([])
    longest = Math.max(longest, performance.now() - begin)
  }
  // Far above what it takes here, and far below what patterns without these bounds took: a minute.
  expect(longest).toBeLessThan(5000)
  expect(stuck > 0 || longest < 100).toBe(true)
})

test('patterns of a server pause after they kept requests waiting, longer each time, and no other server’s', () => {
  let now = 0
  const pauses = new PatternPauses(() => now)
  expect([pauses.note(1), pauses.isPaused(1)]).toEqual([0, false])
  expect([pauses.note(1), pauses.isPaused(1), pauses.isPaused(2)]).toEqual([MINUTE, true, false])
  now += MINUTE
  expect(pauses.isPaused(1)).toBe(false)
  expect([pauses.note(1), pauses.note(1), pauses.note(1)]).toEqual([2 * MINUTE, 4 * MINUTE, 8 * MINUTE])
  for (let n = 0; n < 9; n++) pauses.note(1)
  expect(pauses.note(1)).toBe(60 * MINUTE)
  now += 4 * 60 * MINUTE
  expect(pauses.note(1)).toBe(0)
})

test('patterns of a server that are large together are refused', async () => {
  const { server_id } = await place(alice)
  const create = async (patterns: string[]) => {
    const trigger = { type: 'patterns', patterns }
    const draft = { name: 'Rule', trigger, actions: [{ type: 'block' }], enabled: false }
    return (await alice.post(`/api/servers/${server_id}/automod`, draft)).status
  }
  const large = (n: number) => `heron [a-z]{300} ${n}`
  expect([await create([large(1)]), await create([large(2)]), await create([large(3)])]).toEqual([201, 201, 201])
  expect(await create([large(4)])).toBe(422)
  expect(await create(['gulls?'])).toBe(201)
})
