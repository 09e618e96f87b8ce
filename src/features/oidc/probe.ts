import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { codeOf } from '../../core/errors.ts'
import type { Environment } from '../../environment.ts'
import { boundedFetch, CLOCK_SECONDS_MAX, discover, faultOf, offersOidc, redirectUri } from './provider.ts'

/** One check with its fault, or the reason for skipping it, as part of a sentence. */
interface Check {
  name: string
  fault?: string
  unchecked?: string
}

const ProviderMetadata = z.object({ issuer: z.string() })
const ErrorAnswer = z.object({ error: z.string() })

/** Facts from the provider's first answer that the library does not report. */
interface ProviderFacts {
  issuer?: string
  /** Seconds by which its clock is ahead of this one. */
  aheadS?: number
}

/** Checks the provider's issuer and clock, and this installation's redirect URI and secret. */
export async function probeProvider(environment: Environment): Promise<Check[]> {
  const { OIDC_ISSUER = '' } = environment
  if (!offersOidc(environment)) return []
  const name = `identity provider ${OIDC_ISSUER}`
  const facts: ProviderFacts = {}
  const fetcher: typeof boundedFetch = async (url, options) => {
    const answer = await boundedFetch(url, options)
    const date = Date.parse(answer.headers.get('date') ?? '')
    if (!Number.isNaN(date)) facts.aheadS = Math.round((date - Date.now()) / 1000)
    const metadata = ProviderMetadata.safeParse(
      await answer
        .clone()
        .json()
        .catch(() => undefined),
    )
    if (metadata.success) facts.issuer = metadata.data.issuer
    return answer
  }
  try {
    const config = await discover(environment, fetcher)
    const { authorization_endpoint, token_endpoint } = config.serverMetadata()
    return [
      { name },
      clockCheck(facts),
      await redirectCheck(environment, authorization_endpoint).catch((error: unknown) =>
        notThere('redirect URI', error),
      ),
      await secretCheck(environment, token_endpoint).catch((error: unknown) => notThere('OIDC_CLIENT_SECRET', error)),
    ]
  } catch (error) {
    if (facts.issuer !== undefined && codeOf(error) === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')
      return [{ name, fault: `the provider calls itself ${facts.issuer}: set OIDC_ISSUER to exactly that` }]
    const at = `${OIDC_ISSUER.replace(/\/$/, '')}/.well-known/openid-configuration`
    return [{ name, fault: `nothing usable is at ${at} (${faultOf(error)})` }]
  }
}

const notThere = (name: string, error: unknown): Check => ({ name, fault: `${name}: ${faultOf(error)}` })

function clockCheck({ aheadS }: ProviderFacts): Check {
  const name = 'clock of the identity provider'
  if (aheadS === undefined) return { name, unchecked: 'the provider does not say what time it is' }
  if (Math.abs(aheadS) <= CLOCK_SECONDS_MAX) return { name }
  const side = aheadS > 0 ? 'ahead of' : 'behind'
  return { name, fault: `the provider’s clock is ${Math.abs(aheadS)} s ${side} this machine’s: one of them is wrong` }
}

/**
 * Requests a login without user interaction: a provider that knows the redirect URI answers with a redirect there. RFC
 * 6749 §4.1.2.1.
 */
async function redirectCheck(environment: Environment, endpoint = ''): Promise<Check> {
  const uri = redirectUri(environment)
  const name = `redirect URI ${uri}`
  const url = new URL(endpoint)
  const query = {
    client_id: environment.OIDC_CLIENT_ID ?? '',
    redirect_uri: uri,
    response_type: 'code',
    scope: environment.OIDC_SCOPES,
    prompt: 'none',
    state: randomBytes(16).toString('base64url'),
    nonce: randomBytes(16).toString('base64url'),
    code_challenge: randomBytes(32).toString('base64url'),
    code_challenge_method: 'S256',
  }
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
  const answer = await boundedFetch(url.href, {
    redirect: 'manual',
    method: 'GET',
    headers: {},
    body: null,
    signal: AbortSignal.timeout(10_000),
  })
  const location = answer.headers.get('location') ?? ''
  if (location.startsWith(uri)) {
    const error = new URL(location).searchParams.get('error') ?? ''
    // The provider only wants people to log in, so nothing is wrong.
    const isFine = /^(login|interaction|consent|account_selection)_required$/.test(error)
    return isFine ? { name } : { name, fault: `the provider answers ${error || 'nothing'} to a login` }
  }
  if (answer.status >= 400 || /error/i.test(location))
    return {
      name,
      fault: `the provider does not know the redirect URI ${uri} or OIDC_CLIENT_ID: register both there`,
    }
  return { name, unchecked: 'the provider shows a page and does not say whether it knows the redirect URI' }
}

/** Offers an invalid code: a provider that accepts the client's secret complains only about the code. RFC 6749 §5.2. */
async function secretCheck(environment: Environment, endpoint = ''): Promise<Check> {
  const name = 'OIDC_CLIENT_ID and OIDC_CLIENT_SECRET'
  const { authorizationCodeGrant } = await import('openid-client')
  const config = await discover(environment)
  const url = new URL(redirectUri(environment))
  url.searchParams.set('code', randomBytes(16).toString('base64url'))
  url.searchParams.set('iss', config.serverMetadata().issuer)
  const error: unknown = await authorizationCodeGrant(config, url, {
    pkceCodeVerifier: randomBytes(32).toString('base64url'),
  }).catch((fault: unknown) => fault)
  const errorAnswer = ErrorAnswer.safeParse(error)
  if (errorAnswer.success && errorAnswer.data.error === 'invalid_grant') return { name }
  const isClient = errorAnswer.success && /^(invalid|unauthorized)_client$/.test(errorAnswer.data.error)
  // RFC 6749 §5.2: a client that authenticates by a header gets 401 with a challenge.
  if (isClient || codeOf(error) === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE')
    return { name, fault: 'the provider refuses OIDC_CLIENT_ID with OIDC_CLIENT_SECRET' }
  return { name, unchecked: `${endpoint} answers otherwise than RFC 6749 has it (${faultOf(error)})` }
}
