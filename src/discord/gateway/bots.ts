import { randomBytes } from 'node:crypto'
import { errorFields } from '../../core/log.ts'
import { Problem } from '../../core/errors.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Authenticated, Sessions } from '../../features/sessions/store.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import { newSocketData } from '../../gateway/socket.ts'
import type { Parts } from '../../parts.ts'
import { Facts } from '../facts.ts'
import { Ids } from '../ids.ts'
import type { FileLinks } from '../file-links.ts'
import { Connection, type Requests } from './connection.ts'
import { Translator } from './translator.ts'
import type { BotCalls, CallKeeping } from '../voice/bot-calls.ts'
import type { Bot } from '../voice/bot-call.ts'
import { VoiceStateRequest } from '../voice/wire.ts'
import { GuildTexts } from './guild-texts.ts'
import { INTENT, INTENTS_MAX } from './intents.ts'
import { type KeptSession, KeptSessions } from './kept-sessions.ts'
import { MembersRequest, sendMembers } from './members-chunk.ts'
import { NativeSocket, type Output } from './native-socket.ts'
import { sendSounds, SoundsRequest } from './sounds.ts'
import { type Earlier, Session, type SessionTools } from './session.ts'
import { CLOSE, Identify, Resume } from './wire.ts'

/** Members in the event of a server, unless the bot says otherwise. */
const LARGE_THRESHOLD = 50
/** New sessions of a bot, one for each shard that starts. */
const IDENTIFIES: BucketPolicy = { name: 'discord-identify', burst: 60, refillPerS: 0.5 }
const VOICE_STATES: BucketPolicy = { name: 'discord-voice', burst: 30, refillPerS: 0.5 }
const MEMBER_LISTS: BucketPolicy = { name: 'discord-members', burst: 30, refillPerS: 0.5 }
const SOUND_LISTS: BucketPolicy = { name: 'discord-sounds', burst: 10, refillPerS: 0.2 }

/** The bots that are connected to Discord's gateway on this process. */
export class Bots implements Requests {
  readonly facts: Facts
  readonly ids: Ids
  readonly #translator: Translator
  readonly #store: KeptSessions
  readonly #live = new Map<Connection, Bot>()
  /** Sessions whose state is being written. */
  readonly #keeping = new Set<Promise<void>>()
  readonly #tools: SessionTools
  readonly calls: BotCalls

