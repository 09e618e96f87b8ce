import type { types } from 'mediasoup'
import { z } from 'zod'
import type { Table } from '../../cluster/node-tables.ts'
import { found } from '../../core/errors.ts'
import type { Parts } from '../../parts.ts'
import { ArrivalOrder } from '../cluster/arrival-order.ts'
import type { Peer } from '../sfu/peer.ts'
import type { BranchEnd, Elsewhere, LinkedBranch } from '../sfu/receiving.ts'
import type { RemoteAudio } from '../sfu/remote-audio.ts'
import type { Sfu } from '../sfu/sfu.ts'
import { HostedAudio } from './hosted-audio.ts'
import { LinkAddress, machineMark, reaches } from './link-address.ts'
import { LinkHost } from './link-host.ts'
import { LinkRequests } from './link-requests.ts'
import { BEAT_MS, LIST_MAX, MISSED_MAX, onLink, type RequestHandlers, sendLink } from './model.ts'
import { RemoteBranch } from './remote-branch.ts'

/** Messages to itself that a process may miss before it counts as cut off. */
const LOST_MAX = 3
/** Beats that others may miss in addition after this process was cut off: they may find Redis again later. */
const GRACE_BEATS = 6
/** Missed beats after which the branches of a silent owner end. */
const OWNER_MISSED_MAX = 10
/** A process to which a link failed gets no further one for this time, ms. */
const FAILED_MS = 30_000
/** The same for one that was silent: longer than it takes until the others forget a dead one. */
const SILENT_MS = 15_000
/** A branch that its process does not list ends after this time, ms. */
const UNLISTED_MS_MAX = 6_000

/** The row of a process, for the others, in the table `voice_links`. */
const Row = z.object({
  ip: z.string().max(64),
  machine: z.string().max(64),
  /** Members who could receive from its workers. */
  space: z.int().min(0),
  workers: z.int().min(1),
})
type Row = z.output<typeof Row>

/** Finds the peer of a client whose socket is on another process. */
type PeerFinder = (node: string, client: number) => Peer

/**
 * The links between this process and others over which media of a room pass: those of its own rooms to branches on
 * other processes, and those to branches that it has for others. A process that shares a link is watched by beats of
 * its own, twice a second.
 */
export class Links implements Elsewhere {
  readonly #host: LinkHost
  readonly #requests: LinkRequests
  readonly #address: LinkAddress
  readonly #order = new ArrivalOrder()
  readonly #table: Table
  readonly #machine = machineMark()
  /** Branches of rooms of this process. */
  readonly #branches = new Set<RemoteBranch>()
  /** Missed beats, by process. */
  readonly #missed = new Map<string, number>()
  /** Processes that get no branch for now, and until when, ms. */
  readonly #unfit = new Map<string, number>()
  /** The audio of other processes' clients in rooms of this one, by transport. */
  readonly #audio = new Map<string, { node: string; client: number; audio: RemoteAudio }>()
  readonly #timer: Timer
  #published = ''
  #ip = ''
  /** Beats since a message to itself last arrived: without Redis, silence means nothing. */
  #lost = 0
  #isRetired = false

