import type { Events } from '../../core/events.ts'
import type { State } from './state.ts'

/** A part of the state: `shell` is servers, channels, roles, read marks, relations and conversations. */
export type Part = 'shell' | 'members' | 'statuses' | 'voices' | `timeline ${string}` | `typing ${string}`

/** Applies each event to the state. `s` is 0 for ephemeral events. */
export type Handlers = { [K in keyof Events]?: (d: Events[K], s: number) => void }

/** The state that event handlers change. */
export interface HandlerContext {
  readonly state: State
  /** True if the event that is being applied is older than `ready`. */
  readonly isReplay: boolean
  /** Ids of missing resources, which have to be fetched; `unread`: channels whose unread state is unknown. */
  readonly unknown: { servers: Set<number>; channels: Set<number>; people: Set<number>; unread: Set<number> }
  /** Marks parts as changed. */
  touch(...parts: Part[]): void
  /** Notes that a resource has changed: a REST answer from before is out of date. */
  noteChange(resource: string): void
  /** Applies a change of another resource than the event's own, unless a newer event was applied to it. */
  applyIfNewer(resource: string, s: number, change: () => void): void
}
