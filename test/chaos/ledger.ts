import type { Frame } from '../support/socket.ts'
import { type ChannelName, type Change, CLIENTS, PLACES, SERVERS } from './plan.ts'
import type { Atlas } from './world.ts'

/** The driver's knowledge: between a request and its acknowledgement both may be true. */
type Known = 'yes' | 'no' | 'maybe'

/** A period in which a client certainly saw a channel, milliseconds since the epoch. */
export interface Span {
  from: number
  to: number
}

/** A message for a client to send. */
export interface Sent {
  nonce: string
  client: number
  server: number
  channel: ChannelName
  /** The time of its first request; undefined until then. */
  begun_at?: number
  acknowledged_at?: number
  id?: number
  /** The status of a refusal. */
  refused?: number
  /** Its author has requested its deletion: unanswered or answered. */
  deleted?: 'maybe' | 'yes'
}

/** A direct message for a client to send. */
export interface SentDirect {
  nonce: string
  from: number
  to: number
  id?: number
  content: string
  /** A change of it was requested: unanswered or answered. */
  edited?: 'maybe' | 'yes'
  deleted?: 'maybe' | 'yes'
}

/** The extent to which a connection has proven that its frames were sent after a loss of sight. */
export interface Carrier {
  client: number
  /** The newest loss after whose acknowledgement the connection began, or answered a ping. */
  clear: number
}

interface Loss {
  /** Counts all of the run. */
  n: number
  at: number
  /** The requests about the server and the client so far. */
  requests: string[]
}

/** Events that only accounts may receive that see their subject. */
const SIGHT_OF_CHANNEL = new Set(['channel.created', 'channel.updated', 'channel.permissions_updated'])
const SIGHT_OF_SERVER = new Set(['role.created', 'role.updated', 'role.deleted', 'member.joined', 'member.updated'])

const EVERY = ['server', ...PLACES] as const
type Thing = (typeof EVERY)[number]

/** The clients' permissions, by the driver's changes; checks every received frame against them. */
export class Ledger {
  readonly sent = new Map<string, Sent>()
  readonly directs: SentDirect[] = []
  /** The violations, in words. */
  readonly violations: string[] = []
  /** Late frames of a channel out of sight that may have been under way. */
  tolerated = 0
  losses = 0
  readonly #members: Map<number, Known>[]
  readonly #keys = Array.from({ length: SERVERS }, () => new Map<number, Known>())
  readonly #hidden = Array.from({ length: SERVERS }, () => new Map<Thing, Known>())
  readonly #spans = new Map<string, Span[]>()
  readonly #may = new Set<string>()
  readonly #lost = new Map<string, Loss>()

  constructor(
    private readonly atlas: Atlas,
    members: Set<number>[],
  ) {
    this.#members = members.map((those) => new Map([...those].map((client) => [client, 'yes'])))
    for (let server = 0; server < SERVERS; server++) for (let n = 0; n < CLIENTS; n++) this.#judge(server, n)
  }

  #knowledge(server: number, client: number, thing: Thing): Known {
    const member = this.#members[server]?.get(client) ?? 'no'
    const isOpen = thing === 'server' || thing === 'general' || thing === 'lounge'
    if (isOpen || client === server || member === 'no') return member
    const hidden = thing === 'vault' ? 'yes' : (this.#hidden[server]?.get(thing) ?? 'no')
    const key = (thing !== 'yard' && this.#keys[server]?.get(client)) || 'no'
    if (hidden === 'no' || key === 'yes') return member
    return hidden === 'yes' && key === 'no' ? 'no' : 'maybe'
  }

  /** Records the client's sight of a server, as of these requests. @returns it lost some */
  #judge(server: number, client: number, requests: string[] = []): boolean {
    let isLost = false
    for (const thing of EVERY) {
      const knowledge = this.#knowledge(server, client, thing)
      const key = `${client}:${server}:${thing}`
      const span = this.#spans.get(key)?.at(-1)
      const isOpen = span?.to === Infinity
      if (knowledge === 'yes' && !isOpen) this.#spans.set(key, [...(this.#spans.get(key) ?? []), newSpan()])
      if (knowledge !== 'yes' && isOpen) span.to = Date.now()
      if (knowledge !== 'no') this.#may.add(key)
      else if (this.#may.delete(key)) {
        this.#lost.set(key, { n: this.losses + 1, at: Date.now(), requests })
        isLost = true
      }
    }
    return isLost
  }

