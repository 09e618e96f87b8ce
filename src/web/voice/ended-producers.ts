import { codeOf, type VoiceGateway } from './voice-gateway.ts'

/** Tells the SFU which producers of this member have ended: without that, others keep the last picture. */
export class EndedProducers {
  /** Ids of those that the SFU may not know of, because the gateway was offline. */
  readonly #untold = new Set<string>()

  constructor(private readonly gateway: VoiceGateway) {}

  async tell(producer_id: string): Promise<void> {
    this.#untold.delete(producer_id)
    await this.gateway.command('voice.sfu.close_producer', { producer_id }).catch((error: unknown) => {
      if (codeOf(error) === undefined) this.#untold.add(producer_id)
    })
  }

  /** Call after the gateway has reconnected. */
  repeat(): void {
    for (const id of this.#untold) void this.tell(id)
  }
}
