import { Vapid } from '../../core/vapid.ts'
import type { Parts } from '../../parts.ts'
import type { Trust } from '../previews/http-client.ts'
import { Receivers } from '../previews/receivers.ts'
import { FetchRefusal } from '../previews/fetch-refusal.ts'
import { encryptPush, PLAIN_BYTES_MAX, type SubscriptionKeys } from './encryption.ts'

const ANSWER_MS_MAX = 5_000
/** Upper bound for a pause that a push service asks for. */
const RETRY_SECONDS_MAX = 3_600
/** Rules of FetchRefusal that an endpoint breaks permanently. */
const FOR_GOOD = ['scheme', 'credentials', 'port', 'host', 'address', 'addresses', 'url']

export interface Endpoint extends SubscriptionKeys {
  endpoint: string
}

/** Headers of RFC 8030 §5. */
export interface Delivery {
  /** How long the push service keeps the message for an offline device. */
  ttlS: number
  urgency: 'low' | 'normal' | 'high'
  /** A later message replaces one with the same topic: at most 32 characters, base64url. */
  topic: string
}

/**
 * The outcome of a message. `gone`: the subscription has ended; `unanswered`: the push service was unreachable or timed
 * out; otherwise it has refused the message for now.
 */
type Outcome = 'taken' | 'gone' | 'unanswered' | { status: number; retryAfterS: number | undefined }

/**
 * The installation's VAPID key, with a contact: the server's URL, or the sender of its mail. Apple refuses messages
 * without a contact or with an unreachable one, and mail may come from `localhost`.
 */
export function vapidOf({ environment, secrets }: Pick<Parts, 'environment' | 'secrets'>): Vapid {
  const { MAIL_FROM, PUBLIC_URL } = environment
  const mailbox = /([^<\s]+@[^>\s]+)>?$/.exec(MAIL_FROM ?? '')?.[1]
  const contact = PUBLIC_URL?.startsWith('https:') ? PUBLIC_URL : mailbox && `mailto:${mailbox}`
  return new Vapid(secrets.push, contact)
}

/** Sends to browsers' push services: by https, only to public addresses, without following redirects. */
export class PushServices {
  readonly #receivers: Receivers
  readonly #vapid: Vapid

  constructor(parts: Pick<Parts, 'environment' | 'secrets'>, trust?: Trust) {
    const { environment } = parts
    this.#vapid = vapidOf(parts)
    this.#receivers = new Receivers(environment, environment.PUSH_ALLOWED_ADDRESSES, trust)
  }

  /** True if a text can be an endpoint. Its addresses are checked with each send. */
  isEndpoint(text: string): boolean {
    return this.#receivers.isUrl(text)
  }

  /** Encrypts a message and hands it to the push service. */
  async send({ endpoint, ...keys }: Endpoint, message: object, delivery: Delivery): Promise<Outcome> {
    if (!this.isEndpoint(endpoint)) return 'gone'
    const body = encryptMessage(message, keys)
    if (!body) return 'gone'
    const signal = AbortSignal.timeout(ANSWER_MS_MAX)
    try {
      const headers = {
        Authorization: this.#vapid.authorization(new URL(endpoint), Date.now() / 1000),
        'Content-Type': 'application/octet-stream',
        'Content-Encoding': 'aes128gcm',
        TTL: String(delivery.ttlS),
        Urgency: delivery.urgency,
        Topic: delivery.topic,
      }
      const answer = await this.#receivers.post(endpoint, headers, body, signal)
      answer.close()
      return outcomeOf(answer.status, answer.headers.get('retry-after'))
    } catch (error) {
      return error instanceof FetchRefusal && FOR_GOOD.includes(error.message) ? 'gone' : 'unanswered'
    }
  }
}

/** The encrypted message; undefined for invalid keys, for example if `p256dh` is not a point of the curve. */
function encryptMessage(message: object, keys: SubscriptionKeys): Buffer | undefined {
  const plain = Buffer.from(JSON.stringify(message))
  // Checked first: a text that is too long does not mean that the keys are invalid.
  if (plain.length > PLAIN_BYTES_MAX) throw new RangeError('The push message is too long')
  try {
    return encryptPush(plain, keys)
  } catch {
    return undefined
  }
}

/** The meaning of a push service's answer (RFC 8030 §5, §7.3). */
function outcomeOf(status: number, retryAfter: string | undefined): Outcome {
  if (status >= 200 && status < 300) return 'taken'
  if (status === 404 || status === 410) return 'gone'
  return { status, retryAfterS: pauseOf(retryAfter ?? '', Date.now()) }
}

/** The pause that a push service asks for: in seconds, or until a date (RFC 9110 §10.2.3). */
function pauseOf(text: string, nowMs: number): number | undefined {
  const seconds = /^\d{1,6}$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - nowMs) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.min(seconds, RETRY_SECONDS_MAX)
}
