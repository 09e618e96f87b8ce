import type { Events } from '../../core/events.ts'
import type { State } from './state.ts'

/** A part of the state: `shell` is servers, channels, roles, read marks, relations and conversations. */
export type Part = 'shell' | 'members' | 'statuses' | 'voices' | `timeline ${string}` | `typing ${string}`

/** What each event does to the state; `s` is 0 on ephemeral events. */
export type Handlers = { [K in keyof Events]?: (d: Events[K], s: number) => void }

/** What handlers of events change. */
export interface HandlerContext {
  readonly state: State
  /** Ids that were named and whose resources are not there: they have to be fetched. */
  readonly unknown: { servers: Set<number>; channels: Set<number>; people: Set<number> }
  /** Marks parts as changed. */
  touch(...parts: Part[]): void
  /** Applies what an event says of a second resource, unless a newer event has said something of that. */
  applyIfNewer(resource: string, s: number, change: () => void): void
}
