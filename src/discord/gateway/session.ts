import { errorFields } from '../../core/log.ts'
import type { Parts } from '../../parts.ts'
import type { Status } from '../../features/status/model.ts'
import type { Facts } from '../facts.ts'
import { shardOf } from '../snowflake.ts'
import type { ParleyEvent } from './dispatch.ts'
import { wantedTypes } from './events.ts'
import { selfOf } from '../shapes/users.ts'
import { guildCreate } from './guild-create.ts'
import type { GuildTexts } from './guild-texts.ts'
import type { Encoded, Receiver, Translator } from './translator.ts'
import { INTENT } from './intents.ts'
import type { KeptSession } from './kept-sessions.ts'
import { missedEvents } from './missed-events.ts'
import type { BareReady } from '../../gateway/socket.ts'
import type { Ready } from '../../gateway/model.ts'
import type { WaitingSnapshot } from './native-socket.ts'
import { SentEvents } from './sent-events.ts'

/** Dispatches that wait while a session begins. A session with more resumes later. */
const HELD_MAX = 20_000
/** Garbage that the event of a server leaves, in handshakes of our own gateway. */
const HANDSHAKES_PER_SERVER = 1
/** Events translated together when a bot returns. */
const REPLAY_BATCH = 200

/** Sends what a session writes. */
export interface Outlet {
  dispatch(t: string, s: number, body: string): void
  /** Asks the bot to connect again and resume. */
  reconnect(): void
  /** Waits until the bot has read most of what it was sent. */
  drain(): Promise<void>
  /** Tells the bot that its session cannot be resumed. */
  invalidate(): void
  /** The address at which the bot resumes. */
  readonly resumeUrl: string
}

/** The parts of the server that sessions use. */
export interface SessionTools {
  parts: Parts
  facts: Facts
  translator: Translator
  guilds: GuildTexts
  statusOf(userId: number): Status
  /** Counts the garbage of a session's beginning, in handshakes of our own gateway. */
  noteGarbage(handshakes: number): void
}

/** An earlier session of the bot, or an earlier connection of this one. */
export interface Earlier {
  /** The newest event that the bot has received. */
  newest_id: number
  /** The newest events that it was sent; null if that is unknown. */
  sentIds: number[] | null
  /** Since when it has been away. */
  seen_at: string
  /** True if the bot goes on; false if it has forgotten its session, and begins anew where that ended. */
  isResuming: boolean
}

/** A bot that begins anew knows the state of its servers from their events, so it gets no changes but these. */
const OF_MESSAGES = ['message.created', 'message.updated', 'message.deleted', 'message.reactions']

/**
 * A bot's session on Discord's gateway: the order and the numbers of what it is sent.
 *
 * `s` of a dispatch is the id of its event in the log, less the id at which the session began; that of an ephemeral
 * event repeats the last one. So the number that a bot resumes from tells its position in the log, although nothing is
 * written while events are sent. Events are published as they commit, not in the order of their ids: the session
 * remembers the newest ones that it sent, which are kept when the bot disconnects or the server stops.
 *
 * While a session begins, and while the event of a new server is read, dispatches wait in their order. So do further
 * servers, because a bot may be removed from a server and added again meanwhile.
 */
export class Session implements Receiver {
  /** Made when it is needed first: most bots of a restart send nothing for long. */
  #sent: SentEvents | undefined
  #newestId: number
  #queue: ([number | undefined, Encoded[]] | WaitingSnapshot)[] | undefined = []
  #ready: BareReady | undefined
  /** Snapshots by server, until the bot has its event. */
  #snapshots: Map<number, WaitingSnapshot> | undefined
  /** Dropped once the bot has caught up, because it has up to 5,000 ids. */
  #earlier: Earlier | undefined
  #isBegun = false
  /** Runs in turns; undefined while nothing runs. */
  #work: Promise<void> | undefined

  constructor(
    private readonly tools: SessionTools,
    readonly row: KeptSession,
    private readonly largeThreshold: number,
    private readonly outlet: Outlet,
    earlier?: Earlier,
  ) {
    this.#earlier = earlier
    this.#newestId = earlier?.newest_id ?? row.base_id + 1
    if (earlier) this.#sent = new SentEvents([...(earlier.sentIds ?? []), this.#newestId], row.base_id)
  }

