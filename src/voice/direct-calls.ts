import { KeyedQueue } from '../core/keyed-queue.ts'
import { errorFields } from '../core/log.ts'
import { endCall, enterCall } from '../features/calls/call.ts'
import type { Parts } from '../parts.ts'
import type { Rooms } from './rooms.ts'
import type { Seat } from './seat.ts'

const BEAT_MS = 10_000

/** The calls of dms and groups whose rooms this node owns: keeps what the database says of them in step. */
export class DirectCalls {
  /** A room's entries and its end, one after another. */
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
   * Begins the call, or joins it.
   * @param take takes the seat
   * @throws Problem as `enterCall`, and what `take` throws
   */
  enter(channel_id: number, user_id: number, take: () => Promise<Seat>): Promise<Seat> {
    return this.#queue.run(`${channel_id}`, async () => {
      await this.parts.write((sql, emit) => enterCall(sql, emit, channel_id, user_id))
      return take().catch((error: unknown) => {
        this.ended(channel_id)
        throw error
      })
    })
  }

  /** The room has no seat any more. */
  ended(channel_id: number): void {
    const end = async () => {
      if (!this.rooms.at(channel_id)) await this.parts.write((sql, emit) => endCall(sql, emit, channel_id))
    }
    // What fails here is left to CallUpkeep.
    this.#queue
      .run(`${channel_id}`, end)
      .catch((error: unknown) => this.parts.log('warn', 'voice.calls', errorFields(error)))
  }

  /**
   * Tells that the calls of this node live. One that was taken for dead lives again, without ringing: it ended when it
   * had last been told of.
   */
  async #beat(): Promise<void> {
    const own = this.rooms.all().filter(({ server_id }) => server_id === null)
    if (own.length === 0) return
    const present = own.map(({ channel_id, seats }) => ({
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
