import { expect, test } from 'bun:test'
import { Challenges } from '../../../src/features/passkeys/challenges.ts'

const NOW = 1_800_000_000_000
const own = new Challenges('s'.repeat(43))

test('a challenge is good for five minutes, for its purpose, on installations with its secret', () => {
  const challenge = own.make('login', NOW)
  expect(own.isGood(challenge, 'login', NOW + 299_999)).toBe(true)
  expect(own.isGood(challenge, 'login', NOW + 300_000)).toBe(false)
  expect(own.isGood(challenge, 'proof 1', NOW)).toBe(false)
  expect(new Challenges('t'.repeat(43)).isGood(challenge, 'login', NOW)).toBe(false)
  expect(own.make('login', NOW)).not.toBe(challenge)
})

test('no challenge that was changed, cut or made up is good', () => {
  const bytes = Buffer.from(own.make('login', NOW), 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(own.isGood(changed.toString('base64url'), 'login', NOW)).toBe(false)
    expect(own.isGood(bytes.subarray(0, at).toString('base64url'), 'login', NOW)).toBe(false)
  }
  for (const odd of ['', '=', 'x'.repeat(100_000)]) expect(own.isGood(odd, 'login', NOW)).toBe(false)
})
