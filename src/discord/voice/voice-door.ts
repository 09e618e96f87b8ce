import { Problem } from '../../core/errors.ts'
import { errorFields } from '../../core/log.ts'
import { parseIp } from '../../core/ip.ts'
import { SPECIAL_PURPOSE } from '../../core/special-addresses.ts'
import { admitAddress } from '../../features/sessions/identity.ts'
import type { SocketServer } from '../../gateway/socket.ts'
import { type Caller, callerOf } from '../../http/caller.ts'
import type { Parts } from '../../parts.ts'
import { Unidentified } from '../gateway/unidentified.ts'
import { refusal } from '../refusals.ts'
import type { BotCall } from './bot-call.ts'
import { Relays } from './relays.ts'
import type { VoiceUdp } from './udp.ts'
import { VoiceConnection, type VoiceRequests } from './voice-connection.ts'
import { VOICE_CLOSE, VOICE_OP, VoiceIdentify, VoiceResume } from './wire.ts'

/** Finds the call that a bot may enter with a token. */
interface CallFinder {
  /** @param guildId the Discord id of the server that the bot names */
  find(token: string, guildId: string): BotCall | undefined
  /** The Discord id of the call's bot. */
  botIdOf(call: BotCall): Promise<string>
}

/** Accepts connections to Discord's voice gateway, and brings each to its call. */
export class VoiceDoor {
  readonly #unidentified = new Unidentified<VoiceConnection>()
  readonly #calls = new Map<VoiceConnection, BotCall>()
  readonly #requests: VoiceRequests = {
    identify: (connection, d) =>
      void this.#identify(connection, d).catch((error: unknown) => {
        this.parts.log('warn', 'discord.voice_begin', errorFields(error))
        // The library then tries again.
        connection.close(VOICE_CLOSE.sessionInvalid)
      }),
    resume: (connection, d) => this.#resume(connection, d),
    select: (connection, d) => {
      const call = this.#calls.get(connection)
      if (!call) return connection.close(VOICE_CLOSE.notAuthenticated)
      if (!call.admit()) return connection.close(VOICE_CLOSE.rateLimited)
      call.select(connection, d)
    },
    closed: (connection) => {
      this.#unidentified.remove(connection)
      this.#calls.get(connection)?.disconnected(connection)
      this.#calls.delete(connection)
      this.#relays.ended(connection)
    },
  }
  readonly #relays: Relays

  constructor(
    private readonly parts: Parts,
    private readonly udp: VoiceUdp,
    private readonly finder: CallFinder,
  ) {
    const newConnection = (demandedIp: string | undefined) => new VoiceConnection(this.#requests, demandedIp)
    this.#relays = new Relays({ nodes: parts.nodes, newConnection })
  }

  /** Call when the server stops: connections to calls of other processes go to them by another one. */
  stop(): void {
    this.#relays.stop()
  }

  /** @returns undefined when the request became a socket */
  async upgrade(request: Request, server: SocketServer): Promise<Response | undefined> {
    const caller = callerOf(request)
    caller.route = '/discord/voice'
    try {
      await admitAddress(this.parts, caller)
      this.#unidentified.demandSpace(caller.ip)
      const connection = new VoiceConnection(this.#requests, provenIp(caller))
      const headers = { 'x-request-id': caller.request_id }
      if (!server.upgrade(request, { data: connection, headers }))
        throw new Problem('bad_request', 'This is a WebSocket endpoint')
      this.#unidentified.add(connection, caller.ip)
      return undefined
    } catch (error) {
      return refusal(error, undefined)
    }
  }

  async #identify(connection: VoiceConnection, d: unknown): Promise<void> {
    const { data } = VoiceIdentify.safeParse(d)
    if (!data) return connection.close(VOICE_CLOSE.decode)
    if (this.#passOn(connection, VOICE_OP.identify, data)) return
    this.#unidentified.remove(connection)
    const call = this.finder.find(data.token, data.server_id)
    if (call && !call.admit()) return connection.close(VOICE_CLOSE.rateLimited)
    if (!call || (await this.finder.botIdOf(call)) !== data.user_id)
      return connection.close(VOICE_CLOSE.authenticationFailed)
    const address = await this.udp.open().catch(() => undefined)
    if (!connection.isOpen) return
    if (!address || call.isEnded) return connection.close(VOICE_CLOSE.sessionInvalid)
    this.#calls.set(connection, call)
    call.identify(connection, address)
  }

  #resume(connection: VoiceConnection, d: unknown): void {
    const { data } = VoiceResume.safeParse(d)
    if (!data) return connection.close(VOICE_CLOSE.decode)
    if (this.#passOn(connection, VOICE_OP.resume, data)) return
    this.#unidentified.remove(connection)
    const call = this.finder.find(data.token, data.server_id)
    if (call && !call.admit()) return connection.close(VOICE_CLOSE.rateLimited)
    if (!call?.resume(connection)) return connection.close(VOICE_CLOSE.sessionInvalid)
    this.#calls.set(connection, call)
  }

  /** @returns true if another process has the call */
  #passOn(connection: VoiceConnection, op: number, d: { token: string }): boolean {
    // Until that process answers, nobody knows whether the token is right.
    const onAnswer = () => {
      this.#unidentified.remove(connection)
      connection.noteIdentified()
    }
    return this.#relays.begin(connection, d.token, { op, d }, onAnswer)
  }
}

/** The public IPv4 address of a client, if it is certain: its UDP packets then come from there too. */
function provenIp({ ip, way }: Caller): string | undefined {
  const bytes = way === 'direct' || way === 'named' ? parseIp(ip) : undefined
  return bytes?.length === 4 && !SPECIAL_PURPOSE.has(bytes) ? ip : undefined
}
