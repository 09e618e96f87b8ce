import { errorFields } from '../../core/log.ts'
import { KeyedQueue } from '../../core/keyed-queue.ts'
import { Problem } from '../../core/errors.ts'
import type { Events } from '../../core/events.ts'
import type { SocketServer } from '../../gateway/socket.ts'
import type { Parts } from '../../parts.ts'
import { SEAT_SECONDS, type Joined, type VoiceState } from '../../voice/model.ts'
import type { Voice } from '../../voice/voice.ts'
import type { Facts } from '../facts.ts'
import { translate } from '../gateway/events.ts'
import type { KeptVoice } from '../gateway/kept-sessions.ts'
import type { NativeSocket } from '../gateway/native-socket.ts'
import { Encoded } from '../gateway/translator.ts'
import type { Ids } from '../ids.ts'
import type { FileLinks } from '../file-links.ts'
import { type Bot, BotCall, type CallTools } from './bot-call.ts'
import { VoiceUdp } from './udp.ts'
import { VoiceDoor } from './voice-door.ts'
import { VOICE_CLOSE, type VoiceClose, type VoiceStateRequest } from './wire.ts'

/** Frames of our gateway about the call of the socket that they are sent to. */
const FRAME = /^{"t":"voice\.(?!state_updated")/

/** Time that a bot's own state may take to arrive from another process. */
const STATE_MS_MAX = 3_000
const STATE_POLL_MS = 20

/** The parts of the main gateway that calls use. */
export interface CallKeeping {
  facts: Facts
  ids: Ids
  /** Keeps where a bot speaks, for the next process. */
  keep(sessionId: string, voice: KeptVoice | null): Promise<void>
}

/** The parts of the server that bots' calls use. */
interface BotCallsTools extends CallKeeping {
  parts: Parts
  voice: Voice
  links: FileLinks
}

type PrivateEvent = {
  [K in keyof Events & `voice.${string}`]: { t: K; d: Events[K] }
}[keyof Events & `voice.${string}`]

/**
 * Bots made for Discord in calls. A bot asks for a call on its connection to the main gateway; it takes a seat by the
 * same command as any client, and so by the same guards. Its library then connects to the voice gateway with a token
 * that the bot was sent. An account has one seat, so a bot is in only one call.
 */
export class BotCalls {
  readonly #udp: VoiceUdp
  readonly #door: VoiceDoor
  readonly #byUser = new Map<number, BotCall>()
  readonly #byToken = new Map<string, BotCall>()
  /** Serialises the requests and events of each bot. */
  readonly #queue = new KeyedQueue()
  readonly #callTools: CallTools
  #isStopping = false

