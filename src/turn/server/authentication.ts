import { type Address, ipText, siteOf } from '../protocol/addresses.ts'
import type { Client, Holder } from './allocation.ts'
import { CREDENTIAL_SECONDS, type Nonces, passwordOf, readUsername, REALM } from '../credentials.ts'
import { Attribute, isSealedBy, longTermKey, type Message, partOf, textOf } from '../protocol/stun.ts'

/** RFC 8489 §14.3. */
const USERNAME_BYTES_MAX = 508
/** Accounts remembered as gone at most; the oldest is forgotten first. */
const GONE_MAX = 100_000
/** Answers that one address gets in a second without having shown credentials: the relay is nobody's amplifier. */
const ANSWERS_PER_S_MAX = 100
const BUCKETS = 65_536

/** Why a request is not let in, as a STUN error code. */
export type Refusal = 400 | 401 | 438

/** Counts answers by address in a table of fixed size: nothing that a stranger sends makes it grow. */
export class StrangerLimit {
  private readonly counts = new Uint16Array(BUCKETS)
  private readonly seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
  private second = -1

  admit({ ip }: Address, now_ms: number): boolean {
    const second = Math.floor(now_ms / 1000)
    if (second !== this.second) {
      this.second = second
      this.counts.fill(0)
    }
    const bucket = Bun.hash.wyhash(siteOf(ip), BigInt(this.seed))
    const at = Number(bucket & BigInt(BUCKETS - 1))
    const count = this.counts[at] ?? 0
    if (count >= ANSWERS_PER_S_MAX) return false
    this.counts[at] = count + 1
    return true
  }
}

/** What a nonce is made for. */
export const nameOf = ({ transport, address }: Client): string => `${transport} ${ipText(address.ip)} ${address.port}`

/** Who may use the relay: RFC 8489 §9.2 with the usernames and passwords of the TURN REST scheme. */
export class Authentication {
  /** When accounts lost what let them in, in seconds since the epoch. */
  private readonly gone = new Map<number, number>()

  constructor(
    private readonly secret: string,
    private readonly nonces: Nonces,
  ) {}

  nonceFor = (client: Client, now_s: number): string => this.nonces.make(nameOf(client), now_s)

  /** Credentials made until now let the account in no more; those that it gets later do. */
  forget(user_id: number, now_s: number): void {
    this.gone.delete(user_id)
    this.gone.set(user_id, Math.floor(now_s))
    for (const [oldest, gone_s] of this.gone) {
      if (gone_s + CREDENTIAL_SECONDS > now_s && this.gone.size <= GONE_MAX) break
      this.gone.delete(oldest)
    }
  }

  /** Who has sealed the request, or why it is refused. RFC 8489 §9.2.4. */
  judge(client: Client, message: Message, now_s: number): Holder | Refusal {
    if (!partOf(message, Attribute.message_integrity)) return 401
    const username = textOf(message, Attribute.username, USERNAME_BYTES_MAX)
    const realm = textOf(message, Attribute.realm)
    const nonce = textOf(message, Attribute.nonce)
    if (username === undefined || realm === undefined || nonce === undefined) return 400
    if (!this.nonces.isGood(nonce, nameOf(client), now_s)) return 438
    const said = readUsername(username)
    if (!said || realm !== REALM) return 401
    const key = longTermKey(username, REALM, passwordOf(this.secret, username))
    return isSealedBy(message, key) ? { username, key, user_id: said.user_id } : 401
  }

  /** Whether the credentials still open something new. What is open goes on: a call outlives them. */
  mayAllocate({ username, user_id }: Holder, now_s: number): boolean {
    const expires_s = readUsername(username)?.expires_s ?? 0
    const issued_s = expires_s - CREDENTIAL_SECONDS
    return expires_s > now_s && issued_s > (this.gone.get(user_id) ?? Number.NEGATIVE_INFINITY)
  }
}
