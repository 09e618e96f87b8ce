import { CREDENTIAL_SECONDS, passwordOf, readUsername, REALM } from '../credentials.ts'
import { ipText } from '../../core/ip.ts'
import { type Address, clientPrefix } from '../protocol/addresses.ts'
import { Attribute, attributeOf, hasValidIntegrity, longTermKey, type Message, textOf } from '../protocol/stun.ts'
import type { AuthenticatedUser, TurnClient } from './allocation.ts'
import type { Nonces } from './nonces.ts'
import { type OldestSessions, oldestSessionOf } from './oldest-sessions.ts'

/** RFC 8489 §14.3. */
const USERNAME_BYTES_MAX = 508
/** Revoked accounts remembered; beyond it the oldest is forgotten. */
const REVOKED_MAX = 100_000
/** Responses a second to an address without valid credentials, so that the server amplifies no attack. */
const RESPONSES_PER_S_MAX = 100
const BUCKETS = 65_536

/** The STUN error code of a failed authentication. */
export type AuthenticationError = 400 | 401 | 438

/** Counts responses by client address in a hash table of fixed size, which no sender can make grow. */
export class UnauthenticatedLimit {
  private readonly counts = new Uint16Array(BUCKETS)
  private readonly seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
  private second = -1

  admit({ ip }: Address, nowMs: number): boolean {
    const second = Math.floor(nowMs / 1000)
    if (second !== this.second) {
      this.second = second
      this.counts.fill(0)
    }
    const bucket = Bun.hash.wyhash(clientPrefix(ip), BigInt(this.seed))
    const at = Number(bucket & BigInt(BUCKETS - 1))
    const count = this.counts[at] ?? 0
    if (count >= RESPONSES_PER_S_MAX) return false
    this.counts[at] = count + 1
    return true
  }
}

/** The client's transport and address, to which a nonce is bound. */
const clientName = ({ transport, address }: TurnClient): string => `${transport} ${ipText(address.ip)} ${address.port}`

/** Long-term credentials (RFC 8489 §9.2) with the usernames and passwords of draft-uberti-behave-turn-rest-00. */
export class Authentication {
  /** When the sessions of an account were revoked, in seconds since the epoch. */
  private readonly revokedUsers = new Map<number, number>()
  /**
   * Tells which credentials issued before this relay started are still valid; dropped once all of those have expired.
   */
  private sessions: OldestSessions | undefined

  constructor(
    private readonly secret: string,
    private readonly nonces: Nonces,
  ) {}

  nonceFor = (client: TurnClient, nowS: number): string => this.nonces.issue(clientName(client), nowS)

  setSessions(sessions: OldestSessions): void {
    this.sessions = sessions
  }

  /** Invalidates credentials issued to the account until now for new allocations; later ones work. */
  revoke(user_id: number, nowS: number): void {
    this.revokedUsers.delete(user_id)
    this.revokedUsers.set(user_id, Math.floor(nowS))
    for (const [oldest, revokedS] of this.revokedUsers) {
      if (revokedS + CREDENTIAL_SECONDS > nowS && this.revokedUsers.size <= REVOKED_MAX) break
      this.revokedUsers.delete(oldest)
    }
  }

  /** The user whose credentials signed the request, or the error. RFC 8489 §9.2.4. */
  authenticate(client: TurnClient, message: Message, nowS: number): AuthenticatedUser | AuthenticationError {
    if (!attributeOf(message, Attribute.messageIntegrity)) return 401
    const username = textOf(message, Attribute.username, USERNAME_BYTES_MAX)
    const realm = textOf(message, Attribute.realm)
    const nonce = textOf(message, Attribute.nonce)
    if (username === undefined || realm === undefined || nonce === undefined) return 400
    if (!this.nonces.isValid(nonce, clientName(client), nowS)) return 438
    const parsed = readUsername(username)
    if (!parsed || realm !== REALM) return 401
    const key = longTermKey(username, REALM, passwordOf(this.secret, username))
    return hasValidIntegrity(message, key) ? { username, key, user_id: parsed.user_id } : 401
  }

  /** True if the credentials may allocate. An open allocation outlives their expiry, so that calls continue. */
  mayAllocate({ username, user_id }: AuthenticatedUser, nowS: number): boolean {
    const expiresS = readUsername(username)?.expiresS ?? 0
    const issuedS = expiresS - CREDENTIAL_SECONDS
    if (this.sessions && this.sessions.read_s + CREDENTIAL_SECONDS < nowS) this.sessions = undefined
    // Credentials have a resolution of seconds, so those issued in the second when the session began look older.
    const sinceS = this.sessions && issuedS < this.sessions.read_s ? oldestSessionOf(this.sessions, user_id) : -Infinity
    return expiresS > nowS && issuedS > Math.max(this.revokedUsers.get(user_id) ?? -Infinity, Math.floor(sinceS))
  }
}
