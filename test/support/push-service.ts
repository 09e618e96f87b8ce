import { createECDH, randomBytes } from 'node:crypto'
import { decrypt } from 'http_ece'

/** The keys of a subscription as a browser holds them. */
export interface Receiver {
  privateKey: ReturnType<typeof createECDH>
  authSecret: string
}

/** The keys of a new subscription, and what reads messages to it. */
export function newSubscription() {
  const privateKey = createECDH('prime256v1')
  privateKey.generateKeys()
  const auth = randomBytes(16).toString('base64url')
  const keys = { p256dh: privateKey.getPublicKey('base64url'), auth }
  const receiver: Receiver = { privateKey, authSecret: auth }
  return { keys, receiver }
}

/** Reads a message by the package of the RFC's author. */
export const decryptPush = (body: Uint8Array, receiver: Receiver): Buffer =>
  decrypt(Buffer.from(body), { version: 'aes128gcm', ...receiver })

/** A message as it reached the push service, with its text. */
export interface Pushed {
  headers: Headers
  message: Record<string, any>
}

/** A push service on loopback. Each subscription has a path of its own. */
export class PushService {
  readonly #server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => this.#take(request) })
  readonly #devices = new Map<string, { receiver: Receiver; taken: Pushed[] }>()
  /** The status for a path, instead of 201. */
  readonly answers = new Map<string, (request: Request) => Response | Promise<Response>>()
  /** How often each path was asked. */
  readonly requestCounts = new Map<string, number>()

  /** A device's subscription, as a browser gives it. */
  subscription() {
    const { keys, receiver } = newSubscription()
    const path = `/send/${randomBytes(12).toString('base64url')}`
    const device = { receiver, taken: [] as Pushed[] }
    this.#devices.set(path, device)
    return {
      path,
      draft: { endpoint: `http://127.0.0.1:${this.#server.port}${path}`, expirationTime: null, keys },
      /** Messages received for this device, oldest first. */
      taken: device.taken,
    }
  }

  async #take(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    this.requestCounts.set(pathname, (this.requestCounts.get(pathname) ?? 0) + 1)
    const answer = this.answers.get(pathname)
    if (answer) return answer(request)
    const device = this.#devices.get(pathname)
    if (!device) return new Response(null, { status: 404 })
    const body = new Uint8Array(await request.arrayBuffer())
    const message = JSON.parse(decryptPush(body, device.receiver).toString())
    device.taken.push({ headers: request.headers, message })
    return new Response(null, { status: 201 })
  }

  close(): void {
    void this.#server.stop(true)
  }
}