  /** The newest events that were sent. */
  get sentIds(): number[] {
    return this.#sent?.ids ?? [this.#newestId]
  }

  #sentEvents(): SentEvents {
    return (this.#sent ??= new SentEvents([this.#newestId], this.row.base_id))
  }

  reconnect(): void {
    this.outlet.reconnect()
  }

  begin({ type, d }: ParleyEvent): void {
    // NativeSocket has made these, so their payloads have the declared types.
    if (type === 'ready') this.#ready = d as BareReady
    else if (type === 'server.snapshot') this.#addSnapshot(d as WaitingSnapshot)
    else if (!this.#isBegun) {
      this.#isBegun = true
      this.#hold(() => (this.#earlier?.isResuming ? this.#resume() : this.#start()))
    }
  }

  take(s: number | undefined, dispatches: Encoded[]): void {
    if (dispatches.length === 0) return
    if (!this.#queue) return this.#send(s, dispatches)
    this.#queue.push([s, dispatches])
    if (this.#queue.length > HELD_MAX) this.reconnect()
  }

  wants(intents: number): boolean {
    return (this.row.intents & intents) !== 0
  }

  /** Sends the answer to a request of this bot. */
  tell(t: string, body: object): void {
    this.#write(t, JSON.stringify(body))
  }

  #addSnapshot(snapshot: WaitingSnapshot): void {
    const { serverId } = snapshot
    this.#snapshots ??= new Map()
    this.#snapshots.get(serverId)?.end()
    this.#snapshots.set(serverId, snapshot)
    // One that comes later is of a server that the bot was just added to.
    if (!this.#isBegun) return
    if (this.#queue) this.#queue.push(snapshot)
    else this.#hold(() => this.#tellServer(snapshot))
  }

  /** Runs work in its turn, and keeps dispatches back meanwhile. */
  #hold(work: () => Promise<void>): void {
    this.#queue ??= []
    const turn = (this.#work ?? Promise.resolve()).then(work).catch((error: unknown) => {
      this.tools.parts.log('warn', 'discord.session', errorFields(error))
      this.reconnect()
    })
    this.#work = turn
    void turn.then(() => {
      if (this.#work !== turn) return
      this.#work = undefined
      this.#release()
    })
  }

  #release(): void {
    const queue = this.#queue ?? []
    for (const [at, item] of queue.entries()) {
      if (Array.isArray(item)) this.#send(...item)
      else {
        queue.splice(0, at + 1)
        return this.#hold(() => this.#tellServer(item))
      }
    }
    this.#queue = undefined
  }

  async #start(): Promise<void> {
    const ready = this.#ready
    if (!ready) return
    const { facts } = this.tools
    const { row } = this
    const user: Ready['user'] = JSON.parse(ready.userText)
    facts.know('user', user.id, user.created_at)
    const d = await facts.resolve((of) => ({
      v: 10,
      user: selfOf(of, { ...user, kind: 'bot' }),
      session_type: 'normal',
      session_id: row.id,
      resume_gateway_url: this.outlet.resumeUrl,
      shard: [row.shard_id, row.shard_count],
      application: { id: of.id('user', user.id), flags: 0 },
      guilds: ready.serverIds
        .map((id) => ({ id: of.id('server', id), unavailable: true }))
        .filter(({ id }) => this.#isOnShard(id)),
      private_channels: [],
      relationships: [],
      presences: [],
      guild_join_requests: [],
      geo_ordered_rtc_regions: [],
      auth: {},
      user_settings: {},
      _trace: [],
    }))
    this.#write('READY', JSON.stringify(d))
    // Further ones wait in the queue.
    const ofConnection = [...(this.#snapshots?.values() ?? [])]
    for (const snapshot of ofConnection) await this.#tellServer(snapshot)
    this.#ready = undefined
    if (this.#earlier) await this.#catchUp(this.#earlier, OF_MESSAGES)
    this.#earlier = undefined
  }

  /** Sends the event of a server, unless a newer snapshot of it has come. */
  async #tellServer(snapshot: WaitingSnapshot): Promise<void> {
    if (this.#snapshots?.get(snapshot.serverId) !== snapshot) return
    try {
      if (this.wants(INTENT.guilds)) await this.#sendServer(snapshot)
    } finally {
      snapshot.end()
      this.#forget(snapshot)
    }
  }

  #forget(snapshot: WaitingSnapshot): void {
    if (this.#snapshots?.get(snapshot.serverId) !== snapshot) return
    this.#snapshots.delete(snapshot.serverId)
    if (this.#snapshots.size === 0) this.#snapshots = undefined
  }

  async #sendServer(snapshot: WaitingSnapshot): Promise<void> {
    const { user_id, intents } = this.row
    const { parts, facts, guilds, statusOf } = this.tools
    const { largeThreshold } = this
    const text = await guilds.of(snapshot.texts)
    if (!this.#isOnShard(text.lists.guild)) return
    // Before the event is made, so that slow bots do not keep theirs in memory.
    await this.outlet.drain()
    this.tools.noteGarbage(HANDSHAKES_PER_SERVER)
    const voiceStates = this.#ready?.voiceStates ?? []
    const wishes = { user_id, intents, largeThreshold, statusOf, voiceStates }
    const body = await guildCreate(parts.sql, facts, text, snapshot, wishes)
    if (body !== undefined) this.#write('GUILD_CREATE', body)
  }

  async #resume(): Promise<void> {
    // One that comes meanwhile is of a server that the bot is added to, and waits for its turn.
    const ofConnection = [...(this.#snapshots?.values() ?? [])]
    if (this.#earlier && !(await this.#catchUp(this.#earlier, wantedTypes))) return this.outlet.invalidate()
    this.#earlier = undefined
    for (const snapshot of ofConnection) {
      snapshot.end()
      this.#forget(snapshot)
    }
    this.#ready = undefined
    this.#write('RESUMED', '{"_trace":[]}')
  }

  /** Sends what the bot has missed. @returns false if that is too much, or too long ago */
  async #catchUp({ newest_id, sentIds, seen_at }: Earlier, types: string[]): Promise<boolean> {
    const { parts, translator } = this.tools
    const sent = this.#sentEvents()
    const position = {
      user_id: this.row.user_id,
      newest_id,
      seen_at,
      sent_ids: sentIds === null ? undefined : sent,
      from_id: sent.forgottenId,
    }
    const events = await missedEvents(parts.sql, position, parts.environment.RESUME_WINDOW, types)
    if (!events) return false
    for (let at = 0; at < events.length; at += REPLAY_BATCH) {
      const batch = events.slice(at, at + REPLAY_BATCH)
      const translated = await translator.translateAll(batch)
      await this.outlet.drain()
      for (const [index, { type, s, d }] of batch.entries()) {
        // The bot was added to this server while it was away.
        const added = type === 'server.created' && this.#snapshots?.get((d as { id: number }).id)
        if (added) await this.#tellServer(added)
        // Events up to the newest one that the bot has are sent again only if they were lost.
        if (s !== undefined && s > newest_id) sent.delete(s)
        this.#send(s, translated[index] ?? [])
      }
    }
    return true
  }

  #send(s: number | undefined, dispatches: Encoded[]): void {
    if (s !== undefined && !this.#note(s)) return
    for (const encoded of dispatches) {
      const { t, intent, guild, addressed, about, isFor } = encoded.dispatch
      const { intents, user_id } = this.row
      if (isFor && !isFor(user_id)) continue
      if (intent !== 0 && (intents & intent) === 0 && about !== user_id) continue
      if (!this.#isOnShard(guild)) continue
      const hasContent = (intents & INTENT.content) !== 0 || (addressed?.includes(user_id) ?? true)
      this.#write(t, encoded.body(hasContent, user_id))
    }
  }

  /** Remembers an event as sent. @returns false if it was sent before */
  #note(id: number): boolean {
    if (id <= this.row.base_id || !this.#sentEvents().add(id)) return false
    this.#newestId = Math.max(this.#newestId, id)
    return true
  }

  #write(t: string, body: string): void {
    this.outlet.dispatch(t, this.#newestId - this.row.base_id, body)
  }

  #isOnShard(guild: string | null): boolean {
    const { shard_id, shard_count } = this.row
    if (shard_count === 1) return true
    return (guild === null ? 0 : shardOf(guild, shard_count)) === shard_id
  }
}
