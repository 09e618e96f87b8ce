import { createHash } from 'node:crypto'
import type { Configuration, CustomFetch, IDToken, UserInfoResponse } from 'openid-client'
import type { Log } from '../../core/log.ts'
import { codeOf, messageOf, Problem } from '../../core/errors.ts'
import type { Environment } from '../../environment.ts'
import type { Parts } from '../../parts.ts'
import type { Attempt } from './attempts.ts'
import type { CallbackQuery } from './model.ts'

const CALLBACK = '/api/auth/oidc/callback'
/** Time limit for one answer of the provider. */
const ANSWER_SECONDS_MAX = 10
const ANSWER_BYTES_MAX = 1024 ** 2
/** After a failure, wait for this time before asking the provider again. */
const RETRY_MS = 3_000
/** Refresh the provider's metadata after this time, because its endpoints may move. */
const CACHED_MS = 3_600_000
/** Tolerated difference between the provider's clock and this one. */
export const CLOCK_SECONDS_MAX = 30
/** OpenID Connect Core §2: `sub` has at most 255 ASCII characters. */
const SUBJECT_MAX = 255

/** A verified statement of the provider about a person. */
export interface VerifiedIdentity {
  issuer: string
  subject: string
  claims: Partial<UserInfoResponse> & Pick<IDToken, 'auth_time'>
}

type Configured = Pick<Environment, `OIDC_${'ISSUER' | 'CLIENT_ID' | 'CLIENT_SECRET' | 'SCOPES'}` | 'PUBLIC_URL'>

export const offersOidc = ({ OIDC_ISSUER }: Pick<Environment, 'OIDC_ISSUER'>): boolean => OIDC_ISSUER !== undefined

/** The redirect URI, which must be registered at the provider. */
export const redirectUri = ({ PUBLIC_URL }: Pick<Environment, 'PUBLIC_URL'>): string => `${PUBLIC_URL}${CALLBACK}`

/** fetch that rejects answers above a size limit. */
export const boundedFetch: CustomFetch = async (url, options) => {
  const answer = await fetch(url, options as RequestInit)
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > ANSWER_BYTES_MAX)
      throw new Error(`${new URL(url).host} answers with more than ${ANSWER_BYTES_MAX} bytes`)
    chunks.push(chunk)
  }
  const { status, headers } = answer
  return new Response(bytes === 0 ? null : new Blob(chunks), { status, headers })
}

/** The error's message with the library's reason. Deeper causes are left out: they may hold codes and tokens. */
export function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return messageOf(error)
  const { cause, message } = error
  const stated = 'error' in error ? /^[\w.-]{1,64}$/.exec(String(error.error))?.[0] : undefined
  const reason = stated ?? (cause instanceof Response ? cause.status : cause instanceof Error ? cause.message : message)
  return reason === message ? message : `${message}: ${reason}`
}

/** A login that this server refuses; the log tells the operator why. */
export function refusal(log: Log, why: string): Problem {
  log('warn', 'oidc.failed', { message: why })
  return new Problem('oidc_failed', why)
}

/** Encodes as RFC 6749 §2.3.1. The library would also encode `-`, `_` and `.`, which some providers never decode. */
const formEncode = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1)

/** Fetches a provider's metadata. @throws what openid-client throws */
export async function discover(environment: Configured, fetcher: CustomFetch = boundedFetch): Promise<Configuration> {
  const { OIDC_ISSUER = '', OIDC_CLIENT_ID = '', OIDC_CLIENT_SECRET = '' } = environment
  const oidc = await import('openid-client')
  const issuer = new URL(OIDC_ISSUER)
  // OpenID Connect Core §9: client_secret_basic, unless the provider does not support it.
  return oidc.discovery(
    issuer,
    OIDC_CLIENT_ID,
    { client_secret: OIDC_CLIENT_SECRET, [oidc.clockTolerance]: CLOCK_SECONDS_MAX },
    (server, client, body, headers) => {
      const takes = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
      const basic = btoa(`${formEncode(OIDC_CLIENT_ID)}:${formEncode(OIDC_CLIENT_SECRET)}`)
      if (takes.includes('client_secret_basic')) headers.set('authorization', `Basic ${basic}`)
      else oidc.ClientSecretPost(OIDC_CLIENT_SECRET)(server, client, body, headers)
    },
    {
      timeout: ANSWER_SECONDS_MAX,
      [oidc.customFetch]: fetcher,
      // The configuration allows http only for this machine.
      execute: [oidc.enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [])],
    },
  )
}

