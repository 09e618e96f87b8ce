import { randomBytes } from 'node:crypto'
import { errorFields, type Log } from '../../core/log.ts'
import { Problem } from '../../core/errors.ts'
import type { Joined } from '../../voice/model.ts'
import { DIRECT_PAYLOAD_TYPE, type MemberAudio } from '../../voice/sfu/direct-audio.ts'
import { MediaUnavailable } from '../../voice/sfu/process.ts'
import { parseRtp, type Rtp, rtpHeader } from './rtp.ts'

/** Discord's payload type of Opus. */
const OPUS = 120

export type Producer = Joined['producers'][number]

/** Takes the media of a call. */
export interface MediaOutlet {
  /** A member can be heard from now on, under this number. */
  announce(voiceSessionId: string, ssrc: number): void
  /** Sends a packet to the bot. */
  send(rtp: Rtp): void
}

/** The audio of a bot in a room of the SFU: what it says, and the microphones that it hears. */
export class CallMedia {
  /** By the producer's id: the number under which the bot hears it, and how to stop. */
  readonly #streams = new Map<string, { voiceSessionId: string; ssrc: number; stop: (() => void) | undefined }>()

  /**
   * @param audio the bot's, open
   * @param outlet takes what others say
   */
  constructor(
    private readonly audio: MemberAudio,
    private readonly outlet: MediaOutlet,
    private readonly log: Log,
  ) {}

  get isClosed(): boolean {
    return this.audio.isClosed
  }

  /** Sends what the bot says into the room. */
  say(rtp: Rtp): void {
    const header = rtpHeader({ ...rtp, payloadType: DIRECT_PAYLOAD_TYPE })
    this.audio.send(Buffer.concat([header, rtp.payload]))
  }

  /** Hears exactly the microphones among these producers. */
  hearOnly(producers: Producer[]): void {
    const ids = new Set(producers.map(({ producer_id }) => producer_id))
    for (const id of this.#streams.keys()) if (!ids.has(id)) this.drop(id)
    for (const producer of producers) this.hear(producer)
  }

  /** Hears a producer. Sound of screens is left out: it would share the stream of its member's voice. */
  hear({ producer_id, voice_session_id: voiceSessionId, source }: Producer): void {
    if (source !== 'microphone' || this.#streams.has(producer_id)) return
    const ssrc = randomBytes(4).readUInt32BE()
    const stream: { voiceSessionId: string; ssrc: number; stop: (() => void) | undefined } = {
      voiceSessionId,
      ssrc,
      stop: undefined,
    }
    this.#streams.set(producer_id, stream)
    this.outlet.announce(voiceSessionId, ssrc)
    const onPacket = (packet: Buffer) => {
      const rtp = parseRtp(packet)
      if (rtp && rtp.payload.length > 0) this.outlet.send({ ...rtp, payloadType: OPUS, ssrc })
    }
    void this.audio.receive(producer_id, onPacket).then(
      (stop) => {
        // The bot may have been deafened meanwhile.
        if (this.#streams.get(producer_id) === stream) stream.stop = stop
        else stop()
      },
      (error: unknown) => {
        if (this.#streams.get(producer_id) === stream) this.#streams.delete(producer_id)
        const isGone = error instanceof Problem || error instanceof MediaUnavailable || this.isClosed
        if (!isGone) this.log('warn', 'discord.voice_receive', errorFields(error))
      },
    )
  }

  drop(producerId: string): void {
    const stream = this.#streams.get(producerId)
    this.#streams.delete(producerId)
    stream?.stop?.()
  }

  /** Announces everyone who can be heard, to a connection that resumes. */
  announceAll(): void {
    for (const { voiceSessionId, ssrc } of this.#streams.values()) this.outlet.announce(voiceSessionId, ssrc)
  }

  close(): void {
    this.#streams.clear()
    this.audio.close()
  }
}
