import type { Frame } from '../core/events.ts'

/** What every node must act on before the request that caused it is answered. Other processes send it by NOTIFY. */
export type Notice =
  /** These sessions are revoked: close their sockets. */
  | { kind: 'sessions_revoked'; session_ids: number[] }
  /** These sessions have a new token: forget what is cached of them. */
  | { kind: 'sessions_refreshed'; session_ids: number[] }
  /** The account has no session left: its calls and its TURN credentials end. */
  | { kind: 'user_gone'; user_id: number }
  /** What these accounts may see has changed: refresh the subscriptions of their sockets. */
  | { kind: 'access_changed'; user_ids: number[] }
  /**
   * Roles or overwrites of a server have changed: refresh the subscriptions of all members. `hidden` and `revealed`
   * are the channels that have become restricted, or are so no more; `since` is the id of the event before the change.
   */
  | { kind: 'server_access_changed'; server_id: number; hidden: number[]; revealed: number[]; since?: number }
  /** The account has come into a group, or is not in it any more. */
  | { kind: 'participant_changed'; channel_id: number; user_id: number; is_in: boolean }
  /** The channel is deleted: end its call. */
  | { kind: 'channel_deleted'; channel_id: number }
  /** The server is deleted: unsubscribe all sockets from it. */
  | { kind: 'server_deleted'; server_id: number }
  // The last three are this node's own.
  /** Notices of other processes do not arrive: trust no cache. */
  | { kind: 'disconnected' }
  /**
   * Notices arrive again, and those sent after `since` may have been missed: check every session and every
   * subscription. Absent when none can have been.
   */
  | { kind: 'recheck_all'; since?: Date }
  /** All is checked, and other processes wait for this node again: caches may be trusted. */
  | { kind: 'connected' }

/** Carries frames to sockets, and notices to whatever caches what they change. */
export interface Bus {
  /** Hands a frame to everyone subscribed to its topic, on every node. */
  publish(frame: Frame): void
  /** The same, on this node alone. */
  deliver(frame: Frame): void
  /** Sends what was published to other nodes now; by itself it waits a moment for more. */
  flush(): void
  /** Resolves when what other nodes publish to these topics arrives here, or cannot for now. */
  follow(topics: Iterable<string>): Promise<void>
  /** Stops following the topics to which nobody here is subscribed. */
  retain(isSubscribed: (topic: string) => boolean): void
  /** How late a frame of another node may come, in milliseconds; 0 when there is no other. */
  readonly late_ms_max: number
  /** Resolves when this node has acted on the notice. */
  notify(notice: Notice): Promise<void>
  onFrame(listener: (frame: Frame) => void): void
  onNotice(listener: (notice: Notice) => Promise<void> | void): void
  /** Whether notices of other processes arrive. While they do not, frames may be dropped instead of delivered. */
  receivesNotices(): boolean
  /**
   * Asked before each delivery, where there can be other nodes: false when they may have given this one up. Then
   * nothing is delivered.
   */
  trustWhile(isCurrent: () => boolean): void
  /** Whether frames reach other nodes, where there can be any. */
  state(): 'ok' | 'away'
}

/**
 * Acts on the notices of a committed change here, and hands out its events.
 * @param hand `publish`, or `deliver` when other nodes learn of the events in another way
 */
export async function dispatch(
  bus: Bus,
  notices: Notice[],
  frames: Frame[],
  hand: 'publish' | 'deliver',
): Promise<void> {
  // Subscriptions change before the frames go out. Only the end of a server comes after: its members receive the news.
  const isEnd = (notice: Notice) => notice.kind === 'server_deleted'
  for (const notice of notices) if (!isEnd(notice)) await bus.notify(notice)
  for (const frame of frames) bus[hand](frame)
  for (const notice of notices) if (isEnd(notice)) await bus.notify(notice)
}

/** The bus of a single process: calls its listeners directly. */
export function memoryBus(): Bus {
  const frameListeners: ((frame: Frame) => void)[] = []
  const noticeListeners: ((notice: Notice) => Promise<void> | void)[] = []
  const deliver = (frame: Frame) => {
    for (const listener of frameListeners) listener(frame)
  }
  return {
    publish: deliver,
    deliver,
    flush: () => {},
    follow: async () => {},
    retain: () => {},
    late_ms_max: 0,
    notify: async (notice) => {
      await Promise.all(noticeListeners.map(async (listener) => listener(notice)))
    },
    onFrame: (listener) => void frameListeners.push(listener),
    onNotice: (listener) => void noticeListeners.push(listener),
    receivesNotices: () => true,
    trustWhile: () => {},
    state: () => 'ok',
  }
}
