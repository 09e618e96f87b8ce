import { expect, test } from 'bun:test'
import { authorizationCodeGrant } from 'openid-client'
import { type boundedFetch, discover, faultOf } from '../../../src/features/oidc/provider.ts'

const ALGORITHM = { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, hash: 'SHA-256' }
const ISSUER = 'https://login.example.org'
const PUBLIC_URL = 'https://chat.example.org'

const makeKey = () =>
  crypto.subtle.generateKey({ ...ALGORITHM, publicExponent: new Uint8Array([1, 0, 1]) }, true, ['sign', 'verify'])
/** A key as the provider publishes it. */
async function published({ publicKey }: CryptoKeyPair, more: object) {
  const { kty, n, e } = await crypto.subtle.exportKey('jwk', publicKey)
  return { kty, n, e, ...more }
}
const encode = (content: object): string => Buffer.from(JSON.stringify(content)).toString('base64url')

/** The subject that a login by a token with this header, signed by the key, is accepted for; else the reason. */
async function login(key: CryptoKeyPair, header: object, keys: object[]): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const claims = { iss: ISSUER, sub: 'alice', aud: 'parley', iat: now, exp: now + 600, nonce: 'a nonce' }
  const signed = `${encode({ alg: 'RS256', ...header })}.${encode(claims)}`
  const signature = await crypto.subtle.sign(ALGORITHM, key.privateKey, Buffer.from(signed))
  const answers: Record<string, object> = {
    '/token': {
      access_token: 'a token',
      token_type: 'Bearer',
      id_token: `${signed}.${Buffer.from(signature).toString('base64url')}`,
    },
    '/keys': { keys },
    '/.well-known/openid-configuration': {
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/authorize`,
      token_endpoint: `${ISSUER}/token`,
      jwks_uri: `${ISSUER}/keys`,
    },
  }
  const provider: typeof boundedFetch = async (url) => Response.json(answers[new URL(url).pathname])
  const environment = { OIDC_ISSUER: ISSUER, OIDC_CLIENT_ID: 'parley', OIDC_CLIENT_SECRET: 'a secret of the tests' }
  const config = await discover({ ...environment, OIDC_SCOPES: 'openid', PUBLIC_URL }, provider)
  const tokens = await authorizationCodeGrant(config, new URL(`${PUBLIC_URL}/?code=1`), {
    expectedNonce: 'a nonce',
  }).catch(faultOf)
  return typeof tokens === 'string' ? tokens : (tokens.claims()?.sub ?? '')
}

test('a key without an id is used if it is the only one that fits, and a token without an id too', async () => {
  const [key, other] = [await makeKey(), await makeKey()]
  const [bare, named] = [await published(key, { use: 'sig' }), await published(key, { kid: 'one' })]
  const encrypting = await published(other, { use: 'enc' })
  for (const keys of [[bare], [named], [bare, encrypting]]) expect(await login(key, {}, keys)).toBe('alice')
  expect(await login(other, {}, [bare])).toContain('signature verification failed')
  // OpenID Connect Core §10.1: with several keys, a token names its own.
  expect(await login(key, {}, [bare, await published(other, {})])).toContain('a "kid" JWT Header Parameter is required')
  expect(await login(key, { kid: 'one' }, [named, await published(other, { kid: 'two' })])).toBe('alice')
  expect(await login(key, { kid: 'three' }, [named])).toContain('no applicable keys found')
})
