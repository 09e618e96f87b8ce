import { Vapid } from '../../core/vapid.ts'
import type { Parts } from '../../parts.ts'
import type { Trust } from '../previews/http-client.ts'
import { Receivers } from '../previews/receivers.ts'
import { Refused } from '../previews/refused.ts'
import { encryptPush, PLAIN_BYTES_MAX, type SubscriptionKeys } from './encryption.ts'

const ANSWER_MS_MAX = 5_000
/** The longest pause that a push service may ask for. */
const RETRY_SECONDS_MAX = 3_600
/** Rules that an endpoint will not keep later either. */
const FOR_GOOD = ['scheme', 'credentials', 'port', 'host', 'address', 'addresses', 'url']

export interface Endpoint extends SubscriptionKeys {
  endpoint: string
}

/** Headers of RFC 8030 §5. */
export interface Delivery {
  /** How long the push service keeps it for a device that is away. */
  ttl_s: number
  urgency: 'low' | 'normal' | 'high'
  /** A later message takes the place of one with the same topic: at most 32 characters, base64url. */
  topic: string
}

/**
 * What became of a message; `gone`: the subscription takes none any more; `unanswered`: the push service was not
 * reached, or has not answered within its time; else it has refused the message for now.
 */
type Outcome = 'taken' | 'gone' | 'unanswered' | { status: number; retry_after_s: number | undefined }

/**
 * The key of an installation for push services, which reach the operator at the server, or where mail comes from.
 * Apple's takes nothing without such a contact, nor with one that leads nowhere: mail may come from `localhost`.
 */
export function vapidOf({ environment, secrets }: Pick<Parts, 'environment' | 'secrets'>): Vapid {
  const { MAIL_FROM, PUBLIC_URL } = environment
  const mailbox = /([^<\s]+@[^>\s]+)>?$/.exec(MAIL_FROM ?? '')?.[1]
  const contact = PUBLIC_URL?.startsWith('https:') ? PUBLIC_URL : mailbox && `mailto:${mailbox}`
  return new Vapid(secrets.push, contact)
}

/** Sends to the push services of browsers: by https, to public addresses alone, and follows no redirect. */
export class PushServices {
  readonly #receivers: Receivers
  readonly #vapid: Vapid

  constructor(parts: Pick<Parts, 'environment' | 'secrets'>, trust?: Trust) {
    const { environment } = parts
    this.#vapid = vapidOf(parts)
    this.#receivers = new Receivers(environment, environment.PUSH_ALLOWED_ADDRESSES, trust)
  }

  /** Whether a text can be an endpoint; where its name leads is judged when something is sent. */
  isEndpoint(text: string): boolean {
    return this.#receivers.isUrl(text)
  }

  /** Encrypts a message and hands it to the push service. */
  async send({ endpoint, ...keys }: Endpoint, message: object, delivery: Delivery): Promise<Outcome> {
    if (!this.isEndpoint(endpoint)) return 'gone'
    const body = encrypted(message, keys)
    if (!body) return 'gone'
    const signal = AbortSignal.timeout(ANSWER_MS_MAX)
    try {
      const headers = {
        Authorization: this.#vapid.authorization(new URL(endpoint), Date.now() / 1000),
        'Content-Type': 'application/octet-stream',
        'Content-Encoding': 'aes128gcm',
        TTL: String(delivery.ttl_s),
        Urgency: delivery.urgency,
        Topic: delivery.topic,
      }
      const answer = await this.#receivers.post(endpoint, headers, body, signal)
      answer.close()
      return outcomeOf(answer.status, answer.headers.get('retry-after'))
    } catch (error) {
      return error instanceof Refused && FOR_GOOD.includes(error.message) ? 'gone' : 'unanswered'
    }
  }
}

/** The message for the device; undefined where its keys are none, as where `p256dh` is no point of the curve. */
function encrypted(message: object, keys: SubscriptionKeys): Buffer | undefined {
  const plain = Buffer.from(JSON.stringify(message))
  // A text at fault says nothing of the keys.
  if (plain.length > PLAIN_BYTES_MAX) throw new RangeError('The push message is too long')
  try {
    return encryptPush(plain, keys)
  } catch {
    return undefined
  }
}

/** What the answer of a push service means (RFC 8030 §5, §7.3). */
function outcomeOf(status: number, retry_after: string | undefined): Outcome {
  if (status >= 200 && status < 300) return 'taken'
  if (status === 404 || status === 410) return 'gone'
  return { status, retry_after_s: pauseOf(retry_after ?? '', Date.now()) }
}

/** The pause that a push service asks for: in seconds, or until a date (RFC 9110 §10.2.3). */
function pauseOf(text: string, now_ms: number): number | undefined {
  const seconds = /^\d{1,6}$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now_ms) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.min(seconds, RETRY_SECONDS_MAX)
}
