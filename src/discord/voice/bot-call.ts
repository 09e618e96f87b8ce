import { errorFields, type Log } from '../../core/log.ts'
import { Problem } from '../../core/errors.ts'
import type { Joined, VoiceState } from '../../voice/model.ts'
import type { MemberAudio } from '../../voice/sfu/direct-audio.ts'
import { MediaUnavailable } from '../../voice/sfu/process.ts'
import type { NativeSocket } from '../gateway/native-socket.ts'
import type { Session } from '../gateway/session.ts'
import { Budget } from './budget.ts'
import { CallMedia, type MediaOutlet, type Producer } from './call-media.ts'
import { MODES } from './encryption.ts'
import { newToken } from './relays.ts'
import type { Rtp } from './rtp.ts'
import { type UdpAddress, UdpLeg } from './udp-leg.ts'
import type { VoiceUdp } from './udp.ts'
import type { VoiceConnection } from './voice-connection.ts'
import { Mode, SelectProtocol, VOICE_CLOSE, VOICE_OP, type VoiceClose } from './wire.ts'

/** Time that a call survives without a connection to the voice gateway. */
const UNCONNECTED_MS_MAX = 20_000
/** Requests that open media in the room anew. A library makes two when it connects, and one when it resumes. */
const OPENINGS_PER_S = 0.2
const OPENINGS_AT_ONCE = 10

/** Pause before media that could not be opened are tried again. */
const REOPEN_MS = 2_000

/** A bot that is connected to the main gateway. */
export interface Bot {
  native: NativeSocket
  session: Session
}

/** The parts of the server that a call uses. */
export interface CallTools {
  /** The id of this process. */
  node: string
  log: Log
  udp: VoiceUdp
  openAudio(native: NativeSocket): Promise<MemberAudio>
  /** The Discord ids of accounts, in their order. */
  userIds(ids: number[]): Promise<string[]>
  /** Call when the call has no connection to the voice gateway, and none comes. */
  onAbandoned(call: BotCall): void
}

/** The place of a call. */
export interface CallPlace {
  server_id: number
  /** The server's Discord id. */
  guild_id: string
  channel_id: number
}

/**
 * A bot in a call. Its seat is that of its socket on our own gateway, so the same rules and events apply; its media
 * come over the voice gateway and UDP instead of WebRTC. The call begins with the seat and ends with it.
 */
export class BotCall implements MediaOutlet {
  readonly token: string
  isSelfMuted = false
  isSelfDeaf = false
  /** A moderator has deafened the bot. */
  isServerDeaf = false
  /** True while the bot listens in a stage, where it sends nothing. */
  isListening = false
  /** Undefined while the bot is away from the main gateway. */
  bot: Bot | undefined
  /** The bot's session on the main gateway, which keeps where it speaks. */
  sessionId = ''
  voiceSessionId = ''
  epoch = 1
  /** The shard whose connection carries the call. */
  shard = ''
  /** The state that the bot was last sent. */
  state: VoiceState | undefined
  #connection: VoiceConnection | undefined
  #leg: UdpLeg | undefined
  #media: CallMedia | undefined
  #producers: Producer[] = []
  /** The Discord ids of the other members, by voice session. */
  readonly #members = new Map<string, string>()
  #abandoned: Timer | undefined
  #isEnded = false
  readonly #budget = new Budget(OPENINGS_PER_S, OPENINGS_AT_ONCE)
  /** Number of attempts to open media; an earlier one is void. */
  #openings = 0

  constructor(
    readonly user_id: number,
    readonly place: CallPlace,
    private readonly tools: CallTools,
  ) {
    this.token = newToken(tools.node)
    this.#expectConnection()
  }

