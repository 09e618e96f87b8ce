import type { VoiceClient } from './seat.ts'

/** A socket in a call is pinged after this much silence. */
export const PING_MS = 2_000

/** The part of the gateway's sockets that voice uses. */
export interface ClientSockets {
  send(client: VoiceClient, frame: string): void
  ping(client: VoiceClient): void
  isOpen(client: VoiceClient): boolean
  /** True if the socket's outbound buffer is too full to add signalling. */
  isClogged(client: VoiceClient): boolean
}

/** The sockets of this node; empty until the gateway has attached them. */
export class NodeSockets implements ClientSockets {
  #attached: ClientSockets | undefined

  attach(sockets: ClientSockets): void {
    this.#attached = sockets
  }

  send(client: VoiceClient, frame: string): void {
    this.#attached?.send(client, frame)
  }

  ping(client: VoiceClient): void {
    this.#attached?.ping(client)
  }

  isOpen(client: VoiceClient): boolean {
    return this.#attached?.isOpen(client) ?? false
  }

  isClogged(client: VoiceClient): boolean {
    return this.#attached?.isClogged(client) ?? false
  }
}
