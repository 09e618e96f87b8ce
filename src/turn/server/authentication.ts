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

  admit({ ip }: Address, now_ms: number): boolean {
    const second = Math.floor(now_ms / 1000)
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
  private readonly revoked = new Map<number, number>()
  /**
   * Tells which credentials issued before this relay started are still valid; dropped once all of those have expired.
   */
  private sessions: OldestSessions | undefined

  constructor(
    private readonly secret: string,
    private readonly nonces: Nonces,
  ) {}

  nonceFor = (client: TurnClient, now_s: number): string => this.nonces.issue(clientName(client), now_s)

  setSessions(sessions: OldestSessions): void {
    this.sessions = sessions
  }

  /** Invalidates credentials issued to the account until now for new allocations; later ones work. */
  revoke(user_id: number, now_s: number): void {
    this.revoked.delete(user_id)
    this.revoked.set(user_id, Math.floor(now_s))
    for (const [oldest, revoked_s] of this.revoked) {
      if (revoked_s + CREDENTIAL_SECONDS > now_s && this.revoked.size <= REVOKED_MAX) break
      this.revoked.delete(oldest)
    }
  }

  /** The user whose credentials signed the request, or the error. RFC 8489 §9.2.4. */
  authenticate(client: TurnClient, message: Message, now_s: number): AuthenticatedUser | AuthenticationError {
    if (!attributeOf(message, Attribute.message_integrity)) return 401
    const username = textOf(message, Attribute.username, USERNAME_BYTES_MAX)
    const realm = textOf(message, Attribute.realm)
    const nonce = textOf(message, Attribute.nonce)
    if (username === undefined || realm === undefined || nonce === undefined) return 400
    if (!this.nonces.isValid(nonce, clientName(client), now_s)) return 438
    const parsed = readUsername(username)
    if (!parsed || realm !== REALM) return 401
    const key = longTermKey(username, REALM, passwordOf(this.secret, username))
    return hasValidIntegrity(message, key) ? { username, key, user_id: parsed.user_id } : 401
  }

  /** True if the credentials may allocate. An open allocation outlives their expiry, so that calls continue. */
  mayAllocate({ username, user_id }: AuthenticatedUser, now_s: number): boolean {
    const expires_s = readUsername(username)?.expires_s ?? 0
    const issued_s = expires_s - CREDENTIAL_SECONDS
    if (this.sessions && this.sessions.read_s + CREDENTIAL_SECONDS < now_s) this.sessions = undefined
    // Credentials have a resolution of seconds, so those issued in the second when the session began look older.
    const since_s =
      this.sessions && issued_s < this.sessions.read_s ? oldestSessionOf(this.sessions, user_id) : -Infinity
    return expires_s > now_s && issued_s > Math.max(this.revoked.get(user_id) ?? -Infinity, Math.floor(since_s))
  }
}
