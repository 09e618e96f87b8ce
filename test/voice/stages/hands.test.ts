import { expect, test } from 'bun:test'
import type { Seat } from '../../../src/voice/seat.ts'
import { Hands } from '../../../src/voice/stages/hands.ts'
import { HAND_MS, HANDS_MAX } from '../../../src/voice/stages/model.ts'

/** The part of seats that hands read. */
const room = (people: number, raised_at: number | null = null) => {
  const there = { seats: new Map() }
  const seats = Array.from({ length: people }, (_, nth) => ({ room: there, user: { id: nth + 1 }, raised_at }))
  for (const seat of seats) there.seats.set(seat.user.id, seat)
  return seats as unknown as [Seat, ...Seat[]]
}
const codeOf = (work: () => void) => {
  try {
    return void work()
  } catch (error) {
    return (error as { code: string }).code
  }
}

test('a hand cannot go up and down all the time, and nobody is invited all the time', () => {
  const [hands, [seat]] = [new Hands(), room(1)]
  for (const act of ['take', 'invite'] as const) {
    const at = (ms: number) => codeOf(() => hands[act](seat, ms))
    expect([at(0), at(HAND_MS - 1), at(HAND_MS), at(HAND_MS + 1)]).toEqual([
      undefined,
      'rate_limited',
      undefined,
      'rate_limited',
    ])
  }
})

test('a stage has a bound of raised hands, and of new ones in a time', () => {
  const [hands, seats] = [new Hands(), room(30)]
  expect(seats.filter((seat) => codeOf(() => hands.take(seat, 0)) === undefined)).toHaveLength(20)
  expect(codeOf(() => hands.take(seats.at(-1)!, 500))).toBe(undefined)
  const [next] = room(HANDS_MAX, 1)
  expect(codeOf(() => new Hands().take(next, 0))).toBe('rate_limited')
})
