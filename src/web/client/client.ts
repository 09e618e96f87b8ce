import { type Call, openApi } from './rest.ts'
import { Gateway } from './gateway.ts'
import { type Draft, Outbox, type Shelf } from './outbox.ts'

export interface ClientOptions {
  /** The server's origin; absent in a page that it serves itself. */
  base?: string
  /** A bearer token; absent where the browser keeps the cookie. */
  token?: string
  /** Keeps what is not sent yet. */
  shelf?: Shelf
  /** Told when the server has taken a message: with its answer, which the gateway tells of too. */
  onSent?: (draft: Draft, message: unknown) => void
}

/** A client of Parley's public contract, for browsers and for Bun. It holds no state of what it is told. */
export interface Client {
  /** REST, by the names of the endpoints. */
  call: Call
  /** Events and commands. */
  gateway: Gateway
  /** Sending, over whatever network. */
  outbox: Outbox
}

/** Opens a client; `gateway.connect()` begins. */
export function openClient({ base = '', token, shelf, onSent = () => {} }: ClientOptions = {}): Client {
  const call = openApi({ base, token })
  const outbox = new Outbox(call, onSent, shelf)
  const renew = async (cause: 'expired' | 'refused') => {
    // A browser does not say why a socket was refused; REST does. While the server is away it is asked again.
    const asked = cause === 'expired' && token === undefined ? call('POST /api/auth/refresh') : call('GET /api/auth/me')
    return asked.then(
      () => true,
      (error) => error.status !== 401,
    )
  }
  const gateway = new Gateway({ base, token, renew })
  gateway.watch((state) => state === 'online' && outbox.flush())
  return { call, gateway, outbox }
}
