import { errorFields } from '../core/log.ts'
import { Problem } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { Rooms } from './rooms.ts'
import type { Admission, Seat } from './seat.ts'
import type { SeatMover } from './signalling/seat-mover.ts'

const MINUTE_MS = 60_000

/**
 * Moves idle members to the AFK channel of their server.
 *
 * Only a client can know that its person is idle: the server sees no input, and no media of peer-to-peer calls. A
 * client therefore reports speech and input with `voice.active`. A member is idle if its last report is older than
 * `afk_minutes`. Clients that never report, such as bots that play music, are not moved, and neither are members who
 * share a screen or a camera.
 *
 * A member who may not join the AFK channel stays. Without an SFU nobody can be silenced there, so the member leaves
 * the call.
 */
export class IdleSeats {
  /** Seats being moved, and seats whose move failed, with their last report: a newer report allows another try. */
  readonly #tried = new WeakMap<Seat, number>()

  /** @param admit reads the account's permissions, current at the time of return */
  constructor(
    private readonly log: Log,
    private readonly rooms: Rooms,
    private readonly admit: (userId: number, channelId: number) => Promise<Admission>,
    private readonly mover: SeatMover,
  ) {}

  /** Call once a second. */
  tick(now: number): void {
    for (const room of this.rooms.all()) {
      const { afk_channel_id, afk_minutes, channel_id } = room
      if (afk_channel_id === null || afk_channel_id === channel_id) continue
      for (const seat of room.seats.values())
        if (isIdle(seat, now - afk_minutes * MINUTE_MS) && this.#tried.get(seat) !== seat.activeAt) {
          this.#tried.set(seat, seat.activeAt)
          void this.#move(seat, afk_channel_id)
        }
    }
  }

  async #move(seat: Seat, afkChannelId: number): Promise<void> {
    const { activeAt } = seat
    try {
      const admission = await this.admit(seat.user.id, afkChannelId)
      // The member may have spoken meanwhile.
      if (seat.activeAt === activeAt) await this.mover.move(seat, admission)
    } catch (error) {
      if (!(error instanceof Problem)) return this.log('warn', 'voice.idle', errorFields(error))
      if (error.code === 'media_unavailable' && seat.activeAt === activeAt) this.rooms.leave(seat, 'idle')
    }
  }
}

/** True if the member's last report is older than `since`, ms, and it sends no pictures. */
const isIdle = ({ activeAt, sharing_screen, camera }: Seat, since: number): boolean =>
  activeAt > 0 && activeAt <= since && !sharing_screen && !camera
