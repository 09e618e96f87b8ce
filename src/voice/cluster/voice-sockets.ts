import type { ClientSockets } from '../client-sockets.ts'
import type { VoiceClient } from '../seat.ts'
import type { KeptFrames } from './kept-frames.ts'
import type { RemoteClients } from './remote-clients.ts'

/** The sockets of clients on this node and on others. */
export class VoiceSockets {
  constructor(
    private readonly frames: KeptFrames,
    private readonly local: ClientSockets,
    private readonly remote: RemoteClients,
  ) {}

  /** @param seat the client's voice session here after this frame */
  send(client: VoiceClient, frame: string, seat: string | null): void {
    const { node, id } = client
    if (node === undefined) this.local.send(client, frame)
    else this.frames.send(node, { client: id, seat, frame })
  }

  /** Other nodes ping their own sockets. */
  ping(client: VoiceClient): void {
    if (client.node === undefined) this.local.ping(client)
  }

  isClogged(client: VoiceClient): boolean {
    return client.node === undefined ? this.local.isClogged(client) : this.remote.isClogged(client)
  }

  isOpen(client: VoiceClient): boolean {
    return client.node === undefined ? this.local.isOpen(client) : this.remote.isOpen(client)
  }
}
