import type { Rooms } from '../rooms.ts'
import {
  type Admission,
  demandStaying,
  type JoinOptions,
  type JoinRequest,
  type Seat,
  type VoiceClient,
} from '../seat.ts'
import type { Welcome } from './welcome.ts'

/** Runs `here` if this node owns the channel's room; otherwise makes the client join on the node that does. */
export type Placement = (client: VoiceClient, request: JoinRequest, here: () => Promise<void>) => Promise<void>

/** Moves members to other channels, past the channel's limit of people. */
export class SeatMover {
  constructor(
    private readonly rooms: Rooms,
    private readonly welcome: Welcome,
    private readonly place: Placement,
  ) {}

  /**
   * Moves a seat to the channel of the admission. A seat without a socket ends. Seats that have ended or moved
   * meanwhile stay as they are.
   * @throws Problem `unavailable` while another node takes the seat's room over
   */
  async move(seat: Seat, admission: Admission): Promise<void> {
    const { rooms } = this
    const { client, self_mute, self_deaf, relay_only, encrypts } = seat
    const { channel_id } = admission
    if (rooms.ofUser(seat.user.id) !== seat || seat.room.channel_id === channel_id) return
    demandStaying(seat)
    if (!client) return rooms.leave(seat)
    const options: JoinOptions = { self_mute, self_deaf, relay_only, encrypts }
    await this.place(client, { channel_id, ...options }, async () => {
      if (rooms.ofUser(seat.user.id) !== seat) return
      demandStaying(seat)
      this.welcome.encryption.demand(admission, options)
      const newSeat = rooms.enter(client, admission, options, true)
      rooms.send(newSeat, 'voice.moved', this.welcome.joinAnswer(newSeat, client))
    })
  }
}