  /** A change was requested: from now on it may be true. */
  begin(change: Change): void {
    this.#set(change, 'maybe')
    for (const client of concerned(change)) this.#judge(change.server, client)
  }

  /**
   * A change was acknowledged.
   * @param requests those about the server and the client so far, to explain a violation
   * @returns the clients that lost sight of something by it: frames after a ping are judged
   */
  end(change: Change, requests: string[]): number[] {
    this.#set(change, 'certain')
    const losers = concerned(change).filter((client) => this.#judge(change.server, client, [...requests]))
    if (losers.length > 0) this.losses++
    return losers
  }

  #set({ kind, server, client, channel = 'hall' }: Change, how: 'maybe' | 'certain'): void {
    const isGain = kind === 'join' || kind === 'grant' || kind === 'hide'
    const certainty = how === 'maybe' ? how : isGain ? 'yes' : 'no'
    if (kind === 'hide' || kind === 'open') this.#hidden[server]?.set(channel, certainty)
    else if (kind === 'grant' || kind === 'take') this.#keys[server]?.set(client, certainty)
    else {
      this.#members[server]?.set(client, certainty)
      // Roles end with the membership.
      if (certainty === 'no') this.#keys[server]?.set(client, 'no')
    }
  }

  spans = (client: number, server: number, thing: Thing): readonly Span[] =>
    this.#spans.get(`${client}:${server}:${thing}`) ?? []

  /** Start of the period in which the client certainly sees the channel; undefined if it is not certain. */
  seesSince(client: number, channelId: number): number | undefined {
    const place = this.atlas.channel(channelId)
    const span = place && this.spans(client, place.server, place.name).at(-1)
    return span?.to === Infinity ? span.from : undefined
  }

  /** Judges a frame: nothing out of sight may arrive. */
  received(carrier: Carrier, { t, s, d }: Frame): void {
    if (t === 'ready') {
      for (const { id, channel_ids } of d.servers) {
        this.#check(carrier, 'server', id, 'ready')
        for (const channelId of channel_ids) this.#check(carrier, 'channel', channelId, 'ready')
      }
      return
    }
    // In a dm, Client checks that the client is one of its two people.
    const channelId = t.startsWith('message.') ? d.channel_id : SIGHT_OF_CHANNEL.has(t) ? d.id : undefined
    if (channelId !== undefined && !this.atlas.channel(channelId)) return
    const what = `${t} ${s ?? ''}`
    if (t.startsWith('message.')) this.#check(carrier, 'channel', d.channel_id, `${what} ${d.nonce ?? d.id}`, d.nonce)
    else if (SIGHT_OF_CHANNEL.has(t)) this.#check(carrier, 'channel', d.id, what)
    else if (SIGHT_OF_SERVER.has(t)) this.#check(carrier, 'server', d.server_id, what)
    else if (t === 'server.snapshot') this.#check(carrier, 'server', d.server.id, what)
  }

  #check({ client, clear }: Carrier, of: 'server' | 'channel', id: number, what: string, nonce?: string): void {
    const server = of === 'server' ? this.atlas.server(id) : this.atlas.channel(id)?.server
    const thing = of === 'server' ? 'server' : this.atlas.channel(id)?.name
    const key = `${client}:${server}:${thing}`
    if (this.#may.has(key)) return
    const loss = this.#lost.get(key)
    const begunAt = nonce === undefined ? undefined : this.sent.get(nonce)?.begun_at
    const wasSentAfter = begunAt !== undefined && loss !== undefined && begunAt > loss.at
    if (loss && loss.n > clear && !wasSentAfter) return void this.tolerated++
    const when = loss ? `lost ${Date.now() - loss.at} ms ago` : 'never had'
    const how = wasSentAfter ? `, sent ${begunAt - loss.at} ms after that` : `, on a connection that began after that`
    const by = loss?.requests.join(', ') ?? ''
    this.violations.push(
      `client ${client} received ${what} of ${of} ${id} (${thing}), sight of which it ${when}${how}; requests: ${by}`,
    )
  }
}

const newSpan = (): Span => ({ from: Date.now(), to: Infinity })

/** The clients whose sight a change can affect. */
const concerned = ({ kind, client }: Change): number[] =>
  kind === 'hide' || kind === 'open' ? Array.from({ length: CLIENTS }, (_, n) => n) : [client]
