import { Problem } from '../../core/errors.ts'
import { callerOf } from '../../http/caller.ts'
import { admitAddress } from '../../features/sessions/identity.ts'
import type { SocketServer } from '../../gateway/socket.ts'
import type { Parts } from '../../parts.ts'
import { refusal } from '../refusals.ts'
import type { Bots } from './bots.ts'
import { Connection, type Requests } from './connection.ts'
import { Unidentified } from './unidentified.ts'

/** Accepts connections to Discord's gateway, and bounds those that have not identified. */
export class Connections {
  readonly #unidentified = new Unidentified<Connection>()
  readonly #requests: Requests
  /** The origin of the last connection, to share one string: nearly all have the same. */
  #base = ''

  constructor(
    private readonly parts: Parts,
    bots: Bots,
  ) {
    const identified =
      (run: (connection: Connection, d: unknown) => Promise<void>) => async (connection: Connection, d: unknown) => {
        this.#unidentified.remove(connection)
        await run(connection, d)
      }
    this.#requests = {
      identify: identified((connection, d) => bots.identify(connection, d)),
      resume: identified((connection, d) => bots.resume(connection, d)),
      members: (connection, d) => bots.members(connection, d),
      sounds: (connection, d) => bots.sounds(connection, d),
      presence: (connection, d) => bots.presence(connection, d),
      voice: (connection, d) => bots.voice(connection, d),
      noteSign: (connection) => bots.noteSign(connection),
      drained: (connection) => bots.drained(connection),
      handOver: (connection) => bots.handOver(connection),
      sessionEnded: (connection) => bots.sessionEnded(connection),
      closed: (connection, isGivenUp) => {
        this.#unidentified.remove(connection)
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
      this.#unidentified.demandSpace(caller.ip)
      if (caller.base !== this.#base) this.#base = caller.base
      const connection = new Connection(this.#requests, this.#base, compress !== null)
      const headers = { 'x-request-id': caller.request_id }
      if (!server.upgrade(request, { data: connection, headers }))
        throw new Problem('bad_request', 'This is a WebSocket endpoint')
      this.#unidentified.add(connection, caller.ip)
      return undefined
    } catch (error) {
      return refusal(error, undefined)
    }
  }
}
