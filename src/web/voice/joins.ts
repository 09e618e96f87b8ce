import type { Joined } from '../../voice/model.ts'
import type { EventFrame } from '../client/gateway.ts'
import type { CallOptions } from './call-options.ts'
import { canEncrypt } from './sealing/call-sealing.ts'
import { codeOf } from './voice-gateway.ts'

/** The commands `voice.join` of a call, and the events that arrive before their answers. */
export class Joins {
  /** True if another channel is being joined during a call. */
  isMoving = false
  readonly #early: EventFrame[] = []
  /** The channel in which the person has accepted a call without encryption; asked once per call. */
  #acceptedIn: number | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(private readonly options: CallOptions) {}

  /** Asks to join a channel. Rejects with the problem when the server refuses. */
  async ask(channel_id: number, self_mute: boolean, self_deaf: boolean): Promise<Joined> {
    // Else the seat would send and receive nothing, and the others would change the route for it.
    if (typeof RTCPeerConnection !== 'function') throw new Error('This browser has no WebRTC')
    const { gateway, relay_only = false } = this.options
    this.#early.length = 0
    const ability = canEncrypt(this.options)
    const request = { channel_id, self_mute, self_deaf, relay_only }
    const send = (accepts_open: boolean): Promise<Joined> => {
      const answer = ability.then((encrypts) =>
        gateway.command('voice.join', { ...request, encrypts, ...(accepts_open && { accepts_open }) }),
      )
      // At once: who leaves waits for it.
      this.#last = answer.catch(() => undefined)
      return answer
    }
    try {
      return await send(this.#acceptedIn === channel_id)
    } catch (error) {
      if (codeOf(error) !== 'encryption_required' || !(await this.#accepts(channel_id))) throw error
      return send(true)
    }
  }

  /** In a dm or group, a person whose client cannot encrypt may accept that; then the others are asked. */
  async #accepts(channel_id: number): Promise<boolean> {
    const { accepts_open, devices } = this.options
    const isAccepted = accepts_open ?? (await devices?.consent?.toJoin(channel_id)) ?? false
    if (isAccepted) this.#acceptedIn = channel_id
    return isAccepted
  }

  /** Leaves after an unanswered join: the server may have given a seat, or still give one. */
  leaveUnanswered(error: unknown): void {
    if (codeOf(error) === undefined) this.options.gateway.command('voice.leave', {}).catch(() => undefined)
  }

  /** Resolves when the newest command is answered. */
  lastAnswer(): Promise<unknown> {
    return this.#last
  }

  /** Stores an event of the room that is being joined until the answer arrives. @returns true if it is stored */
  keeps(frame: EventFrame, call: { id: string; peers: ReadonlyMap<string, unknown> }): boolean {
    const { t, d } = frame
    if (this.isMoving && t === 'voice.moved') {
      // A moderator moved the member meanwhile: the stored events belong to the previous room.
      this.#early.length = 0
      return false
    }
    // Peers of the new room write from another process before the old seat has ended.
    const isOfPeer = t === 'voice.description' || t === 'voice.candidate'
    if (call.id !== '' && !(this.isMoving && isOfPeer && !call.peers.has(d.from))) return false
    this.#early.push(frame)
    return true
  }

  /** Returns and removes the events that arrived before the answer. */
  take(): EventFrame[] {
    return this.#early.splice(0)
  }

  /** Why the new seat has ended before the answer: another device has taken it, or a moderator. */
  endedBy(): string | undefined {
    for (const { t, d } of this.#early) if (t === 'voice.disconnected' && d.reason !== 'rejoin') return d.reason
    return undefined
  }
}
