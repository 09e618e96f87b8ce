import type { types } from 'mediasoup'
import { Problem } from '../../core/errors.ts'
import { DIRECT_PAYLOAD_TYPE, type MemberAudio } from '../sfu/direct-audio.ts'
import { MediaUnavailable } from '../sfu/process.ts'
import type { Hosted, LinkHost } from './link-host.ts'
import type { LinkRequests } from './link-requests.ts'
import type { Asked, Op } from './model.ts'

/**
 * The audio of a client of this process whose room is on another one, such as a bot made for Discord. Its packets enter
 * and leave a branch of that room on this process, and cross the branch's link. The room's owner has the member's peer,
 * and decides which of them pass. `RemoteAudio` is the owner's side.
 */
export class HostedAudio implements MemberAudio {
  #producer: types.Producer | undefined

  private constructor(
    private readonly node: string,
    private readonly client: number,
    private readonly requests: Pick<LinkRequests, 'ask'>,
    private readonly branch: Hosted,
    private readonly transport: types.DirectTransport,
  ) {}

  /** @throws Problem `not_found` without a seat there; MediaUnavailable */
  static async open(
    node: string,
    client: number,
    requests: Pick<LinkRequests, 'ask'>,
    host: Pick<LinkHost, 'find'>,
  ): Promise<HostedAudio> {
    const opened = await requests.ask(node, 'audio_open', { client }).catch(unavailable)
    const branch = host.find(node, opened.branch)
    const transport = branch.transports.get(opened.transport)
    if (transport?.type !== 'direct') throw new MediaUnavailable('The branch has ended')
    return new HostedAudio(node, client, requests, branch, transport as types.DirectTransport)
  }

  get isClosed(): boolean {
    return this.transport.closed
  }

  async produce(ssrc: number): Promise<void> {
    const codec = { mimeType: 'audio/opus', payloadType: DIRECT_PAYLOAD_TYPE, clockRate: 48_000, channels: 2 }
    const rtpParameters = { codecs: [codec], encodings: [{ ssrc }] }
    const producer = await this.transport.produce({ kind: 'audio', rtpParameters }).catch(unavailable)
    const crossing = await this.branch.pipe.consume({ producerId: producer.id }).catch(unavailable)
    const { consumers } = this.branch
    consumers.set(crossing.id, crossing)
    // The owner ends the crossing when it takes the microphone.
    crossing.observer.once('close', () => {
      consumers.delete(crossing.id)
      producer.close()
    })
    this.#producer = producer
    try {
      await this.#ask('audio_produce', { rtp_parameters: { ...crossing.rtpParameters }, consumer: crossing.id })
    } catch (error) {
      crossing.close()
      throw error
    }
  }

  send(packet: Buffer): void {
    if (this.#producer && !this.#producer.closed) this.#producer.send(packet)
  }

  async receive(producerId: string, onPacket: (packet: Buffer) => void): Promise<() => void> {
    const { consumer: id } = await this.#ask('audio_receive', { producer: producerId })
    const consumer = this.branch.consumers.get(id)
    if (!consumer) throw new Problem('not_found')
    consumer.on('rtp', onPacket)
    return () => {
      consumer.close()
      this.#ask('audio_stop', { consumer: id }).catch(() => undefined)
    }
  }

  close(): void {
    if (this.isClosed) return
    this.transport.close()
    this.#ask('audio_close', {}).catch(() => undefined)
  }

  #ask<K extends Extract<Op, `audio_${string}`>>(op: K, d: Omit<Asked<K>, 'client' | 'transport'>) {
    const body = { client: this.client, transport: this.transport.id, ...d } as unknown as Asked<K>
    return this.requests.ask(this.node, op, body).catch(unavailable)
  }
}

/** @throws Problem or MediaUnavailable as it is; anything else as MediaUnavailable */
function unavailable(error: unknown): never {
  if (error instanceof Problem || error instanceof MediaUnavailable) throw error
  throw new MediaUnavailable(error instanceof Error ? error.message : String(error))
}
