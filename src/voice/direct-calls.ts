import { KeyedQueue } from '../core/keyed-queue.ts'
import { errorFields } from '../core/log.ts'
import { endCall, enterCall } from '../features/calls/call.ts'
import type { Parts } from '../parts.ts'
import type { Rooms } from './rooms.ts'
import type { Seat } from './seat.ts'

const BEAT_MS = 10_000

/** Keeps the database's records of dm and group calls in step with the rooms that this node owns. */
export class DirectCalls {
  /** Serialises the joins and the end of a room. */
  readonly #queue = new KeyedQueue()
  readonly #timer: Timer

  constructor(
    private readonly parts: Pick<Parts, 'sql' | 'write' | 'log'>,
    private readonly rooms: Rooms,
  ) {
    this.#timer = setInterval(() => {
      this.#beat().catch((error: unknown) => parts.log('warn', 'voice.calls', errorFields(error)))
    }, BEAT_MS)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /**
   * Starts the call, or joins it.
   * @param take takes the seat
   * @throws Problem from `enterCall` and `take`
   */
  enter(channel_id: number, userId: number, take: () => Promise<Seat>): Promise<Seat> {
    return this.#queue.run(`${channel_id}`, async () => {
      await this.parts.write((sql, emit) => enterCall(sql, emit, channel_id, userId))
      return take().catch((error: unknown) => {
        this.ended(channel_id)
        throw error
      })
    })
  }

  /** Call when the room has no seats left. */
  ended(channel_id: number): void {
    const end = async () => {
      if (!this.rooms.at(channel_id)) await this.parts.write((sql, emit) => endCall(sql, emit, channel_id))
    }
    // CallUpkeep repairs failures here.
    this.#queue
      .run(`${channel_id}`, end)
      .catch((error: unknown) => this.parts.log('warn', 'voice.calls', errorFields(error)))
  }

  /**
   * Marks this node's calls as alive. A call that was wrongly declared dead (ended_at = alive_at) starts again without
   * ringing.
   */
  async #beat(): Promise<void> {
    const callRooms = this.rooms.all().filter(({ server_id }) => server_id === null)
    if (callRooms.length === 0) return
    const present = callRooms.map(({ channel_id, seats }) => ({
      channel_id,
      user_ids: [...seats.values()].map(({ user }) => user.id),
    }))
    await this.parts.sql`
      update calls c set alive_at = now(), ended_at = null,
        started_at = case when ended_at is null then started_at else now() end,
        participant_ids = case when ended_at is null then participant_ids else user_ids end
      from json_to_recordset(${JSON.stringify(present)}::text::json) as live (channel_id bigint, user_ids bigint[])
      where c.channel_id = live.channel_id and (c.ended_at is null or c.ended_at = c.alive_at)`
  }
}
