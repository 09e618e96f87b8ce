import { errorFields } from '../core/log.ts'
import { Problem } from '../core/errors.ts'
import { holds } from '../core/permissions.ts'
import type { Notice } from '../events/bus.ts'
import { joinsCall } from '../features/members/temporary.ts'
import type { Parts } from '../parts.ts'
import { admission, admissions } from './admission.ts'
import type { Rooms } from './rooms.ts'
import type { RouteSwitcher } from './routing/route-switcher.ts'
import { type Admission, mayFilm, needsSfu, type Seat, updateRoom } from './seat.ts'

/** Reads of an account's access, counting the first, until none is interrupted by a notice; then `unavailable`. */
const READS_MAX = 20

/** Admits accounts to channels, and updates seats when their accounts' permissions change. */
export class SeatAccess {
  /** Counts notices: a read that began before a notice is repeated. */
  #notices = 0
  #following: Promise<void> = Promise.resolve()

  constructor(
    private readonly parts: Pick<Parts, 'sql' | 'log'>,
    private readonly rooms: Rooms,
    private readonly switcher: RouteSwitcher,
  ) {}

  /**
   * The account's permissions in a voice channel that it may join, current at the time of return.
   * @throws Problem from `admission`; `media_unavailable` for a silenced member without an SFU; `unavailable`
   */
  readonly admit = async (userId: number, channelId: number): Promise<Admission> => {
    for (let reads = 0; reads < READS_MAX; reads++) {
      const before = this.#notices
      const admitted = await admission(this.parts.sql, userId, channelId)
      if (admitted.server_id !== null)
        await joinsCall(this.parts.sql, { server_id: admitted.server_id, user_id: userId })
      if (before !== this.#notices) continue
      // A mesh can neither silence nor deafen a member, and a stage has no mesh.
      if ((admitted.is_stage || needsSfu(admitted)) && !this.switcher.isSfuAvailable())
        throw new Problem('media_unavailable')
      return admitted
    }
    throw new Problem('unavailable')
  }

  /**
   * The permissions of those who may be in a channel's call, by account, current at the time of return.
   * @param sessions of each account, the session that its seat depends on
   * @throws Problem `unavailable`
   */
  readonly admitAll = async (sessions: Map<number, number>, channelId: number): Promise<Map<number, Admission>> => {
    const { sql } = this.parts
    const userIds = [...sessions.keys()]
    const channelIds = userIds.map(() => channelId)
    for (let reads = 0; reads < READS_MAX; reads++) {
      const before = this.#notices
      const [rows, live] = await Promise.all([
        admissions(sql, userIds, channelIds),
        sql<{ id: number }[]>`select id from sessions where id = any(${[...sessions.values()]})`,
      ])
      if (before !== this.#notices) continue
      const liveIds = new Set(live.map(({ id }) => id))
      const mayStay = ({ user, permissions }: Admission) =>
        holds(permissions, 'connect') && liveIds.has(sessions.get(user.id) ?? 0)
      return new Map(rows.filter(mayStay).map((row) => [row.user.id, row]))
    }
    throw new Problem('unavailable')
  }

  /** Resolves when the affected seats are up to date. */
  readonly onNotice = async (notice: Notice): Promise<void> => {
    this.#notices++
    if (notice.kind === 'sessions_revoked') {
      const ids = new Set(notice.session_ids)
      for (const seat of this.rooms.seats()) if (ids.has(seat.session_id)) this.rooms.leave(seat)
    }
    if (notice.kind === 'recheck_all') await this.#dropSessionless()
    // Serialised, because an older read must not undo a newer one.
    const following = this.#following.then(() => this.#follow(notice))
    this.#following = following.catch(() => {})
    await following
  }

  /**
   * Ends the seats whose sessions have ended. A session missing from the query belongs to a member who joined
   * meanwhile.
   */
  async #dropSessionless(): Promise<void> {
    const sessionIds = this.rooms.seats().map((seat) => seat.session_id)
    const rows = await this.parts.sql<{ id: number }[]>`select id from sessions where id = any(${sessionIds})`
    const endedIds = new Set(sessionIds).difference(new Set(rows.map((row) => row.id)))
    for (const seat of this.rooms.seats()) if (endedIds.has(seat.session_id)) this.rooms.leave(seat)
  }

  async #follow(notice: Notice): Promise<void> {
    const seats = this.rooms.seats().filter((seat) => concerns(notice, seat))
    if (seats.length === 0) return
    const users = seats.map((seat) => seat.user.id)
    const channels = seats.map((seat) => seat.room.channel_id)
    const rows = await admissions(this.parts.sql, users, channels).catch((error: unknown) => {
      // A failed recheck rejects, and the notice is repeated.
      if (notice.kind === 'recheck_all') throw error
      // Seats whose access cannot be read after a change must end.
      this.parts.log('warn', 'voice.follow', errorFields(error))
      return []
    })
    const keyOf = (userId: number, channelId: number) => `${userId} ${channelId}`
    const rowByKey = new Map(rows.map((row) => [keyOf(row.user.id, row.channel_id), row]))
    for (const seat of seats) {
      // The seat may have ended since the read began.
      if (this.rooms.ofUser(seat.user.id) !== seat) continue
      const admitted = rowByKey.get(keyOf(seat.user.id, seat.room.channel_id))
      if (!admitted || !holds(admitted.permissions, 'connect')) this.rooms.leave(seat, 'access')
      else await this.#apply(seat, admitted)
    }
  }

  async #apply(seat: Seat, admitted: Admission): Promise<void> {
    const { permissions, server_mute, server_deaf, camera_stopped, user } = admitted
    const before = seat.room.calls_encryption
    updateRoom(seat.room, admitted)
    if (before !== admitted.calls_encryption) this.rooms.emit('changed', seat.room)
    // A client that cannot encrypt has lost its seat.
    if (this.rooms.ofUser(user.id) !== seat) return
    // Once a member was among strangers, the protection stays.
    const relay_only = seat.relay_only || admitted.among_strangers
    const sharing_screen = seat.sharing_screen && holds(permissions, 'share_screen')
    // A member who may not speak any more cannot wait to do so.
    if (!holds(permissions, 'speak') && seat.listens) this.rooms.change(seat, { raised_at: null, invited_at: null })
    const camera = seat.camera && mayFilm(admitted)
    const seatState = {
      permissions,
      server_mute,
      server_deaf,
      camera_stopped,
      user,
      sharing_screen,
      camera,
      relay_only,
    }
    this.rooms.change(seat, seatState)
    await this.switcher.follow(seat)
  }
}

/** True if a notice may change a seat's permissions. */
export function concerns(notice: Notice, { user, room }: Seat): boolean {
  if (notice.kind === 'recheck_all') return true
  if (notice.kind === 'access_changed') return notice.user_ids.includes(user.id)
  if (notice.kind === 'channel_deleted' || notice.kind === 'participant_changed')
    return notice.channel_id === room.channel_id
  if (notice.kind === 'server_access_changed' || notice.kind === 'server_deleted')
    return notice.server_id === room.server_id
  return false
}