  get isConnected(): boolean {
    return this.#connection?.isOpen ?? false
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Takes the answer to joining, resuming or being moved. */
  async enter(bot: Bot, joined: Joined): Promise<void> {
    const { shard_id, shard_count } = bot.session.row
    this.bot = bot
    this.sessionId = bot.session.row.id
    this.shard = `${shard_id} of ${shard_count}`
    const isOther = joined.voice_session_id !== this.voiceSessionId
    this.voiceSessionId = joined.voice_session_id
    this.place.channel_id = joined.channel_id
    this.epoch = joined.epoch
    this.isListening = joined.stage?.speaks === false
    this.isServerDeaf = joined.server_deaf
    await this.#meet(joined.peers)
    if (isOther || this.#media?.isClosed !== false) await this.openMedia(joined.producers)
    else this.#setProducers(joined.producers)
  }

  // Frames of our gateway.

  async join({ voice_session_id, user }: Joined['peers'][number]): Promise<void> {
    const [id] = await this.tools.userIds([user.id])
    if (id === undefined) return
    this.#members.set(voice_session_id, id)
    this.#connection?.send(VOICE_OP.clientsConnect, { user_ids: [id] })
  }

  leave(voiceSessionId: string): void {
    const id = this.#members.get(voiceSessionId)
    if (!this.#members.delete(voiceSessionId) || id === undefined) return
    this.#connection?.send(VOICE_OP.clientDisconnect, { user_id: id })
  }

  addProducer(producer: Producer): void {
    this.removeProducer(producer.producer_id)
    this.#producers = [...this.#producers, producer]
    if (!this.isSelfDeaf && !this.isServerDeaf) this.#media?.hear(producer)
  }

  removeProducer(id: string): void {
    this.#producers = this.#producers.filter(({ producer_id }) => producer_id !== id)
    this.#media?.drop(id)
  }

  /** Opens the bot's media in the room anew; without a connection that is ready, later. */
  async openMedia(producers = this.#producers): Promise<void> {
    this.#producers = producers
    const opening = ++this.#openings
    this.#media?.close()
    this.#media = undefined
    const leg = this.#leg
    if (!leg?.isSelected || !this.bot) return
    let audio: MemberAudio | undefined
    const isWanted = () => opening === this.#openings && leg === this.#leg && !this.#isEnded
    try {
      audio = await this.tools.openAudio(this.bot.native)
      if (isWanted() && !this.isListening) await audio.produce(leg.ssrc)
      if (!isWanted()) return audio.close()
      this.#media = new CallMedia(audio, this, this.tools.log)
      this.#setProducers(this.#producers)
    } catch (error) {
      audio?.close()
      // The seat or the room has ended meanwhile, and another event says so.
      const isGone = error instanceof Problem || error instanceof MediaUnavailable
      if (!isGone) this.tools.log('warn', 'discord.voice_media', errorFields(error))
      // No event says that a link to another process can be opened again.
      const again = () => isWanted() && void this.openMedia()
      if (error instanceof MediaUnavailable) setTimeout(again, REOPEN_MS).unref()
    }
  }

  /** The bot speaks in a stage from now on, or only listens. */
  async setListening(isListening: boolean): Promise<void> {
    if (isListening === this.isListening) return
    this.isListening = isListening
    // The server has closed its producer, or it needs one.
    await this.openMedia()
  }

  /** A moderator deafens the bot, or lifts that. */
  setDeafened(isDeafened: boolean): void {
    if (isDeafened === this.isServerDeaf) return
    this.isServerDeaf = isDeafened
    this.#setProducers(this.#producers)
  }

  closeMedia(): void {
    this.#openings++
    this.#media?.close()
    this.#media = undefined
  }

  setOptions({ self_mute, self_deaf }: { self_mute: boolean; self_deaf: boolean }): void {
    this.isSelfMuted = self_mute
    this.isSelfDeaf = self_deaf
    this.#setProducers(this.#producers)
  }

  // The voice gateway.

  /**
   * Counts a request to identify, resume or select: each is work for the whole room. A new connection has no new
   * share. @returns false if there are too many
   */
  admit(): boolean {
    return this.#budget.take(performance.now())
  }

  /** A connection has identified. */
  identify(connection: VoiceConnection, { ip, port }: UdpAddress): void {
    this.#take(connection)
    this.#dropLeg()
    const leg = new UdpLeg(connection.demandedIp, (rtp) => this.#say(rtp))
    this.#leg = leg
    this.tools.udp.add(leg)
    connection.send(VOICE_OP.ready, { ssrc: leg.ssrc, ip, port, modes: MODES, experiments: [] })
    this.#tellMembers()
  }

  /** A connection continues an earlier one. @returns false if there is nothing to continue */
  resume(connection: VoiceConnection): boolean {
    if (!this.#leg?.isSelected) return false
    connection.continueFrom(this.#connection)
    this.#take(connection)
    connection.answer(VOICE_OP.resumed, {})
    this.#tellMembers()
    this.#media?.announceAll()
    return true
  }

  /** The bot chooses its address and mode. */
  select(connection: VoiceConnection, d: unknown): void {
    if (connection !== this.#connection || !this.#leg) return connection.close(VOICE_CLOSE.notAuthenticated)
    const { data: choice } = SelectProtocol.safeParse(d)
    if (!choice) return connection.close(VOICE_CLOSE.decode)
    if (choice.protocol !== 'udp') return connection.close(VOICE_CLOSE.unknownProtocol)
    const { data: mode } = Mode.safeParse(choice.data.mode)
    if (!mode) return connection.close(VOICE_CLOSE.unknownMode)
    const key = this.#leg.select({ ip: choice.data.address, port: choice.data.port }, mode)
    connection.send(VOICE_OP.sessionDescription, {
      mode,
      secret_key: [...key],
      audio_codec: 'opus',
      video_codec: null,
      media_session_id: this.voiceSessionId,
      dave_protocol_version: 0,
    })
    void this.openMedia()
  }

  disconnected(connection: VoiceConnection): void {
    if (connection === this.#connection) this.#expectConnection()
  }

  // The voices of others.

  announce(voiceSessionId: string, ssrc: number): void {
    const user_id = this.#members.get(voiceSessionId)
    if (user_id !== undefined) this.#connection?.send(VOICE_OP.speaking, { user_id, ssrc, speaking: 1, delay: 0 })
  }

  send(rtp: Rtp): void {
    const leg = this.#leg
    if (!leg?.address || !leg.maySend(performance.now())) return
    const packet = leg.seal(rtp)
    if (packet) this.tools.udp.send(packet, leg.address)
    // The library then begins anew, with another key.
    else this.#connection?.close(VOICE_CLOSE.sessionInvalid)
  }

  /** Ends the call for the bot's library. Its seat stays. */
  end(close: VoiceClose = VOICE_CLOSE.disconnected): void {
    this.#isEnded = true
    clearTimeout(this.#abandoned)
    this.closeMedia()
    this.#dropLeg()
    this.#connection?.close(close)
    this.#connection = undefined
  }

  async #meet(peers: Joined['peers']): Promise<void> {
    const ids = await this.tools.userIds(peers.map(({ user }) => user.id))
    const sessions = new Set(peers.map(({ voice_session_id }) => voice_session_id))
    for (const session of this.#members.keys()) if (!sessions.has(session)) this.leave(session)
    const newIds = peers.flatMap(({ voice_session_id: session }, index) => {
      const [id, isNew] = [ids[index], !this.#members.has(session)]
      if (id !== undefined) this.#members.set(session, id)
      return id !== undefined && isNew ? [id] : []
    })
    if (newIds.length > 0) this.#connection?.send(VOICE_OP.clientsConnect, { user_ids: newIds })
  }

  #say(rtp: Rtp): void {
    if (!this.isSelfMuted) this.#media?.say(rtp)
  }

  #setProducers(producers: Producer[]): void {
    this.#producers = producers
    this.#media?.hearOnly(this.isSelfDeaf || this.isServerDeaf ? [] : producers)
  }

  #take(connection: VoiceConnection): void {
    const before = this.#connection
    this.#connection = connection
    clearTimeout(this.#abandoned)
    connection.noteIdentified()
    before?.close(VOICE_CLOSE.sessionInvalid)
  }

  #tellMembers(): void {
    const user_ids = [...this.#members.values()]
    if (user_ids.length > 0) this.#connection?.send(VOICE_OP.clientsConnect, { user_ids })
  }

  #dropLeg(): void {
    if (this.#leg) this.tools.udp.remove(this.#leg)
    this.#leg = undefined
    this.closeMedia()
  }

  #expectConnection(): void {
    clearTimeout(this.#abandoned)
    if (!this.#isEnded) this.#abandoned = setTimeout(() => this.tools.onAbandoned(this), UNCONNECTED_MS_MAX)
  }
}