/**
 * The identity provider. It is contacted when first needed, so that the server starts and runs while the provider is
 * unreachable.
 */
export class Provider {
  private cached: { config: Configuration; atMs: number } | undefined
  private discovery: Promise<Configuration> | undefined
  private failedMs = -Infinity

  constructor(private readonly parts: Pick<Parts, 'environment' | 'log'>) {}

  get isOn(): boolean {
    return offersOidc(this.parts.environment)
  }

  /** @throws Problem `not_found` without a configured provider */
  demandOn(): void {
    if (!this.isOn) throw new Problem('not_found', 'Single sign-on is not set up on this installation')
  }

  /** The issuer as the provider writes it. @throws Problem `not_found` without a configured provider, `unavailable` */
  async issuer(): Promise<string> {
    return (await this.configuration()).serverMetadata().issuer
  }

  /**
   * The address at which the person logs in to the provider.
   * @param isFreshLogin require a fresh login there
   * @throws Problem `not_found`, `unavailable`
   */
  async authorizationUrl({ state, nonce, verifier }: Attempt, isFreshLogin: boolean): Promise<string> {
    const config = await this.configuration()
    const { buildAuthorizationUrl } = await import('openid-client')
    const { environment } = this.parts
    return buildAuthorizationUrl(config, {
      redirect_uri: redirectUri(environment),
      scope: environment.OIDC_SCOPES,
      state,
      nonce,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...(isFreshLogin ? { prompt: 'login', max_age: '0' } : {}),
    }).href
  }

  /**
   * Exchanges the returned code for a signed statement made for this attempt.
   * @throws Problem `oidc_failed`, `unavailable`, `not_found`
   */
  async redeem(attempt: Attempt, query: CallbackQuery): Promise<VerifiedIdentity> {
    const config = await this.configuration()
    const { issuer } = config.serverMetadata()
    // The configured provider has changed meanwhile.
    if (issuer !== attempt.issuer) throw new Problem('login_expired')
    try {
      return await this.exchange(config, attempt, query)
    } catch (error) {
      if (error instanceof Problem) throw error
      this.parts.log('warn', 'oidc.failed', { code: codeOf(error), message: faultOf(error) })
      throw new Problem(isAway(error) ? 'unavailable' : 'oidc_failed')
    }
  }

  private async exchange(config: Configuration, attempt: Attempt, query: CallbackQuery): Promise<VerifiedIdentity> {
    const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client')
    const came = new URL(redirectUri(this.parts.environment))
    for (const [name, value] of Object.entries(query)) if (value !== undefined) came.searchParams.set(name, value)
    const tokens = await authorizationCodeGrant(config, came, {
      pkceCodeVerifier: attempt.verifier,
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      idTokenExpected: true,
    })
    const idClaims = tokens.claims()
    if (idClaims === undefined || idClaims.sub === '' || idClaims.sub.length > SUBJECT_MAX)
      throw refusal(this.parts.log, 'The identity provider sent no valid subject')
    // OpenID Connect Core §5.4: with a code, profile and e-mail come from the userinfo endpoint.
    const needsUserInfo = idClaims.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined
    // An address and its verification must come from the same statement.
    const claims = needsUserInfo
      ? { ...idClaims, email_verified: undefined, ...(await fetchUserInfo(config, tokens.access_token, idClaims.sub)) }
      : idClaims
    return { issuer: idClaims.iss, subject: idClaims.sub, claims }
  }

  private async configuration(): Promise<Configuration> {
    this.demandOn()
    const { cached } = this
    const now = performance.now()
    if (cached && now - cached.atMs < CACHED_MS) return cached.config
    if (now - this.failedMs < RETRY_MS) {
      if (cached) return cached.config
      throw unavailable()
    }
    this.discovery ??= this.discoverNow().finally(() => (this.discovery = undefined))
    return this.discovery
  }

  private async discoverNow(): Promise<Configuration> {
    const { environment, log } = this.parts
    try {
      const config = await discover(environment)
      this.cached = { config, atMs: performance.now() }
      return config
    } catch (error) {
      this.failedMs = performance.now()
      log('warn', 'oidc.discovery', { code: codeOf(error), message: faultOf(error) })
      if (this.cached) return this.cached.config
      throw unavailable()
    }
  }
}

const unavailable = () =>
  new Problem('unavailable', 'The identity provider does not answer. Try again later', { retry_after: 5 })

/** True if the provider did not answer in time. Errors in its answers have codes. */
const isAway = (error: unknown): boolean => {
  const code = codeOf(error)
  return code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT' || !code?.startsWith('OAUTH_')
}
