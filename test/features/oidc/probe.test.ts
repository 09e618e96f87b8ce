import { afterAll, expect, test } from 'bun:test'
import { probeProvider } from '../../../src/features/oidc/probe.ts'
import { readEnvironment } from '../../../src/environment.ts'
import { IdentityProvider } from '../../support/identity-provider.ts'
import { BASE, REDIRECT } from '../../support/single-sign-on.ts'

const provider = await IdentityProvider.open({ redirect_uris: [REDIRECT] })
afterAll(() => provider.close())

/** The faults, in the doctor's words. */
async function faults(variables: Record<string, string> = {}): Promise<string[]> {
  const checks = await probeProvider(readEnvironment({ PUBLIC_URL: BASE, ...provider.variables(), ...variables }))
  return checks.flatMap(({ fault, unchecked }) => fault ?? unchecked ?? [])
}

test('a provider that knows the installation has no fault, and without a provider nothing is sent', async () => {
  expect(await faults()).toEqual([])
  expect(await probeProvider(readEnvironment({ PUBLIC_URL: BASE }))).toEqual([])
})

test('an issuer that the provider spells differently is named', async () => {
  const [fault] = await faults({ OIDC_ISSUER: provider.issuer.replace('127.0.0.1', 'localhost') })
  expect(fault).toContain(`the provider calls itself ${provider.issuer}`)
})

test('a redirect URI that is not registered is named', async () => {
  expect(await faults({ PUBLIC_URL: 'http://localhost:4000' })).toEqual([
    expect.stringContaining(
      'does not know the redirect URI http://localhost:4000/api/auth/oidc/callback or OIDC_CLIENT_ID',
    ),
  ])
})

test('a wrong secret is named, and not repeated', async () => {
  const [fault, ...rest] = await faults({ OIDC_CLIENT_SECRET: 'not the secret' })
  expect([fault, rest.length]).toEqual(['the provider refuses OIDC_CLIENT_ID with OIDC_CLIENT_SECRET', 0])
  expect(fault).not.toContain('not the secret')
})

test('a provider that does not decode the secret, like LemonLDAP::NG, takes one with a dash', async () => {
  provider.instead = ({ url, headers }, response) => {
    if (url !== '/token') return false
    const isRight = atob(headers.authorization?.slice('Basic '.length) ?? '') === 'parley:dash-low_line.dot'
    response.statusCode = isRight ? 400 : 401
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ error: isRight ? 'invalid_grant' : 'invalid_client' }))
    return true
  }
  const all = await faults({ OIDC_CLIENT_SECRET: 'dash-low_line.dot' })
  provider.instead = undefined
  expect(all).toEqual([])
})

test('a clock that is off is named, with its seconds', async () => {
  provider.instead = (_, response) => {
    response.setHeader('date', new Date(Date.now() + 300_000).toUTCString())
    return false
  }
  const [fault] = await faults()
  provider.instead = undefined
  expect(fault).toMatch(/^the provider’s clock is (29\d|30\d) s ahead of this machine’s/)
})

test('a provider that is away, or no provider at all, is named with its address', async () => {
  provider.instead = (_, response) => {
    response.end('<html>Welcome to nginx!</html>')
    return true
  }
  const [fault] = await faults()
  provider.instead = undefined
  expect(fault).toContain(`nothing usable is at ${provider.issuer}/.well-known/openid-configuration`)
  expect((await faults({ OIDC_ISSUER: 'http://127.0.0.1:1' }))[0]).toContain('nothing usable is at http://127.0.0.1:1/')
})
