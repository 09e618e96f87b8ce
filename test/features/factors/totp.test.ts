import { expect, test } from 'bun:test'
import * as OTPAuth from 'otpauth'
import { base32, newTotpSecret, seal, stepOf, totpUri, unseal } from '../../../src/features/factors/totp.ts'

const KEY = 'k'.repeat(43)

test('the codes are those of RFC 6238, appendix B', () => {
  const secret = Buffer.from('12345678901234567890')
  // The last six digits of the RFC's eight.
  const vectors: [number, string][] = [
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ]
  for (const [seconds, code] of vectors) expect(stepOf(secret, code, 0, seconds * 1000)).toBe(Math.floor(seconds / 30))
})

test('a code counts one step before and after its own, and never again', () => {
  const secret = newTotpSecret()
  const app = new OTPAuth.TOTP({ secret: base32(secret) })
  const now = 1_800_000_000_000
  const step = now / 30_000
  for (const [aside, acceptedStep] of [
    [-2, undefined],
    [-1, step - 1],
    [0, step],
    [1, step + 1],
    [2, undefined],
  ] as const) {
    const code = app.generate({ timestamp: now + aside * 30_000 })
    expect([aside, stepOf(secret, code, 0, now)]).toEqual([aside, acceptedStep])
    expect([aside, stepOf(secret, code, step + aside, now)]).toEqual([aside, undefined])
  }
})

test('an authenticator app reads the URI, with any characters in the names', () => {
  const secret = newTotpSecret()
  const read = OTPAuth.URI.parse(totpUri(secret, 'Parley', 'a:b&c=d?e'))
  expect([read.issuer, read.label, read.secret.base32]).toEqual(['Parley', 'a:b&c=d?e', base32(secret)])
})

test('only its account and key open a sealed secret', () => {
  const secret = newTotpSecret()
  const sealed = seal(secret, KEY, 7)
  expect(unseal(sealed, KEY, 7)).toEqual(secret)
  expect(unseal(sealed, KEY, 8)).toBeUndefined()
  expect(unseal(sealed, 'l'.repeat(43), 7)).toBeUndefined()
  expect(unseal(sealed.subarray(0, 5), KEY, 7)).toBeUndefined()
  expect(sealed.includes(secret)).toBe(false)
  expect(seal(secret, KEY, 7)).not.toEqual(sealed)
})
