import type { Frame } from '../core/events.ts'

/** What every node must act on before the request that caused it answers; other nodes get it by the relay. */
export type Notice =
  /** These sessions are revoked: close their sockets. */
  | { kind: 'sessions_revoked'; session_ids: number[] }
  /** These sessions have a new token: forget what is cached of them. */
  | { kind: 'sessions_refreshed'; session_ids: number[] }
  /** This account has no session left: what it holds without one ends, and what it was lent opens nothing more. */
  | { kind: 'user_gone'; user_id: number }
  /** What these accounts may see has changed: look again, subscribe, unsubscribe and tell. */
  | { kind: 'access_changed'; user_ids: number[] }
  /** Roles or overwrites of a server have changed: the same for every member, and these channels' topics;
   * `since` is the event before it. */
  | { kind: 'server_access_changed'; server_id: number; hidden: number[]; revealed: number[]; since?: number }
  /** The channel is gone: who is in a call there has to leave. */
  | { kind: 'channel_deleted'; channel_id: number }
  /** The server is gone: unsubscribe everyone from it. */
  | { kind: 'server_deleted'; server_id: number }
  /** Other processes cannot reach this node for now: believe no cache. */
  | { kind: 'out_of_touch' }
  /** They are heard again: what may have been missed is looked up, and nothing believed before that is done. */
  | { kind: 'look_again' }
  /** It is done, and they wait for this node again. */
  | { kind: 'in_touch' }

/** Carries frames to sockets, and notices to what keeps something of them. */
export interface Bus {
  /** Hands a frame to everyone subscribed to its topic, on every node. */
  publish(frame: Frame): void
  /** The same, on this node alone. */
  deliver(frame: Frame): void
  /** Resolves when what other nodes publish to these topics arrives here, or cannot for now. */
  follow(topics: Iterable<string>): Promise<void>
  /** Lets go of the topics that nobody here is subscribed to any more. */
  retain(isSubscribed: (topic: string) => boolean): void
  /** How late a frame of another node may come, in milliseconds; 0 when there is no other. */
  readonly late_ms_max: number
  /** Resolves when this node has acted on the notice. */
  notify(notice: Notice): Promise<void>
  onFrame(listener: (frame: Frame) => void): void
  onNotice(listener: (notice: Notice) => Promise<void> | void): void
  /** Whether this node hears of lost access; while it does not, what it is given may reach nobody. */
  isInTouch(): boolean
  /** Whether other nodes are reached, those that there may be. */
  state(): 'ok' | 'away'
}

/**
 * Acts here on the notices of what was committed, and hands out its events.
 * @param hand `publish`, or `deliver` for what other nodes learn in another way
 */
export async function settle(bus: Bus, notices: Notice[], frames: Frame[], hand: 'publish' | 'deliver'): Promise<void> {
  // Subscriptions first: who has just gained sight receives what follows, who has lost it does not. But the news of
  // a server's end goes to those whom it still has.
  const isEnd = (notice: Notice) => notice.kind === 'server_deleted'
  for (const notice of notices) if (!isEnd(notice)) await bus.notify(notice)
  for (const frame of frames) bus[hand](frame)
  for (const notice of notices) if (isEnd(notice)) await bus.notify(notice)
}

/** The bus of a single process: calls its listeners directly. */
export function memoryBus(): Bus {
  const frames: ((frame: Frame) => void)[] = []
  const notices: ((notice: Notice) => Promise<void> | void)[] = []
  const deliver = (frame: Frame) => {
    for (const listener of frames) listener(frame)
  }
  return {
    publish: deliver,
    deliver,
    follow: async () => {},
    retain: () => {},
    late_ms_max: 0,
    notify: async (notice) => {
      await Promise.all(notices.map(async (listener) => listener(notice)))
    },
    onFrame: (listener) => void frames.push(listener),
    onNotice: (listener) => void notices.push(listener),
    isInTouch: () => true,
    state: () => 'ok',
  }
}
