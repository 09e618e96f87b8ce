import { found, Problem } from '../core/errors.ts'
import type { Sql } from '../database/database.ts'
import { demand } from '../features/access/guard.ts'
import type { PlayedSound } from '../features/sounds/model.ts'
import type { Rooms } from './rooms.ts'
import type { Room, VoiceClient } from './seat.ts'
import { demandVoice } from './signalling/signalling.ts'

/** Minimum time between two sounds of one person, ms. */
const PERSON_MS = 3_000
/** Sounds that a room plays at once. */
const ROOM_MAX = 3

const tooSoon = (leftMs: number): Problem =>
  new Problem('rate_limited', 'Too many sounds at once', { retry_after: Math.max(1, Math.ceil(leftMs / 1000)) })

/**
 * Plays sounds of a server in its calls: the members of the room get an event, and each client plays the file. The
 * limits are kept by the node that owns the room.
 */
export class Soundboard {
  /** When each person last played a sound, ms. Kept when they leave the call, so that joining again does not help. */
  readonly #playedAt = new Map<number, number>()
  /** When the sounds of each room end, ms. */
  readonly #ends = new WeakMap<Room, number[]>()

  constructor(
    private readonly sql: Sql,
    private readonly rooms: Rooms,
  ) {}

  readonly commands = {
    'voice.sound': async (client: VoiceClient, { sound_id }: { sound_id: number }): Promise<Record<string, never>> => {
      await this.play(client, sound_id)
      return {}
    },
  }

  /** Call once a second. */
  tick(now: number): void {
    for (const [userId, at] of this.#playedAt) if (now - at >= PERSON_MS || now < at) this.#playedAt.delete(userId)
  }

  /**
   * Plays a sound.
   * @throws Problem `not_found` outside of a call and for a sound of another server, `missing_permission`, `forbidden`
   * for a member muted by a moderator, `rate_limited`
   */
  async play(client: VoiceClient, soundId: number): Promise<void> {
    const seat = this.rooms.demandSeat(client)
    demand(seat.permissions, 'use_soundboard')
    demandVoice(seat)
    const { room, user } = seat
    const begin = Date.now()
    const leftMs = (this.#playedAt.get(user.id) ?? -PERSON_MS) + PERSON_MS - begin
    if (leftMs > 0) throw tooSoon(leftMs)
    const playing = (this.#ends.get(room) ?? []).filter((end) => end > begin)
    if (playing.length >= ROOM_MAX) throw tooSoon(Math.min(...playing) - begin)
    // Taken before the read, so that commands in a row do not all pass.
    this.#playedAt.set(user.id, begin)
    const [row] = await this.sql<(PlayedSound & { duration_ms: number })[]>`
      select id as sound_id, name, emoji, '/media/sounds/' || key as url, duration_ms from sounds
      where id = ${soundId} and server_id = ${room.server_id}`
    const { duration_ms, ...sound } = found(row)
    const now = Date.now()
    const ends = (this.#ends.get(room) ?? []).filter((end) => end > now)
    if (ends.length >= ROOM_MAX) throw tooSoon(Math.min(...ends) - now)
    // The seat may have ended, or lost its permission, meanwhile.
    if (this.rooms.demandSeat(client) !== seat) throw new Problem('not_found')
    demand(seat.permissions, 'use_soundboard')
    demandVoice(seat)
    this.#ends.set(room, [...ends, now + duration_ms])
    const event = { voice_session_id: seat.voice_session_id, ...sound }
    this.rooms.sendToAll(room, 'voice.sound', event)
  }
}
