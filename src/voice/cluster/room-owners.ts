import type { Parts } from '../../parts.ts'
import { Problem } from '../../core/errors.ts'
import type { Rooms } from '../rooms.ts'
import type { Room } from '../seat.ts'
import type { Heartbeat } from './heartbeat.ts'

/** Time that a join waits for another node to take over a room whose owner has fallen silent. */
const WAIT_MS_MAX = 4_000
const RETRY_MS = 200
/** A room is not handed over if a join of it takes longer. */
const JOINS_MS_MAX = 2_000
const IDLE_POLL_MS = 10

const leaseOf = (channelId: number): string => `voice:${channelId}`

const channelOf = (lease: string): number => Number(/^voice:(\d+)$/.exec(lease)?.[1])

/** Exceeds the seconds since 1970. */
const AGE_SECONDS = 10_000_000_000

/**
 * Weight of a room's lease. If a channel has two rooms, the one with more connected members stays; among equals the
 * older.
 */
function weightOf(room: Room | undefined): number {
  const seats = [...(room?.seats.values() ?? [])].filter(({ client }) => client !== undefined)
  const since = Math.min(...seats.map(({ joined_at }) => Math.floor(joined_at / 1000)))
  return seats.length === 0 ? 0 : seats.length * AGE_SECONDS - since
}

/** Tracks which node owns each room. The owner has the room's lease from the first join to the last leave. */
export class RoomOwners {
  readonly #leases: Parts['leases']
  readonly #id: string
  /** Calls of `at` per room; its lease is not released meanwhile. */
  readonly #uses = new Map<number, number>()
  /** Rooms whose leases this node has. */
  readonly #leasedIds = new Set<number>()
  readonly #finding = new Map<number, Promise<string>>()
  /** Rooms that are being handed over: nobody joins them here meanwhile. */
  readonly #handing = new Map<number, Promise<void>>()
  /** Chooses the owner of new rooms; undefined while that is this node. */
  #nextOwner: (() => string | undefined) | undefined

  constructor(
    { leases, nodes }: Pick<Parts, 'leases' | 'nodes'>,
    private readonly heartbeat: Heartbeat,
    private readonly rooms: Rooms,
  ) {
    this.#leases = leases
    this.#id = nodes.id
    leases.weighBy((name) => weightOf(rooms.at(channelOf(name))))
    leases.onLost((name) => {
      const channelId = channelOf(name)
      if (this.#leasedIds.delete(channelId)) rooms.giveUp(channelId)
    })
  }

  /**
   * Runs `here` if this node owns the room, and keeps the ownership meanwhile; otherwise runs `there` with the owner.
   * @throws Problem `unavailable` if the owner is silent and no other node takes over within 4 s
   */
  async at<T>(channelId: number, here: () => Promise<T>, there: (node: string) => Promise<T>): Promise<T> {
    for (let handing = this.#handing.get(channelId); handing; handing = this.#handing.get(channelId)) await handing
    // In the same step, so that no hand-over begins in between.
    this.#uses.set(channelId, (this.#uses.get(channelId) ?? 0) + 1)
    try {
      const node = await this.#ownerOf(channelId)
      return await (node === this.#id ? here() : there(node))
    } finally {
      const usesLeft = (this.#uses.get(channelId) ?? 1) - 1
      if (usesLeft > 0) this.#uses.set(channelId, usesLeft)
      else this.#uses.delete(channelId)
      this.release(channelId)
    }
  }

  /** Releases the lease of a room that has ended, unless it is about to be used. */
  release(channelId: number): void {
    if (this.#uses.has(channelId)) return
    if (!this.rooms.at(channelId)) {
      if (this.#leasedIds.delete(channelId)) this.#leases.release(leaseOf(channelId))
    } else if (!this.#leasedIds.has(channelId)) {
      // The lease was lost while a member was joining.
      this.rooms.giveUp(channelId)
    }
  }

  /** This node opens no rooms any more. @param nextOwner chooses the node that does, if there is one */
  retire(nextOwner: () => string | undefined): void {
    this.#nextOwner = nextOwner
  }

  /**
   * Hands a room of this node over while nobody joins it. It does nothing if a join takes too long.
   * @param hand gets a function that makes another node the owner, and returns false if that fails
   */
  async handOver(channelId: number, hand: (give: (node: string) => Promise<boolean>) => Promise<void>): Promise<void> {
    const handing = Promise.withResolvers<void>()
    // From here on, joins wait; those that have begun end first.
    this.#handing.set(channelId, handing.promise)
    try {
      const deadline = Date.now() + JOINS_MS_MAX
      while (this.#uses.has(channelId) && Date.now() < deadline) await Bun.sleep(IDLE_POLL_MS)
      if (this.#uses.has(channelId)) return
      await hand(async (node) => {
        const isGiven = await this.#leases.handTo(leaseOf(channelId), node)
        if (isGiven) this.#leasedIds.delete(channelId)
        return isGiven
      })
    } finally {
      this.#handing.delete(channelId)
      handing.resolve()
    }
  }

  /** Concurrent calls share one search. */
  #ownerOf(channelId: number): Promise<string> {
    const present = this.#finding.get(channelId)
    if (present) return present
    const finding = this.#find(channelId).finally(() => this.#finding.delete(channelId))
    this.#finding.set(channelId, finding)
    return finding
  }

  async #find(channelId: number): Promise<string> {
    const deadline = Date.now() + WAIT_MS_MAX
    for (;;) {
      const node = await this.#leases.take(leaseOf(channelId))
      if (node === this.#id) {
        const next = this.rooms.at(channelId) ? undefined : this.#nextOwner?.()
        if (next !== undefined && (await this.#leases.handTo(leaseOf(channelId), next))) return next
        this.#leasedIds.add(channelId)
      }
      if (!this.heartbeat.isSilent(node)) return node
      if (Date.now() > deadline) throw new Problem('unavailable')
      await Bun.sleep(RETRY_MS)
    }
  }
}
