import { expect, test } from 'bun:test'
import { relyingPartyId } from '../../../src/features/passkeys/relying-party.ts'
import { boot, call, standard, stop } from '../../support/harness.ts'

const parley = await standard()

test('an installation with nothing configured offers a user name and a password', async () => {
  const { status, headers, body } = await call(parley, 'GET', '/.well-known/parley')
  expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=60'])
  expect(body).toMatchObject({ registration: 'open', mail: false, oidc: null, passkeys: false })
  expect(body.push_key).toMatch(/^B[\w-]{86}$/)
  // Nothing is built for this answer.
  expect(body.client_hash).toBeNull()
  expect(body.max_file_bytes).toBe(parley.parts.environment.MAX_FILE_BYTES)
})

test('configured ways to log in are offered', async () => {
  const other = await boot({
    PUBLIC_URL: 'https://chat.example.org',
    REGISTRATION: 'invite',
    MAX_FILE_BYTES: '5000',
    LINK_PREVIEWS: 'on',
  })
  const { body } = await call(other, 'GET', '/.well-known/parley')
  expect(body).toMatchObject({ registration: 'invite', max_file_bytes: 5000, passkeys: true, link_previews: true })
  await stop(other)
})

test('passkeys need a domain and a secure context', () => {
  const idOf = (PUBLIC_URL?: string) => relyingPartyId({ PUBLIC_URL })
  expect(idOf('https://chat.example.org:8443')).toBe('chat.example.org')
  expect(idOf('http://localhost:3000')).toBe('localhost')
  for (const url of [undefined, 'http://chat.example.org', 'https://192.0.2.1', 'https://[2001:db8::1]'])
    expect([url, idOf(url)]).toEqual([url, undefined])
})
