import { expect, test } from 'bun:test'
import { createPublicKey, verify } from 'node:crypto'
import { encryptPush, PLAIN_BYTES_MAX } from '../../../src/features/push/encryption.ts'
import { newPushSecret, Vapid } from '../../../src/core/vapid.ts'
import { vapidOf } from '../../../src/features/push/push-services.ts'
import { decryptPush, newSubscription } from '../../support/push-service.ts'

test('the example of RFC 8291 appendix A is encrypted to the byte', () => {
  const plain = Buffer.from('When I grow up, I want to be a watermelon')
  const keys = {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  }
  const salt = Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url')
  const secret = Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url')
  expect(encryptPush(plain, keys, { salt, secret, padding: false }).toString('base64url')).toBe(
    [
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tlz',
      'AC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    ].join(''),
  )
})

test('another implementation reads the encrypted text, of any length, and its length is hidden', () => {
  const { keys, receiver } = newSubscription()
  const lengths = new Set<number>()
  for (const bytes of [0, 1, 300, 510, 511, 512, PLAIN_BYTES_MAX]) {
    const plain = Buffer.alloc(bytes, 'ä')
    const body = encryptPush(plain, keys)
    expect(decryptPush(body, receiver)).toEqual(plain)
    expect(body.length).toBeLessThanOrEqual(4096)
    lengths.add(body.length)
  }
  expect(lengths.size).toBe(3)
  expect(() => encryptPush(Buffer.alloc(PLAIN_BYTES_MAX + 1), keys)).toThrow(RangeError)
  expect(() => encryptPush(Buffer.from('x'), { ...keys, p256dh: keys.auth })).toThrow()
})

test('a token names the push service, ends within a day, and is signed by the key that browsers know', () => {
  for (let round = 0; round < 20; round++) {
    const vapid = new Vapid(newPushSecret(), 'mailto:operator@example.org')
    const point = Buffer.from(vapid.public_key, 'base64url')
    expect([point.length, point[0]]).toEqual([65, 4])
    const header = vapid.authorization(new URL('https://push.example.org/send/17'), 1_000.5)
    const [, token = '', key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header) ?? []
    expect(key).toBe(vapid.public_key)
    const [head = '', claims = '', signature = ''] = token.split('.')
    expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toEqual({ typ: 'JWT', alg: 'ES256' })
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({
      aud: 'https://push.example.org',
      exp: 44_200,
      sub: 'mailto:operator@example.org',
    })
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
    const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
    const signed = { key: publicKey, dsaEncoding: 'ieee-p1363' as const }
    expect(verify('sha256', Buffer.from(`${head}.${claims}`), signed, Buffer.from(signature, 'base64url'))).toBe(true)
  }
})

test('a push service gets the public address, else the sender of mail, or nothing', () => {
  const subOf = (environment: { PUBLIC_URL?: string; MAIL_FROM?: string }) => {
    const parts = { environment, secrets: { push: newPushSecret() } } as unknown as Parameters<typeof vapidOf>[0]
    const header = vapidOf(parts).authorization(new URL('https://push.example.org/'), 0)
    return JSON.parse(Buffer.from(header.split('.')[1] ?? '', 'base64url').toString()).sub
  }
  const [PUBLIC_URL, MAIL_FROM] = ['https://chat.example.org', 'Parley <parley@localhost>']
  expect(subOf({ PUBLIC_URL, MAIL_FROM })).toBe('https://chat.example.org')
  expect(subOf({ PUBLIC_URL: 'http://localhost:3000', MAIL_FROM })).toBe('mailto:parley@localhost')
  expect(subOf({ MAIL_FROM: 'operator@example.org' })).toBe('mailto:operator@example.org')
  expect(subOf({})).toBeUndefined()
})