  constructor(
    private readonly parts: Parts,
    private readonly sessions: Sessions,
    private readonly gateway: Gateway,
    links: FileLinks,
    openCalls: (tools: CallKeeping) => BotCalls,
  ) {
    const { sql, bus, log } = parts
    this.facts = new Facts(sql)
    this.ids = new Ids(sql)
    this.#store = new KeptSessions(sql)
    this.#translator = new Translator(bus, this.facts, log, links)
    gateway.follow(this.#translator.hasSubscribers)
    const statusOf = (userId: number) => gateway.presence.statusOf(userId)
    const keep: CallKeeping['keep'] = (id, call) => this.#store.keepVoice(id, call)
    this.calls = openCalls({ facts: this.facts, ids: this.ids, keep })
    const noteGarbage = (handshakes: number) => gateway.noteGarbage(handshakes)
    const guilds = new GuildTexts(sql, this.facts, (texts, bytes) => gateway.charge(texts, bytes))
    this.#tools = { parts, facts: this.facts, translator: this.#translator, guilds, statusOf, noteGarbage }
  }

  async identify(connection: Connection, d: unknown): Promise<void> {
    const { data } = Identify.safeParse(d)
    if (!data) return connection.close(CLOSE.decode)
    const [shard_id, shard_count] = data.shard ?? [0, 1]
    if (shard_id >= shard_count) return connection.close(CLOSE.invalidShard)
    await this.#guarded(connection, async () => {
      const me = await this.#authenticate(connection, data.token)
      if (!me) return
      if (!(await this.parts.limits.count(IDENTIFIES, `user:${me.id}`))) return connection.close(CLOSE.rateLimited)
      await this.#settled()
      const intents = data.intents & INTENTS_MAX
      const id = randomBytes(16).toString('hex')
      const own = { id, user_id: me.id, session_id: me.session_id, intents, shard_id, shard_count }
      const { newest_id, sent_ids, seen_at, voice } = await this.#store.begin(own)
      const row: KeptSession = { ...own, base_id: newest_id - 1, sent_ids: null, voice }
      const earlier = seen_at === null ? undefined : { newest_id, sentIds: sent_ids, seen_at, isResuming: false }
      this.#open(connection, me, row, data.large_threshold ?? LARGE_THRESHOLD, earlier)
    })
  }

  async resume(connection: Connection, d: unknown): Promise<void> {
    const { data } = Resume.safeParse(d)
    if (!data) return connection.close(CLOSE.decode)
    await this.#guarded(connection, async () => {
      const me = await this.#authenticate(connection, data.token)
      if (!me) return
      // The server may not know yet that the earlier connection is dead.
      const earlier = [...this.#live].find(([, { session }]) => session.row.id === data.session_id)
      if (earlier && earlier[1].session.row.user_id === me.id) {
        this.closed(earlier[0], false)
        earlier[0].terminate()
      }
      await this.#settled()
      const row = await this.#store.take(data.session_id, { user_id: me.id, session_id: me.session_id })
      if (!row) return connection.invalidate()
      const newest_id = row.base_id + Math.max(1, data.seq ?? 1)
      // The session remembers its events by itself.
      this.#open(connection, me, { ...row, sent_ids: null }, LARGE_THRESHOLD, {
        newest_id,
        sentIds: row.sent_ids,
        seen_at: row.seen_at,
        isResuming: true,
      })
    })
  }

  async members(connection: Connection, d: unknown): Promise<void> {
    const live = this.#live.get(connection)
    if (!live) return connection.close(CLOSE.notAuthenticated)
    const { data } = MembersRequest.safeParse(d)
    if (!data) return connection.close(CLOSE.decode)
    const { user_id, intents } = live.session.row
    if (!(await this.parts.limits.count(MEMBER_LISTS, `user:${user_id}`))) return connection.close(CLOSE.rateLimited)
    const { facts, ids } = this
    const tools = { user_id, facts, ids, statusOf: this.#tools.statusOf }
    const mayListAll = (intents & INTENT.members) !== 0
    await sendMembers(this.parts.sql, data, tools, mayListAll, async (body) => {
      await connection.drain()
      live.session.tell('GUILD_MEMBERS_CHUNK', body)
    }).catch((error: unknown) => {
      // As Discord, which is silent about servers that the bot is not in.
      if (!(error instanceof Problem)) this.parts.log('warn', 'discord.members', errorFields(error))
    })
  }

  async sounds(connection: Connection, d: unknown): Promise<void> {
    const live = this.#live.get(connection)
    if (!live) return connection.close(CLOSE.notAuthenticated)
    const { data } = SoundsRequest.safeParse(d)
    if (!data) return connection.close(CLOSE.decode)
    const { user_id } = live.session.row
    if (!(await this.parts.limits.count(SOUND_LISTS, `user:${user_id}`))) return connection.close(CLOSE.rateLimited)
    const { facts, ids } = this
    await sendSounds(this.parts.sql, data, { user_id, facts, ids }, async (body) => {
      await connection.drain()
      live.session.tell('SOUNDBOARD_SOUNDS', body)
    }).catch((error: unknown) => this.parts.log('warn', 'discord.sounds', errorFields(error)))
  }

  presence(connection: Connection, d: unknown): void {
    const live = this.#live.get(connection)
    if (!live) return connection.close(CLOSE.notAuthenticated)
    const status = typeof d === 'object' && d !== null && 'status' in d ? d.status : 'online'
    const isIdle = status === 'idle' || status === 'dnd'
    this.gateway.presence.set(live.session.row.user_id, isIdle ? 'idle' : 'online')
  }

  async voice(connection: Connection, d: unknown): Promise<void> {
    const live = this.#live.get(connection)
    if (!live) return connection.close(CLOSE.notAuthenticated)
    const { data } = VoiceStateRequest.safeParse(d)
    if (!data) return connection.close(CLOSE.decode)
    const { user_id } = live.session.row
    if (!(await this.parts.limits.count(VOICE_STATES, `user:${user_id}`))) return connection.close(CLOSE.rateLimited)
    await this.calls.request(live, data)
  }

  closed(connection: Connection, isGivenUp: boolean, code = 1000): void {
    const live = this.#live.get(connection)
    if (!live) return
    this.#live.delete(connection)
    const { native, session } = live
    this.gateway.handleClose(native, code)
    this.calls.closed(native)
    this.#translator.remove(native)
    const keeping = isGivenUp ? this.#store.end(session.row.id) : this.#store.keep(session.row.id, session.sentIds)
    const done = keeping
      .catch((error: unknown) => this.parts.log('warn', 'discord.keep', errorFields(error)))
      .then(() => void this.#keeping.delete(done))
    this.#keeping.add(done)
  }

  /** The bot may resume at another process at once, so its session is kept before it hears that it has to. */
  async handOver(connection: Connection): Promise<void> {
    this.closed(connection, false, 1012)
    await this.#settled()
    connection.reconnect()
  }

  sessionEnded(connection: Connection): void {
    this.closed(connection, true)
  }

  noteSign(connection: Connection): void {
    const native = this.#live.get(connection)?.native
    if (!native) return
    native.data.heardAt = Date.now()
    native.data.pingsUnanswered = 0
  }

  drained(connection: Connection): void {
    const native = this.#live.get(connection)?.native
    if (native) this.gateway.drained(native)
  }

  /** Takes what our gateway sends to a bot. Frames of its call are not events of Discord's gateway. */
  readonly #output: Output = {
    begin: (socket, event) => this.#translator.begin(socket, event),
    send: (socket, text) => {
      if (!this.calls.take(socket, text)) this.#translator.send(socket, text)
    },
    subscribe: (socket, topic) => this.#translator.subscribe(socket, topic),
    unsubscribe: (socket, topic) => this.#translator.unsubscribe(socket, topic),
    isSubscribed: (socket, topic) => this.#translator.isSubscribed(socket, topic),
  }

  /** Keeps all sessions, so that their bots resume when the server runs again. */
  async stop(): Promise<void> {
    for (const connection of this.#live.keys()) this.closed(connection, false)
    await this.#settled()
  }

  #open(connection: Connection, me: Authenticated, row: KeptSession, largeThreshold: number, earlier?: Earlier): void {
    if (!connection.isOpen) return
    connection.noteIdentified()
    const session = new Session(this.#tools, row, largeThreshold, connection, earlier)
    const native = new NativeSocket(newSocketData(me, undefined, connection.base), this.#output, connection)
    const bot = { native, session }
    this.#live.set(connection, bot)
    this.#translator.add(native, session)
    this.gateway.handleOpen(native)
    this.calls.opened(bot, earlier?.isResuming ?? false)
  }

  async #authenticate(connection: Connection, token: string): Promise<Authenticated | undefined> {
    const me = await this.sessions.authenticate(token.replace(/^bot +/i, ''), false).catch((error: unknown) => {
      if (error instanceof Problem && error.status === 401) return undefined
      throw error
    })
    if (me?.is_bot) return me
    connection.close(CLOSE.authenticationFailed)
    return undefined
  }

  /** Runs work of a connection that is beginning. A fault lets the bot try again. */
  async #guarded(connection: Connection, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.parts.log('warn', 'discord.begin', errorFields(error))
      connection.close(CLOSE.unknown)
    }
  }

  async #settled(): Promise<void> {
    await Promise.all(this.#keeping)
  }
}
