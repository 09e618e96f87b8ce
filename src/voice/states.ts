import { EventEmitter } from 'node:events'
import { z } from 'zod'
import type { Nodes } from '../cluster/nodes.ts'
import { Id } from '../core/schema.ts'
import type { Parts } from '../parts.ts'
import { type Audience, VoiceState } from './model.ts'
import { VoiceSessionId } from './session-id.ts'
import { type Seat, stateOf, type VoiceClient } from './seat.ts'
import { Audiences } from './stages/audiences.ts'
import { isNamed, type ShownState, StateAnnouncer } from './state-announcer.ts'

/** A seat in the table `voice`, which all nodes share, keyed by account. */
const Row = z.object({
  voice_session_id: VoiceSessionId,
  rank: z.int().max(2 ** 52),
  holder: z.string().max(64),
  restricted: z.boolean(),
  participant_ids: z.array(Id),
  // Nodes of earlier versions omit these fields.
  state: VoiceState.extend({
    server_deaf: z.boolean().default(false),
    camera: z.boolean().default(false),
    camera_stopped: z.boolean().default(false),
  }),
})
type Row = z.infer<typeof Row>

/** True for the later of two seats. All nodes must agree on the order. */
const isLater = (a: Row, b: Row): boolean =>
  a.rank === b.rank ? a.voice_session_id > b.voice_session_id : a.rank > b.rank

interface VoiceStateEvents {
  /** This node has a seat of an account that has a later one on `node`, for client `holder`. */
  outranked: [voice_session_id: string, holder: string, node: string]
}

/**
 * Knows who is in which call on all nodes, and announces it to this node's sockets. An account's latest seat counts.
 */
export class VoiceStates extends EventEmitter<VoiceStateEvents> {
  readonly #nodes: Nodes
  readonly #table: ReturnType<Nodes['table']>
  readonly #announcer: StateAnnouncer
  /** This node's rows, by account. */
  readonly #ownRows = new Map<number, Row>()
  readonly #shownStates = new Map<number, ShownState>()
  readonly #byChannel = new Map<number, Set<ShownState>>()
  readonly #audiences: Audiences

  constructor({ nodes, bus }: Pick<Parts, 'nodes' | 'bus'>) {
    super()
    this.#nodes = nodes
    this.#announcer = new StateAnnouncer(bus)
    this.#audiences = new Audiences((id) => this.#listenersIn(id), this.#announcer.deliver)
    this.#table = nodes.table('voice')
    this.#table.onChange((key) => this.#update(Number(key)))
  }

  /** The account's latest seat, and its node. */
  at(userId: number): { node: string; row: Row } | undefined {
    let best: { node: string; row: Row } | undefined
    for (const [node, text] of this.#table.at(String(userId))) {
      const row = node === this.#nodes.id ? this.#ownRows.get(userId) : rowOf(text)
      if (row?.state.user.id === userId && (!best || isLater(row, best.row))) best = { node, row }
    }
    return best
  }

  /** Identifies a client among those of all nodes. */
  holderOf(client: VoiceClient | undefined): string {
    return client ? `${client.node ?? this.#nodes.id}:${client.id}` : ''
  }

  /** The rank for the account's next seat: higher than any known to this node. */
  nextRank(userId: number): number {
    return Math.max(Date.now(), (this.at(userId)?.row.rank ?? 0) + 1)
  }

  /** Publishes the current state of a seat on this node. */
  put(seat: Seat): void {
    const { voice_session_id, rank, client, room } = seat
    const { restricted, participant_ids } = room
    const holder = this.holderOf(client)
    const row: Row = { voice_session_id, rank, holder, restricted, participant_ids, state: stateOf(seat) }
    this.#ownRows.set(seat.user.id, row)
    this.#table.put(String(seat.user.id), JSON.stringify(row))
  }

  /** Removes the account's seat on this node. */
  remove(userId: number): void {
    this.#ownRows.delete(userId)
    this.#table.put(String(userId), undefined)
  }

  /** The members present in these channels, in the order they joined: listeners of stages too. */
  readonly in = (channelIds: number[]): VoiceState[] => this.#statesIn(channelIds, () => true)

  /** The same without the listeners of stages, except raised hands, invitations and the account itself. */
  readonly shownIn = (channelIds: number[], userId: number): VoiceState[] =>
    this.#statesIn(channelIds, (state) => isNamed(state) || state.user.id === userId)

  /** Numbers of listeners, of the stages among these channels that have any. */
  readonly audiencesIn = (channelIds: number[]): Audience[] =>
    channelIds.flatMap((channel_id) => {
      const listeners = this.#listenersIn(channel_id)
      return listeners > 0 ? [{ channel_id, listeners }] : []
    })

  #listenersIn(channelId: number): number {
    let listeners = 0
    for (const { row } of this.#byChannel.get(channelId) ?? []) if (row.state.stage?.speaks === false) listeners++
    return listeners
  }

  #statesIn(channelIds: number[], isWanted: (state: VoiceState) => boolean): VoiceState[] {
    return channelIds.flatMap((id) =>
      [...(this.#byChannel.get(id) ?? [])]
        .map(({ row }) => row.state)
        .filter(isWanted)
        .toSorted((a, b) => (a.joined_at < b.joined_at ? -1 : Number(a.joined_at > b.joined_at))),
    )
  }

  #update(userId: number): void {
    const best = this.at(userId)
    this.#show(userId, best?.row)
    const ownRow = this.#ownRows.get(userId)
    if (ownRow && best && best.node !== this.#nodes.id)
      this.emit('outranked', ownRow.voice_session_id, best.row.holder, best.node)
  }

  #show(userId: number, row: Row | undefined): void {
    const before = this.#shownStates.get(userId)
    const channelId = before?.row.state.channel_id
    for (const each of [before?.row, row]) if (each?.state.stage) this.#audiences.touch(each)
    if (before && row && channelId === row.state.channel_id) {
      before.row = row
      return this.#announcer.announce(before)
    }
    if (before && channelId !== undefined) {
      this.#shownStates.delete(userId)
      const channelStates = this.#byChannel.get(channelId)
      if (channelStates?.delete(before) && channelStates.size === 0) this.#byChannel.delete(channelId)
      this.#announcer.announceEnd(before)
    }
    if (!row) return
    const shownState: ShownState = {
      row,
      announced: '',
      announcedAt: 0,
      isNamed: false,
      wasNamed: false,
      timer: undefined,
    }
    this.#shownStates.set(userId, shownState)
    const channelStates = this.#byChannel.get(row.state.channel_id) ?? new Set()
    this.#byChannel.set(row.state.channel_id, channelStates.add(shownState))
    this.#announcer.announce(shownState)
  }
}

/** Parses another node's row; undefined if it is malformed. */
function rowOf(text: string): Row | undefined {
  try {
    return Row.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
