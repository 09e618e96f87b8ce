import type { VerifiedAuthenticationResponse, VerifiedRegistrationResponse } from '@simplewebauthn/server'
import type { Sql, Transaction } from '../../database/database.ts'
import { found, Problem } from '../../core/errors.ts'
import type { Parts } from '../../parts.ts'
import { relyingPartyId } from './relying-party.ts'
import { CHALLENGE_MS, Challenges } from './challenges.ts'
import type { Assertion, CreationOptions, NewCredential, RequestOptions } from './model.ts'

/** RFC 9053: EdDSA, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257]

/** The purpose of a challenge. It is valid only in the session or pending login for which it was created. */
type Purpose = 'login' | `second ${string}` | `proof ${number}` | `register ${number}`

interface StoredPasskey {
  id: number
  user_id: number
  credential_id: string
  public_key: Uint8Array
  sign_count: number
  transports: string[]
}

const descriptorOf = ({ credential_id, transports }: Pick<StoredPasskey, 'credential_id' | 'transports'>) => ({
  type: 'public-key' as const,
  id: credential_id,
  transports,
})

/** The two ceremonies of WebAuthn: registering a passkey, and authenticating with one. */
export class Passkeys {
  private readonly challenges: Challenges
  private readonly rp: { id: string; origin: string } | undefined

  constructor({ environment, secrets }: Pick<Parts, 'environment' | 'secrets'>) {
    this.challenges = new Challenges(secrets.jwt)
    const id = relyingPartyId(environment)
    if (id !== undefined && environment.PUBLIC_URL) this.rp = { id, origin: environment.PUBLIC_URL }
  }

  get isOn(): boolean {
    return this.rp !== undefined
  }

  /** The options for creating a passkey. @throws Problem `not_found` where passkeys are off */
  async creationOptions(sql: Sql, userId: number, sessionId: number): Promise<CreationOptions> {
    const rp = this.demandOn()
    const [user] = await sql<{ username: string; display_name: string }[]>`
      select username, display_name from users where id = ${userId} and deleted_at is null`
    const { username, display_name } = found(user, 'token_revoked')
    return {
      rp: { id: rp.id, name: 'Parley' },
      user: { id: handleOf(userId), name: username, displayName: display_name },
      challenge: this.challenges.make(`register ${sessionId}` satisfies Purpose),
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      timeout: CHALLENGE_MS,
      excludeCredentials: await this.knownOf(sql, userId),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    }
  }

  /**
   * The options for authenticating with a passkey.
   * @param userId the account whose passkeys are accepted; any, if absent
   * @throws Problem `not_found` where passkeys are off
   */
  async requestOptions(sql: Sql, purpose: Purpose, userId?: number): Promise<RequestOptions> {
    const rp = this.demandOn()
    return {
      challenge: this.challenges.make(purpose),
      timeout: CHALLENGE_MS,
      rpId: rp.id,
      allowCredentials: userId === undefined ? [] : await this.knownOf(sql, userId),
      userVerification: 'required',
    }
  }

