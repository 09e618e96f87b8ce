import type { Handlers } from '../../core/events.ts'
import type { Rooms } from '../rooms.ts'
import { Problem } from '../../core/errors.ts'
import type { Admission, JoinOptions, Room, Seat, VoiceClient } from '../seat.ts'
import { GroupOrder } from './group-order.ts'
import { ENCRYPTED_PEERS_MAX, type Encryption, type mlsCommands } from './model.ts'

// Encryption of calls end to end, as far as the server takes part: it decides whether a call is sealed, orders the
// commits of its MLS group, and hands on messages. A call is sealed while every member's client can encrypt. When one
// joins that cannot, the others receive `voice.encryption` before they learn of the newcomer.

/** A message's size is charged to its sender once for every 16 members of the call. */
const RECIPIENTS_PER_CHARGE = 16
/** Minimum charge per message, bytes: every message makes all members compute. */
const CHARGED_BYTES_MIN = 8 * 1024

export class CallEncryption {
  /** Why each call is open; undefined for one that is encrypted. */
  readonly #reasons = new WeakMap<Room, Encryption['reason']>()

  /** @param isOn false if this server encrypts no call */
  constructor(
    private readonly rooms: Rooms,
    private readonly isOn: boolean,
  ) {
    rooms.on('entered', (seat) => {
      // Nodes of 0.16, to which a moderator may move this member, do not know it.
      if (!isOn) delete seat.encrypts
      this.#consider(seat.room, seat)
    })
    rooms.on('left', (room, id) => {
      room.order?.leave(id)
      this.#consider(room)
    })
    // The server's setting may have changed.
    rooms.on('changed', (room) => this.#consider(room))
  }

  /**
   * Refuses who would open a call that has to be encrypted. In a dm or group, that is up to the people: whoever cannot
   * encrypt has to accept it first, and the clients of the others ask them before anything of theirs is sent.
   * A stage has too many members to be encrypted.
   * @throws Problem `encryption_required`, or `voice_room_full` if the call has as many members as can be encrypted
   */
  demand(admission: Admission, { encrypts, accepts_open }: JoinOptions): void {
    if (!this.isOn) return
    if (admission.server_id === null && !encrypts && !accepts_open) throw new Problem('encryption_required')
    if (admission.calls_encryption !== 'required') return
    if (!encrypts || admission.is_stage) throw new Problem('encryption_required')
    const seats = [...(this.rooms.at(admission.channel_id)?.seats.values() ?? [])]
    const others = seats.filter(({ user }) => user.id !== admission.user.id)
    if (others.length >= ENCRYPTED_PEERS_MAX) throw new Problem('voice_room_full')
  }

  /** The state of a call's encryption, as its members learn it. */
  readonly of = (room: Room): Encryption => {
    const reason = this.#reasons.get(room)
    return {
      state: this.isOn ? (room.order ? 'sealed' : 'open') : 'off',
      group: room.order?.id ?? null,
      ...(reason && { reason }),
    }
  }

  readonly commands: Handlers<typeof mlsCommands, VoiceClient> = {
    'voice.mls': async (client, message) => {
      const seat = this.rooms.demandSeat(client)
      const { order } = seat.room
      const refused = { accepted: false, founder: false }
      if (!order || message.group !== order.id) return refused
      return message.kind === 'commit' ? this.#commit(seat, order, message) : this.#enter(seat, order, message.data)
    },
  }

  #enter(seat: Seat, order: GroupOrder, data: string) {
    this.#charge(seat, data.length)
    const recipients = order.enter(seat.voice_session_id)
    for (const id of recipients ?? []) this.#hand(seat, id, { kind: 'key_package', epoch: order.epoch, data })
    // If no leaf is left that could add this member, everybody begins anew.
    this.#consider(seat.room)
    return { accepted: seat.room.order === order, founder: recipients === undefined }
  }

  #commit(seat: Seat, order: GroupOrder, message: { epoch: number; data: string; welcome?: string; added: string[] }) {
    const { epoch, data, welcome = '', added } = message
    // Before it counts, because a commit that only some receive would split the group.
    this.#charge(seat, data.length + welcome.length)
    const commit = order.commit(seat.voice_session_id, epoch, added)
    if (!commit) return { accepted: false, founder: false }
    for (const id of commit.followers) this.#hand(seat, id, { kind: 'commit', epoch, data })
    for (const id of commit.welcomed) this.#hand(seat, id, { kind: 'welcome', epoch: epoch + 1, data: welcome })
    return { accepted: true, founder: false }
  }

  /** @throws Problem `rate_limited` */
  #charge(seat: Seat, bytes: number): void {
    const times = Math.ceil(seat.room.seats.size / RECIPIENTS_PER_CHARGE)
    this.rooms.charge(seat, Math.max(bytes, CHARGED_BYTES_MIN) * times)
  }

  #hand(from: Seat, id: string, message: { kind: 'key_package' | 'commit' | 'welcome'; epoch: number; data: string }) {
    const to = from.room.seats.get(id)
    const group = from.room.order?.id
    if (to && group) this.rooms.handOn(from, to, 'voice.mls', { group, from: from.voice_session_id, ...message })
  }

  /** Decides whether the call is sealed, and tells its members when that changes. */
  #consider(room: Room, newcomer?: Seat): void {
    if (!this.isOn || this.#endUnable(room)) return
    const seats = [...room.seats.values()]
    const reason = reasonToOpen(room, seats)
    const isSealed = reason === undefined
    const isSame = isSealed === (room.order !== undefined) && reason === this.#reasons.get(room)
    if (isSame && !room.order?.isStuck) return
    this.#reasons.set(room, reason)
    room.order = isSealed ? new GroupOrder() : undefined
    const { channel_id } = room
    const change = { channel_id, ...this.of(room) }
    // The newcomer learns it from the answer.
    for (const seat of seats) if (seat !== newcomer) this.rooms.send(seat, 'voice.encryption', change)
  }

  /**
   * Ends the seats that keep a call open which the server now wants encrypted.
   * @returns true if there were any: then the call was considered anew as they left
   */
  #endUnable(room: Room): boolean {
    if (room.calls_encryption !== 'required') return false
    const unable = [...room.seats.values()].filter(
      ({ encrypts }, at) => room.is_stage || !encrypts || at >= ENCRYPTED_PEERS_MAX,
    )
    for (const seat of unable) if (room.seats.has(seat.voice_session_id)) this.rooms.leave(seat, 'encryption')
    return unable.length > 0
  }
}

function reasonToOpen({ calls_encryption, is_stage }: Room, seats: Seat[]): Encryption['reason'] {
  if (is_stage) return 'size'
  if (calls_encryption === 'off') return 'server'
  if (!seats.every(({ encrypts }) => encrypts)) return 'member'
  return seats.length > ENCRYPTED_PEERS_MAX ? 'size' : undefined
}
