import type { Frame } from '../core/events.ts'

/**
 * A change that every node must act on before the request that caused it is answered. Processes exchange notices by
 * NOTIFY.
 */
export type Notice =
  /** These sessions are revoked: close their sockets. */
  | { kind: 'sessions_revoked'; session_ids: number[] }
  /** These sessions have a new token: drop them from caches. */
  | { kind: 'sessions_refreshed'; session_ids: number[] }
  /** The account has no sessions left: its calls and its TURN credentials end. */
  | { kind: 'user_gone'; user_id: number }
  /** The access of these accounts has changed: refresh the subscriptions of their sockets. */
  | { kind: 'access_changed'; user_ids: number[] }
  /**
   * Roles or overwrites of a server have changed: refresh the subscriptions of all members. `hidden` lists channels
   * that became restricted, `revealed` those that ceased to be; `since` is the id of the event before the change.
   */
  | { kind: 'server_access_changed'; server_id: number; hidden: number[]; revealed: number[]; since?: number }
  /** The account has joined or left a group. */
  | { kind: 'participant_changed'; channel_id: number; user_id: number; is_in: boolean }
  /** The channel is deleted: end its call. */
  | { kind: 'channel_deleted'; channel_id: number }
  /** The server is deleted: unsubscribe all sockets from it. */
  | { kind: 'server_deleted'; server_id: number }
  /** The account has chosen a status, or its status has ended. A choice replaces those with a smaller `set_at`. */
  | {
      kind: 'status_changed'
      user_id: number
      choice: {
        status: 'online' | 'idle' | 'dnd' | 'invisible'
        text: string | null
        emoji: string | null
        until: string | null
        set_at: number
      }
    }
  /** The automod rules of the server have changed: compile them anew. */
  | { kind: 'automod_changed'; server_id: number }
  // The last three are local to this node.
  /** Notices of other processes do not arrive: trust no cache. */
  | { kind: 'disconnected' }
  /**
   * Notices arrive again, but those sent after `since` may have been missed: check every session and subscription.
   * `since` is absent if none can have been missed.
   */
  | { kind: 'recheck_all'; since?: Date }
  /** Everything is checked, and other processes wait for this node again: caches may be trusted. */
  | { kind: 'connected' }

/** Carries frames to sockets, and notices to the caches that they invalidate. */
export interface Bus {
  /** Delivers a frame to everyone subscribed to its topic, on every node. */
  publish(frame: Frame): void
  /** Delivers a frame on this node only. */
  deliver(frame: Frame): void
  /** Sends published frames to other nodes now, without waiting for more to batch. */
  flush(): void
  /** Resolves when this node receives what others publish to these topics, or cannot receive it for now. */
  follow(topics: Iterable<string>): Promise<void>
  /** Stops following topics that have no subscribers on this node. */
  retain(isSubscribed: (topic: string) => boolean): void
  /** The latest that a frame of another node may arrive, in milliseconds; 0 if there is no other node. */
  readonly lateMsMax: number
  /** Resolves when this node has acted on the notice. */
  notify(notice: Notice): Promise<void>
  onFrame(listener: (frame: Frame) => void): void
  onNotice(listener: (notice: Notice) => Promise<void> | void): void
  /** True while notices of other processes arrive. While false, frames may be dropped. */
  receivesNotices(): boolean
  /**
   * Sets a check to call before each delivery, in a cluster. It returns false if other nodes may have given up on this
   * one; then nothing is delivered.
   */
  trustWhile(isCurrent: () => boolean): void
  /** `ok` if frames reach the other nodes, or if there can be none. */
  state(): 'ok' | 'away'
}

/**
 * Applies the notices of a committed change on this node, then sends its events.
 * @param hand `publish`, or `deliver` if other nodes get the events another way
 */
export async function dispatch(
  bus: Bus,
  notices: Notice[],
  frames: Frame[],
  hand: 'publish' | 'deliver',
): Promise<void> {
  // Subscriptions change before the frames go out, except that members must still receive the event of a deleted
  // server.
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
    lateMsMax: 0,
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
