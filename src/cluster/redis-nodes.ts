import { errorFields, type Log } from '../core/log.ts'
import type { RedisLink } from '../redis/client.ts'
import { NodeConnection } from './node-connection.ts'
import { NodeInbox } from './node-inbox.ts'
import { Broadcast, DirectMessage, partsOf } from './node-messages.ts'
import { Peers } from './node-peers.ts'
import { NodeTables, type Row, type Table } from './node-tables.ts'
import { newNodeId, type Nodes } from './nodes.ts'

const HEARTBEAT_MS = 2_000
const DROP_SILENT_MS = 500
/** By then every node has been heard, even if one of its heartbeats was lost. */
const HEARD_MS = 2.5 * HEARTBEAT_MS
/** How long changes are collected into a batch. */
const BATCH_MS = 5
/** Requests within this time share one answer. */
const ANSWER_MS = 50
const MESSAGE_CHARS_MAX = 1_048_576
/** Messages in flight to Redis; further ones are dropped, as they are while Redis is away. */
const UNDER_WAY_MAX = 10_000

/**
 * Nodes that share a Redis, through one sharded channel for all nodes and one per node. Redis stores nothing: every
 * node broadcasts its heartbeat and its changes, and on request all its rows, so lost messages are recovered.
 */
export class RedisNodes implements Nodes {
  readonly id = newNodeId()
  readonly #tables = new NodeTables(this.id)
  readonly #connection = new NodeConnection()
  readonly #inbox = new NodeInbox()
  readonly #peers: Peers
  readonly #everyone: string
  readonly #ownChannel: string
  readonly #goneListeners: ((node: string, hasDied: boolean) => void)[] = []
  /** Changed rows of this node that are not broadcast yet, by table and key. */
  readonly #changedRows = new Map<string, Row>()
  /** Names of the tasks that `#soon` has scheduled. */
  readonly #scheduledTasks = new Set<string>()
  readonly #timers: Timer[]
  /** Number of the newest broadcast change, and of the newest direct message. */
  #seq = 0
  #messageSeq = 0
  #underWay = 0
  #isStopped = false

  constructor(
    private readonly link: RedisLink,
    private readonly log: Log,
  ) {
    this.#everyone = link.key('nodes')
    this.#ownChannel = this.#channelOf(this.id)
    this.#peers = new Peers(
      this.#tables,
      (owner) => this.#broadcast({ say: 'want', node: this.id, of: owner }),
      (node, died) => this.#peerGone(node, died),
    )
    link.subscriber.on('smessage', this.#receive)
    link.onReady(() => void this.#subscribe())
    this.#timers = [
      setInterval(() => this.#heartbeat(), HEARTBEAT_MS),
      setInterval(() => {
        if (this.#connection.isUp()) this.#peers.dropSilent(performance.now(), this.#connection.since())
      }, DROP_SILENT_MS),
    ]
  }

  others(): string[] {
    return this.#peers.names()
  }

  /** True if no other node was heard for as long as it takes to hear all. */
  readonly isAlone = (): boolean =>
    this.#peers.names().length === 0 &&
    this.#connection.isUp() &&
    performance.now() - this.#connection.since() > HEARD_MS

  table(name: string): Table {
    return this.#tables.table(name, (row) => {
      this.#changedRows.set(`${row[0]} ${row[1]}`, row)
      this.#soon('changes', BATCH_MS, () => this.#broadcastChanges())
    })
  }