  constructor(private readonly tools: BotCallsTools) {
    const { parts, voice } = tools
    this.#udp = new VoiceUdp(parts.environment, (error) => parts.log('debug', 'discord.voice_udp', errorFields(error)))
    this.#door = new VoiceDoor(parts, this.#udp, {
      find: (token, guildId) => {
        const call = this.#byToken.get(token)
        return call?.place.guild_id === guildId ? call : undefined
      },
      botIdOf: async ({ user_id }) => (await this.#userIds([user_id]))[0] ?? '',
    })
    this.#callTools = {
      node: parts.nodes.id,
      log: parts.log,
      udp: this.#udp,
      openAudio: (native) => voice.audio.open(native.data),
      userIds: (ids) => this.#userIds(ids),
      onAbandoned: (call) => this.#run(call.user_id, () => this.#abandon(call)),
    }
  }

  upgrade(request: Request, server: SocketServer): Promise<Response | undefined> {
    return this.#door.upgrade(request, server)
  }

  /** A bot asks to join, change or leave a call. Like Discord, the server is silent about what it refuses. */
  request(bot: Bot, { guild_id, channel_id, self_mute, self_deaf }: VoiceStateRequest): Promise<void> {
    return this.#run(bot.native.data.user_id, async () => {
      const { ids } = this.tools
      const server_id = await ids.find('server', guild_id)
      if (server_id === undefined) return
      const call = this.#byUser.get(bot.native.data.user_id)
      if (channel_id === undefined || channel_id === null) {
        if (call?.place.server_id === server_id) await this.#leave(call)
        return
      }
      const id = await ids.find('channel', channel_id)
      if (id === undefined || !(await this.#isIn(id, server_id))) return
      const options = { self_mute, self_deaf }
      if (call?.bot?.native === bot.native && call.place.channel_id === id) await this.#change(bot, call, options)
      else await this.#join(bot, { guild_id, channel_id: id, server_id, ...options })
    })
  }

  /** Takes a frame of a bot's call. @returns false for other frames */
  take(socket: NativeSocket, text: string): boolean {
    if (!FRAME.test(text)) return false
    const { user_id } = socket.data
    void this.#run(user_id, async () => {
      const call = this.#byUser.get(user_id)
      if (call?.bot?.native === socket) await this.#handle(call, call.bot, JSON.parse(text))
    })
    return true
  }

  /** A bot has connected to the main gateway, anew or again. */
  opened(bot: Bot, isResuming: boolean): void {
    const { user_id, id, voice: lastCall } = bot.session.row
    // A call that ends before this bot's turn is not entered again.
    const isInCall = this.#byUser.has(user_id)
    void this.#run(user_id, async () => {
      await ready(bot.native)
      const call = this.#byUser.get(user_id)
      if (call && (call.bot || !isSameShard(call, bot))) return
      try {
        if (call) await this.#return(call, bot, isResuming)
        else if (lastCall && !isInCall) await this.#join(bot, lastCall)
      } finally {
        if (lastCall && !this.#byUser.has(user_id) && !this.#isStopping) await this.tools.keep(id, null)
      }
    })
  }

  /** A bot's connection to the main gateway has closed. Its call waits as long as its seat. */
  closed(native: NativeSocket): void {
    const call = this.#byUser.get(native.data.user_id)
    if (call?.bot?.native !== native) return
    call.bot = undefined
    const end = () =>
      void this.#run(call.user_id, async () => {
        if (!call.bot) await this.#finish(call, VOICE_CLOSE.sessionInvalid)
      })
    setTimeout(end, SEAT_SECONDS * 1000).unref()
  }

  /**
   * Ends all calls because the server stops. Libraries wait for a new address of the voice gateway, which the next
   * process sends them.
   */
  stop(): void {
    this.#isStopping = true
    this.#door.stop()
    const { handlers } = this.tools.voice
    for (const call of this.#byUser.values()) {
      call.end(VOICE_CLOSE.sessionInvalid)
      // The seat must not wait for a bot that begins anew.
      if (call.bot) handlers['voice.leave'](call.bot.native.data, {}).catch(() => undefined)
    }
    this.#byUser.clear()
    this.#byToken.clear()
    this.#udp.stop()
  }

  #run(userId: number, work: () => Promise<unknown>): Promise<void> {
    return this.#queue
      .run(`${userId}`, async () => void (this.#isStopping || (await work())))
      .catch((error: unknown) => {
        if (!(error instanceof Problem)) this.tools.parts.log('warn', 'discord.voice', errorFields(error))
      })
  }

  async #isIn(channelId: number, serverId: number): Promise<boolean> {
    const { sql } = this.tools.parts
    const rows = await sql`select from channels where id = ${channelId} and server_id = ${serverId}`
    return rows.length > 0
  }

  async #userIds(ids: number[]): Promise<string[]> {
    return this.tools.facts.resolve((of) => ids.map((id) => of.id('user', id)))
  }

  /** @throws Problem if the bot may not join */
  async #join(bot: Bot, { guild_id, server_id, channel_id, ...options }: KeptVoice): Promise<void> {
    const { voice, parts } = this.tools
    const { native } = bot
    await ready(native)
    // Opened first, so that a port that is taken costs no seat.
    await this.#udp.open()
    const before = this.#byUser.get(native.data.user_id)
    // Bots are only heard over the SFU, and a member who wants only relayed media is always routed there.
    const joined = await voice.handlers['voice.join'](native.data, { channel_id, ...options, relay_only: true })
    if (before) await this.#finish(before, VOICE_CLOSE.disconnected, bot)
    if (joined.route !== 'sfu' || !voice.audio.canCarry(native.data)) {
      await voice.handlers['voice.leave'](native.data, {})
      return parts.log('warn', 'discord.voice_unavailable', { channel_id })
    }
    const call = new BotCall(native.data.user_id, { server_id, guild_id, channel_id }, this.#callTools)
    this.#byUser.set(call.user_id, call)
    this.#byToken.set(call.token, call)
    call.setOptions(options)
    await call.enter(bot, joined)
    await this.#tellState(bot, call)
    this.#tellServer(bot, call)
    await this.#keep(bot, { guild_id, server_id, channel_id, ...options })
  }

  async #change(bot: Bot, call: BotCall, options: Pick<KeptVoice, 'self_mute' | 'self_deaf'>): Promise<void> {
    await this.tools.voice.handlers['voice.update'](bot.native.data, options)
    call.setOptions(options)
    await this.#tellState(bot, call)
    // A library that has lost its connection begins anew.
    if (!call.isConnected) this.#tellServer(bot, call)
    const { guild_id, server_id, channel_id } = call.place
    await this.#keep(bot, { guild_id, server_id, channel_id, ...options })
  }

  /** A bot is back on the main gateway while it has a seat. */
  async #return(call: BotCall, bot: Bot, isResuming: boolean): Promise<void> {
    // A bot that was restarted knows nothing of its call.
    if (!isResuming && !call.isConnected) return this.#finish(call, VOICE_CLOSE.sessionInvalid)
    const { voiceSessionId: voice_session_id, epoch } = call
    try {
      const { handlers } = this.tools.voice
      const joined = await handlers['voice.resume'](bot.native.data, { voice_session_id, epoch })
      await call.enter(bot, joined)
      if (!call.isConnected) {
        await this.#tellState(bot, call)
        this.#tellServer(bot, call)
      }
    } catch (error) {
      await this.#finish(call, VOICE_CLOSE.sessionInvalid)
      throw error
    }
  }

  async #leave(call: BotCall): Promise<void> {
    const { bot } = call
    if (bot) await this.tools.voice.handlers['voice.leave'](bot.native.data, {}).catch(() => {})
    await this.#finish(call, VOICE_CLOSE.disconnected)
  }

  /** No library has connected to the voice gateway. */
  async #abandon(call: BotCall): Promise<void> {
    if (!call.isConnected && !call.isEnded) await this.#leave(call)
  }

  /**
   * Ends a call whose seat is gone. Its session forgets it first: a bot that is away and resumes must not come back
   * unasked.
   * @param next set if another call of the bot follows, on this connection
   */
  async #finish(call: BotCall, close: VoiceClose, next?: Bot): Promise<void> {
    if (call.isEnded) return
    const { bot, state, sessionId } = call
    this.#byToken.delete(call.token)
    call.end(close)
    try {
      if (sessionId !== next?.session.row.id) await this.tools.keep(sessionId, null)
    } finally {
      if (this.#byUser.get(call.user_id) === call) this.#byUser.delete(call.user_id)
    }
    if (bot && state && !next) await this.#tell(bot, { ...state, channel_id: null })
  }

  async #handle(call: BotCall, bot: Bot, { t, d }: PrivateEvent): Promise<void> {
    switch (t) {
      case 'voice.peer_joined':
        return call.join(d)
      case 'voice.peer_updated':
        if (d.voice_session_id !== call.voiceSessionId) return
        call.setDeafened(d.server_deaf)
        if (!d.stage) return
        await call.setListening(!d.stage.speaks)
        return this.#tellState(bot, call)
      case 'voice.peer_left':
        return call.leave(d.voice_session_id)
      case 'voice.sfu.producer_new':
        return call.addProducer(d)
      case 'voice.sfu.producer_closed':
        return call.removeProducer(d.producer_id)
      case 'voice.route':
      case 'voice.sfu.reset':
        // The link to the process with the room has ended, or a worker here.
        if (t === 'voice.sfu.reset' && d.direction === 'recv') return call.openMedia(d.producers)
        if (d.epoch <= call.epoch) return
        call.epoch = d.epoch
        if (t === 'voice.route' && d.route !== 'sfu') return call.closeMedia()
        return call.openMedia(d.producers)
      case 'voice.moved':
        return this.#move(call, bot, d)
      case 'voice.disconnected': {
        if (d.voice_session_id !== call.voiceSessionId) return
        // Libraries join again by themselves unless the code is that of a disconnection by the server.
        return this.#finish(call, d.reason === 'rejoin' ? VOICE_CLOSE.sessionInvalid : VOICE_CLOSE.disconnected)
      }
      default:
    }
  }

  async #move(call: BotCall, bot: Bot, joined: Joined): Promise<void> {
    if (!this.tools.voice.audio.canCarry(bot.native.data)) return this.#leave(call)
    await call.enter(bot, joined)
    await this.#tellState(bot, call)
    const { isSelfMuted: self_mute, isSelfDeaf: self_deaf } = call
    await this.#keep(bot, { ...call.place, self_mute, self_deaf })
  }

  /** Sends the bot its own state: a library needs it before the address of the voice gateway. */
  async #tellState(bot: Bot, call: BotCall): Promise<void> {
    const find = () => this.tools.voice.statesIn([call.place.channel_id]).find(({ user }) => user.id === call.user_id)
    // The state of a call of another process arrives apart from the answers to commands.
    for (let waited = 0; !find() && waited < STATE_MS_MAX && !call.isEnded; waited += STATE_POLL_MS)
      await Bun.sleep(STATE_POLL_MS)
    const state = find()
    if (!state) return
    call.state = state
    await this.#tell(bot, { ...state, self_mute: call.isSelfMuted, self_deaf: call.isSelfDeaf })
  }

  async #tell(bot: Bot, d: Omit<VoiceState, 'channel_id'> & { channel_id: number | null }): Promise<void> {
    const { facts, links } = this.tools
    const event = { type: 'voice.state_updated', s: undefined, topic: '', d }
    const dispatches = await facts.resolve((of) => translate(of, event, links))
    // Without the intent, a bot still gets its own state.
    bot.session.take(
      undefined,
      dispatches.map((dispatch) => new Encoded({ ...dispatch, about: d.user.id })),
    )
  }

  #tellServer(bot: Bot, { token, place: { guild_id } }: BotCall): void {
    const d = { token, guild_id, endpoint: `${new URL(bot.native.data.base).host}/discord/voice` }
    bot.session.take(undefined, [new Encoded({ t: 'VOICE_SERVER_UPDATE', intent: 0, guild: guild_id, d })])
  }

  async #keep({ session }: Bot, voice: KeptVoice | null): Promise<void> {
    await this.tools.keep(session.row.id, voice)
  }
}

/** Waits until our gateway has subscribed a socket. */
async function ready({ data }: NativeSocket): Promise<void> {
  if (data.state !== 'live') await data.refreshing
}

/** True if the bot's connection gets the events of the call's server. */
const isSameShard = ({ shard }: BotCall, { session: { row } }: Bot): boolean =>
  shard === `${row.shard_id} of ${row.shard_count}`