  constructor(
    private readonly parts: Pick<Parts, 'nodes' | 'log' | 'environment'>,
    private readonly sfu: Pick<Sfu, 'openHosted' | 'spaceLeft' | 'state' | 'onWorker'>,
    private readonly peerOf: PeerFinder,
  ) {
    const { nodes, log, environment } = parts
    this.#address = new LinkAddress(environment.SFU_LINK_ADDRESS)
    this.#requests = new LinkRequests(nodes, log, () => !this.#isCutOff())
    this.#host = new LinkHost(sfu, this.#address, ({ owner, id }, events) =>
      sendLink(nodes, owner, 'voice.link_events', { branch: id, events }),
    )
    this.#table = nodes.table('voice_links')
    void this.#address.ip().then((ip) => {
      this.#ip = ip
      this.#publish()
    })
    sfu.onWorker(() => this.#publish())
    this.#listen()
    this.#timer = setInterval(() => this.#tick(), BEAT_MS)
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#host.stop()
  }

  /** This process ends soon: it takes no further branches, and members of those that it has receive elsewhere. */
  retire(): void {
    this.#isRetired = true
    this.#publish()
    this.#host.retire()
  }

  /** True if that process understands links. Versions before 0.19 do not. */
  understands(node: string): boolean {
    return this.#rowOf(node) !== undefined
  }

  /** Branches that this process has for others. */
  hosted(): number {
    return this.#host.all().length
  }

  choose(branches: readonly LinkedBranch[]): string | undefined {
    if (this.#isCutOff()) return undefined
    const now = Date.now()
    const open = this.parts.nodes.others().flatMap((node) => {
      const row = this.#rowOf(node)
      const count = branches.filter((branch) => branch.node === node).length
      const isFit = row && row.space > 0 && count < row.workers && (this.#unfit.get(node) ?? 0) <= now
      const isReached = row && reaches({ ip: this.#ip, machine: this.#machine }, row)
      return isFit && isReached && (this.#missed.get(node) ?? 0) < MISSED_MAX ? [{ node, space: row.space }] : []
    })
    return open.toSorted((a, b) => b.space - a.space)[0]?.node
  }

  open(node: string, main: types.Router, onEnded: (branch: LinkedBranch, why: BranchEnd) => void): LinkedBranch {
    const branch = new RemoteBranch(node, main, this.#requests, this.#address, (ended, why) => {
      this.#branches.delete(ended)
      if (why === 'failed') this.#setUnfit(node, FAILED_MS)
      if (why !== 'closed') this.parts.log('warn', 'voice.link_lost', { node, why, members: ended.members.size })
      onEnded(ended, why)
    })
    this.#branches.add(branch)
    return branch
  }

  /**
   * Opens the audio of a client of this process whose room is on another one.
   * @throws Problem `not_found` if it has no seat there
   * @throws MediaUnavailable if the link does not open
   */
  openAudio(node: string, client: number): Promise<HostedAudio> {
    return HostedAudio.open(node, client, this.#requests, this.#host)
  }

  #listen(): void {
    const { nodes } = this.parts
    const handlers = { ...this.#host.handlers, ...this.#audioHandlers() }
    onLink(nodes, 'voice.link', (from, body) => void this.#requests.answer(from, body, handlers))
    onLink(nodes, 'voice.link_answer', (from, body) =>
      this.#order.run(() => {
        this.#requests.settle(from, body)
        return true
      }),
    )
    onLink(nodes, 'voice.link_events', (from, { branch, events }) =>
      this.#order.run(() => {
        const own = this.#at(from).find(({ id }) => id === branch)
        // Before its members choose again.
        if (own && events.some(({ type }) => type === 'silent')) this.#setUnfit(from, SILENT_MS)
        for (const event of events) own?.handle(event)
        return false
      }),
    )
    onLink(nodes, 'voice.link_beat', (from, { owned, hosted }) => {
      const isNew = !this.#missed.has(from)
      // It may still be opening a branch here, so that this process does not watch it yet.
      if (isNew && owned.length > 0) this.#beat(from)
      if (!isNew) this.#missed.set(from, 0)
      this.#host.compare(from, new Set(owned), Date.now())
      this.#order.run(() => {
        this.#compare(from, new Map(hosted.map(([id, sent, received]) => [id, { sent, received }])))
        return false
      })
    })
    nodes.onGone((node) => {
      this.#lose(node)
      this.#host.lose(node)
      this.#missed.delete(node)
      this.#unfit.delete(node)
    })
  }

  /** Requests of a process that carries the audio of its own clients. Each acts only for a client of the sender. */
  #audioHandlers(): Pick<RequestHandlers, Extract<keyof RequestHandlers, `audio_${string}`>> {
    const find = (from: string, client: number, transport: string): RemoteAudio => {
      const entry = this.#audio.get(transport)
      return found(entry?.node === from && entry.client === client ? entry.audio : undefined)
    }
    return {
      audio_open: async (from, { client }) => {
        const audio = await this.peerOf(from, client).openRemote(from)
        this.#audio.set(audio.id, { node: from, client, audio })
        audio.onClose(() => this.#audio.delete(audio.id))
        return { branch: audio.branch.id, transport: audio.id }
      },
      audio_produce: async (from, { client, transport, rtp_parameters, consumer }) => {
        await find(from, client, transport).produce(rtp_parameters as unknown as types.RtpParameters, consumer)
        return {}
      },
      audio_receive: async (from, { client, transport, producer }) => ({
        consumer: await find(from, client, transport).receive(producer),
      }),
      audio_stop: async (from, { client, transport, consumer }) => {
        find(from, client, transport).stop(consumer)
        return {}
      },
      audio_close: async (from, { client, transport }) => {
        find(from, client, transport).close()
        return {}
      },
    }
  }

  #isCutOff(): boolean {
    return this.#lost > LOST_MAX
  }

  #at(node: string): RemoteBranch[] {
    return [...this.#branches].filter((branch) => branch.node === node)
  }

  #rowOf(node: string): Row | undefined {
    const text = this.#table.at(node).get(node)
    try {
      return text === undefined ? undefined : Row.safeParse(JSON.parse(text)).data
    } catch {
      return undefined
    }
  }

  /** Publishes the row of this process if it has changed. */
  #publish(): void {
    const { environment, nodes } = this.parts
    const isOpen = !this.#isRetired && this.#ip !== '' && ['ready', 'restarting'].includes(this.sfu.state())
    const [space, workers] = [this.sfu.spaceLeft(), environment.SFU_WORKERS]
    const row: Row = { ip: this.#ip, machine: this.#machine, space, workers }
    const text = isOpen ? JSON.stringify(row) : ''
    if (text === this.#published) return
    this.#published = text
    this.#table.put(nodes.id, text === '' ? undefined : text)
  }

  #tick(): void {
    this.#publish()
    const nodes = new Set([
      ...[...this.#branches].map(({ node }) => node),
      ...this.#host.all().map(({ owner }) => owner),
    ])
    for (const node of this.#missed.keys()) if (!nodes.has(node)) this.#missed.delete(node)
    for (const node of nodes) {
      const missed = this.#isCutOff() ? -GRACE_BEATS : (this.#missed.get(node) ?? 0) + (this.#lost === 0 ? 1 : 0)
      this.#missed.set(node, missed)
      this.#beat(node)
      if (missed >= MISSED_MAX) this.#lose(node)
      if (missed >= OWNER_MISSED_MAX) this.#host.lose(node)
    }
    for (const branch of this.#branches) branch.discardAll()
    this.#lost = nodes.size === 0 ? 0 : this.#lost + 1
    if (nodes.size === 0) return
    this.parts.nodes.echo(() => void (this.#lost = 0))
  }

  #beat(node: string): void {
    const owned = this.#at(node).map(({ id }) => id)
    void this.#host.count(node).then((hosted) => {
      const message = { owned: owned.slice(0, LIST_MAX), hosted: hosted.slice(0, LIST_MAX) }
      sendLink(this.parts.nodes, node, 'voice.link_beat', message)
    })
  }

  /** Compares the branches that a process lists with those that this one has there. */
  #compare(node: string, hosted: ReadonlyMap<string, { sent: number; received: number }>): void {
    for (const branch of this.#at(node)) {
      const row = hosted.get(branch.id)
      if (row) void branch.compare(row.sent, row.received)
      else if (Date.now() - branch.openedAt > UNLISTED_MS_MAX) branch.lose()
    }
  }

  /** A process is silent or gone. */
  #lose(node: string): void {
    const branches = this.#at(node)
    // Before the members of these branches choose again.
    if (branches.length > 0) this.#setUnfit(node, SILENT_MS)
    for (const branch of branches) branch.lose()
    this.#requests.drop(node)
  }

  #setUnfit(node: string, ms: number): void {
    this.#unfit.set(node, Math.max(this.#unfit.get(node) ?? 0, Date.now() + ms))
  }
}
