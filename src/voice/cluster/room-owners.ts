import type { Parts } from '../../parts.ts'
import { Problem } from '../../core/errors.ts'
import type { Rooms } from '../rooms.ts'
import type { Room } from '../seat.ts'
import type { Heartbeat } from './heartbeat.ts'

/** Time that a join waits for another node to take over a room whose owner has fallen silent. */
const WAIT_MS_MAX = 4_000
const RETRY_MS = 200

const leaseOf = (channel_id: number): string => `voice:${channel_id}`

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
  readonly #held = new Set<number>()
  readonly #finding = new Map<number, Promise<string>>()

  constructor(
    { leases, nodes }: Pick<Parts, 'leases' | 'nodes'>,
    private readonly heartbeat: Heartbeat,
    private readonly rooms: Rooms,
  ) {
    this.#leases = leases
    this.#id = nodes.id
    leases.weighBy((name) => weightOf(rooms.at(channelOf(name))))
    leases.onLost((name) => {
      const channel_id = channelOf(name)
      if (this.#held.delete(channel_id)) rooms.giveUp(channel_id)
    })
  }

  /**
   * Runs `here` if this node owns the room, and keeps the ownership meanwhile; otherwise runs `there` with the owner.
   * @throws Problem `unavailable` if the owner is silent and no other node takes over within 4 s
   */
  async at<T>(channel_id: number, here: () => Promise<T>, there: (node: string) => Promise<T>): Promise<T> {
    this.#uses.set(channel_id, (this.#uses.get(channel_id) ?? 0) + 1)
    try {
      const node = await this.#ownerOf(channel_id)
      return await (node === this.#id ? here() : there(node))
    } finally {
      const left = (this.#uses.get(channel_id) ?? 1) - 1
      if (left > 0) this.#uses.set(channel_id, left)
      else this.#uses.delete(channel_id)
      this.release(channel_id)
    }
  }

  /** Releases the lease of a room that has ended, unless it is about to be used. */
  release(channel_id: number): void {
    if (this.#uses.has(channel_id)) return
    if (!this.rooms.at(channel_id)) {
      if (this.#held.delete(channel_id)) this.#leases.release(leaseOf(channel_id))
    } else if (!this.#held.has(channel_id)) {
      // The lease was lost while a member was joining.
      this.rooms.giveUp(channel_id)
    }
  }

  /** Concurrent calls share one search. */
  #ownerOf(channel_id: number): Promise<string> {
    const present = this.#finding.get(channel_id)
    if (present) return present
    const finding = this.#find(channel_id).finally(() => this.#finding.delete(channel_id))
    this.#finding.set(channel_id, finding)
    return finding
  }

  async #find(channel_id: number): Promise<string> {
    const deadline = Date.now() + WAIT_MS_MAX
    for (;;) {
      const node = await this.#leases.take(leaseOf(channel_id))
      if (node === this.#id) this.#held.add(channel_id)
      if (!this.heartbeat.isSilent(node)) return node
      if (Date.now() > deadline) throw new Problem('unavailable')
      await Bun.sleep(RETRY_MS)
    }
  }
}