  /**
   * Verifies a new credential, and uses up its challenge.
   * @throws Problem `invalid_passkey`, `not_found` where passkeys are off
   */
  async register(sql: Transaction, sessionId: number, newCredential: NewCredential) {
    const rp = this.demandOn()
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
    const expectation = this.expectChallenge(`register ${sessionId}`)
    const { registrationInfo } = await verifyResponse<VerifiedRegistrationResponse>(newCredential, async () =>
      verifyRegistrationResponse({
        response: {
          ...newCredential,
          response: await withoutAttestation(newCredential.response),
          clientExtensionResults: {},
        },
        expectedChallenge: expectation.isGood,
        expectedOrigin: rp.origin,
        expectedRPID: rp.id,
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      }),
    )
    await this.spend(sql, expectation.challenge)
    const { credential } = found(registrationInfo, 'invalid_passkey')
    return {
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey),
      sign_count: credential.counter,
      transports: newCredential.response.transports ?? [],
    }
  }

  /** The account of an assertion's passkey. @throws Problem `invalid_passkey` */
  async accountOf(sql: Sql, assertion: Assertion): Promise<number> {
    return (await this.passkeyOf(sql, assertion)).user_id
  }

  /**
   * Verifies an assertion, and uses up its challenge. The caller has locked the account.
   * @throws Problem `invalid_passkey`, `not_found` where passkeys are off
   */
  async answer(sql: Transaction, userId: number, purpose: Purpose, assertion: Assertion): Promise<void> {
    const rp = this.demandOn()
    const passkey = await this.passkeyOf(sql, assertion)
    const { userHandle } = assertion.response
    if (passkey.user_id !== userId || (userHandle && userHandle !== handleOf(userId))) throw refusal()
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
    const expectation = this.expectChallenge(purpose)
    const { id, response } = assertion
    const { authenticationInfo } = await verifyResponse<VerifiedAuthenticationResponse>(assertion, () =>
      verifyAuthenticationResponse({
        response: {
          ...assertion,
          response: { ...response, userHandle: userHandle ?? undefined },
          clientExtensionResults: {},
        },
        expectedChallenge: expectation.isGood,
        expectedOrigin: rp.origin,
        expectedRPID: rp.id,
        credential: { id, publicKey: new Uint8Array(passkey.public_key), counter: passkey.sign_count },
        requireUserVerification: true,
      }),
    )
    await this.spend(sql, expectation.challenge)
    const { newCounter } = authenticationInfo
    // WebAuthn §7.2, step 22: a counter that does not grow indicates a cloned authenticator. Authenticators without a
    // counter send 0.
    const rows = await sql`update passkeys set sign_count = ${newCounter}, last_used_at = now()
      where id = ${passkey.id} and (sign_count < ${newCounter} or (sign_count = 0 and ${newCounter} = 0)) returning 1`
    if (rows.length === 0) throw refusal()
  }

  /** @throws Problem `not_found` where passkeys are off */
  private demandOn(): { id: string; origin: string } {
    if (!this.rp) throw new Problem('not_found', 'Passkeys are off: they need a PUBLIC_URL with a host name')
    return this.rp
  }

  private async knownOf(sql: Sql, userId: number) {
    const rows = await sql<StoredPasskey[]>`
      select credential_id, transports from passkeys where user_id = ${userId} order by id`
    return rows.map(descriptorOf)
  }

  private async passkeyOf(sql: Sql, { id }: Assertion): Promise<StoredPasskey> {
    const [passkey] = await sql<StoredPasskey[]>`
      select id, user_id, credential_id, public_key, sign_count, transports from passkeys where credential_id = ${id}`
    return found(passkey, 'invalid_passkey')
  }

  /** Checks an answer's challenge, and remembers it for `spend`. */
  private expectChallenge(purpose: Purpose) {
    const expectation = {
      challenge: '',
      isGood: (challenge: string) => {
        expectation.challenge = challenge
        return this.challenges.isGood(challenge, purpose)
      },
    }
    return expectation
  }

  private async spend(sql: Transaction, challenge: string): Promise<void> {
    if (!(await this.challenges.spend(sql, challenge))) throw refusal()
  }
}

const refusal = () => new Problem('invalid_passkey')

/** The account's id as stored in authenticators. */
const handleOf = (userId: number): string => Buffer.from(String(userId)).toString('base64url')

/** @throws Problem `invalid_passkey` for everything that the library rejects */
async function verifyResponse<T extends { verified: boolean }>(
  { response: { clientDataJSON } }: NewCredential | Assertion,
  verify: () => Promise<T>,
): Promise<T> {
  const { decodeClientDataJSON } = await import('@simplewebauthn/server/helpers')
  const result = await verify().catch(() => undefined)
  // This server's pages cannot be framed, so a response from within a frame was made elsewhere.
  if (!result?.verified || decodeClientDataJSON(clientDataJSON).crossOrigin === true) throw refusal()
  return result
}

/**
 * Removes the attestation. None was requested, and to verify one, the library would check certificate revocation at
 * addresses that the certificates name.
 */
async function withoutAttestation(response: NewCredential['response']) {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await import('@simplewebauthn/server/helpers')
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject)).get('authData')
  const bare = new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ])
  const { clientDataJSON } = response
  return { clientDataJSON, attestationObject: isoBase64URL.fromBuffer(isoCBOR.encode(bare as never)) }
}
