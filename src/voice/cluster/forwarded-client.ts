import type { VoiceClient } from '../seat.ts'
import { Entering } from './entering.ts'

/** A client of this node that uses another node. */
export interface ForwardedClient {
  client: VoiceClient
  /** The node that owns its room. */
  owner: string | undefined
  /** Its voice session there. */
  seat: string | undefined
  /** Number of that node's last frame that the answer with this seat contains. */
  since: number
  /** True if the seat began with that answer: peers may have sent signalling before the client knew of it. */
  isNew: boolean
  readonly entering: Entering
  /** Number of its commands that each node is running. */
  pending: Map<string, number>
  /** Signalling that waits for the socket's outbound buffer to drain. Bounded by the owner's budgets. */
  heldFrames: string[]
}

/** A client that has no seat yet. */
export const newForwardedClient = (client: VoiceClient): ForwardedClient => ({
  client,
  owner: undefined,
  seat: undefined,
  since: 0,
  isNew: false,
  entering: new Entering(),
  pending: new Map(),
  heldFrames: [],
})