  send(node: string, kind: string, body: unknown): void {
    if (!this.#isStopped && this.#connection.isUp() && node !== this.id) this.#sendTo(node, kind, body)
  }

  echo(onReturn: () => void): void {
    this.#sendTo(this.id, 'echo', this.#connection.expectEcho(onReturn))
  }

  onMessage(kind: string, listener: (from: string, body: unknown) => void): void {
    this.#inbox.onMessage(kind, listener)
  }

  onGone(listener: (node: string, hasDied: boolean) => void): void {
    this.#goneListeners.push(listener)
  }

  stop(): void {
    if (!this.#isStopped) this.#broadcast({ say: 'gone', node: this.id })
    this.#isStopped = true
    for (const timer of this.#timers) clearInterval(timer)
    this.link.subscriber.off('smessage', this.#receive)
  }

  #channelOf(node: string): string {
    return this.link.key(`node:${node}`)
  }

  #publish(channel: string, text: string): void {
    if (this.#underWay >= UNDER_WAY_MAX) return
    this.#underWay++
    const endTask = () => void this.#underWay--
    // If Redis drops a message, the receivers notice the gap and ask again.
    this.link.commands.spublish(channel, text).then(endTask, endTask)
  }

  #broadcast(message: Broadcast): void {
    this.#publish(this.#everyone, JSON.stringify(message))
  }

  #sendTo(node: string, kind: string, body: unknown): void {
    const message: DirectMessage = { node: this.id, seq: ++this.#messageSeq, kind, body }
    const text = JSON.stringify(message)
    if (text.length <= MESSAGE_CHARS_MAX) this.#publish(this.#channelOf(node), text)
  }

  #heartbeat(): void {
    this.#beat()
    if (this.link.isReady() && !this.#connection.isUp()) void this.#subscribe()
  }

  #beat(hello = false): void {
    const sent_at = performance.now()
    this.#broadcast({ say: 'beat', node: this.id, seq: this.#seq, sent_at, hello })
    this.#sendTo(this.id, 'echo', sent_at)
  }

  async #subscribe(): Promise<void> {
    const { subscriber } = this.link
    try {
      for (const channel of [this.#everyone, this.#ownChannel]) {
        // The client of a Redis Cluster keeps a list of its subscriptions, which would grow.
        await subscriber.sunsubscribe(channel)
        await subscriber.ssubscribe(channel)
      }
      this.#connection.restart()
      this.#beat(true)
    } catch {
      // The next heartbeat tries again.
    }
  }

  /** Runs the task once after this time, however often it is scheduled. */
  #soon(name: string, ms: number, work: () => void): void {
    if (this.#scheduledTasks.has(name) || this.#isStopped) return
    this.#scheduledTasks.add(name)
    setTimeout(() => {
      this.#scheduledTasks.delete(name)
      if (!this.#isStopped) work()
    }, ms)
  }

  #broadcastChanges(): void {
    const rows = [...this.#changedRows.values()]
    this.#changedRows.clear()
    // While nobody receives this node, only the number increases: every other node will notice the gap and request all
    // rows.
    if (rows.length > 0 && !this.#connection.isUp()) this.#seq++
    else
      for (const part of partsOf(rows)) this.#broadcast({ say: 'changes', node: this.id, seq: ++this.#seq, rows: part })
  }

  #broadcastAllRows(): void {
    this.#broadcastChanges()
    const parts = partsOf(this.#tables.rowsOf(this.id))
    if (parts.length === 0) parts.push([])
    for (const [part, rows] of parts.entries())
      this.#broadcast({ say: 'whole', node: this.id, seq: this.#seq, part, parts: parts.length, rows })
  }

  readonly #receive = (channel: string, text: string): void => {
    if (channel !== this.#everyone && channel !== this.#ownChannel) return
    try {
      if (channel === this.#everyone) this.#receiveBroadcast(Broadcast.parse(JSON.parse(text)))
      else this.#receiveDirect(DirectMessage.parse(JSON.parse(text)))
    } catch (error) {
      this.log('warn', 'nodes.message', errorFields(error))
    }
  }

  #receiveBroadcast(message: Broadcast): void {
    const isBeat = message.say === 'beat'
    if (message.node === this.id) {
      if (isBeat) this.#connection.echoed('broadcast', message.sent_at)
      return
    }
    this.#peers.receive(message, performance.now())
    if (isBeat && message.hello) this.#soon('beat', ANSWER_MS, () => this.#beat())
    if (message.say === 'want' && message.of === this.id)
      this.#soon('all rows', ANSWER_MS, () => this.#broadcastAllRows())
  }

  #receiveDirect(message: DirectMessage): void {
    if (message.node === this.id) this.#connection.echoed('direct', Number(message.body))
    else this.#inbox.receive(message)
  }

  #peerGone(node: string, hasDied: boolean): void {
    this.#inbox.forget(node)
    this.log(hasDied ? 'warn' : 'info', hasDied ? 'node.died' : 'node.ended', { node })
    for (const listener of this.#goneListeners) listener(node, hasDied)
  }
}
