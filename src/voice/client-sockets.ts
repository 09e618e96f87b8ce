import type { VoiceClient } from './seat.ts'

/** A socket in a call from which nothing has arrived for so long is pinged. */
export const PING_MS = 2_000

/** What voice needs of the gateway's sockets. */
export interface ClientSockets {
  send(client: VoiceClient, frame: string): void
  ping(client: VoiceClient): void
  isOpen(client: VoiceClient): boolean
  /** Whether so much waits in the socket's outbound buffer that signalling should not be added. */
  isClogged(client: VoiceClient): boolean
}

/** The sockets of this node, once the gateway has attached them; none before. */
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
