import { Problem } from '../../core/errors.ts'
import { callerOf } from '../../http/caller.ts'
import { addressKey } from '../../features/sessions/address.ts'
import { admitAddress } from '../../features/sessions/identity.ts'
import type { SocketServer } from '../../gateway/socket.ts'
import type { Parts } from '../../parts.ts'
import { refusal } from '../refusals.ts'
import type { Bots } from './bots.ts'
import { Connection, type Requests } from './connection.ts'

/** Connections of this process whose bot is not known yet, in all and by address. */
const WAITING_MAX = 2_000
const WAITING_PER_ADDRESS_MAX = 100

/** Accepts connections to Discord's gateway, and bounds those that have not identified. */
export class Connections {
  readonly #waiting = new Map<Connection, string>()
  readonly #byAddress = new Map<string, number>()
  readonly #requests: Requests

  constructor(
    private readonly parts: Parts,
    bots: Bots,
  ) {
    const identified =
      (run: (connection: Connection, d: unknown) => Promise<void>) => async (connection: Connection, d: unknown) => {
        this.#leave(connection)
        await run(connection, d)
      }
    this.#requests = {
      identify: identified((connection, d) => bots.identify(connection, d)),
      resume: identified((connection, d) => bots.resume(connection, d)),
      members: (connection, d) => bots.members(connection, d),
      presence: (connection, d) => bots.presence(connection, d),
      noteSign: (connection) => bots.noteSign(connection),
      drained: (connection) => bots.drained(connection),
      closed: (connection, isGivenUp) => {
        this.#leave(connection)
        bots.closed(connection, isGivenUp)
      },
    }
  }

  /** @returns undefined when the request became a socket */
  async upgrade(request: Request, server: SocketServer): Promise<Response | undefined> {
    const caller = callerOf(request)
    caller.route = '/discord/gateway'
    try {
      await admitAddress(this.parts, caller)
      const query = new URL(request.url).searchParams
      const compress = query.get('compress')
      if ((query.get('encoding') ?? 'json') !== 'json') throw new Problem('bad_request', 'The encoding must be json')
      if (compress !== null && compress !== 'zlib-stream')
        throw new Problem('bad_request', 'The compression must be zlib-stream')
      const key = addressKey(caller.ip)
      const count = this.#byAddress.get(key) ?? 0
      if (this.#waiting.size >= WAITING_MAX || count >= WAITING_PER_ADDRESS_MAX)
        throw new Problem('rate_limited', undefined, { retry_after: 5 })
      const connection = new Connection(this.#requests, caller.base, compress !== null)
      const headers = { 'x-request-id': caller.request_id }
      if (!server.upgrade(request, { data: { foreign: connection }, headers }))
        throw new Problem('bad_request', 'This is a WebSocket endpoint')
      this.#waiting.set(connection, key)
      this.#byAddress.set(key, count + 1)
      return undefined
    } catch (error) {
      return refusal(error, undefined)
    }
  }

  #leave(connection: Connection): void {
    const key = this.#waiting.get(connection)
    if (key === undefined) return
    this.#waiting.delete(connection)
    const count = (this.#byAddress.get(key) ?? 1) - 1
    if (count > 0) this.#byAddress.set(key, count)
    else this.#byAddress.delete(key)
  }
}
