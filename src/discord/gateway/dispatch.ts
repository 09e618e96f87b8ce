import type { Events } from '../../core/events.ts'
import type { FileLinks } from '../file-links.ts'
import type { Lookup } from '../lookup.ts'

/** An event of Parley's gateway, read. */
export interface ParleyEvent {
  type: string
  /** Its id in the event log; absent for ephemeral events. */
  s: number | undefined
  /** The topic, or that of the only account that gets it. */
  topic: string
  d: unknown
}

/** An event of Discord's gateway. */
export interface Dispatch {
  t: string
  /** The intent that a bot needs for it; 0 for none. */
  intent: number
  /** The server's snowflake; null for what belongs to no server, which goes to the first shard. */
  guild: string | null
  d: object
  /** The payload for bots without the intent for content, except those among `addressed`. */
  blank?: object
  /** The payload for one bot, where bots see different parts of it. */
  dFor?: (botId: number) => object
  /** True for the bots that get it; absent if each bot that gets the event does. */
  isFor?: (botId: number) => boolean
  /** Accounts that the message addresses, and its author. */
  addressed?: number[]
  /** The account that gets it whatever its intents are: it is about that account. */
  about?: number
}

/** Translates an event of one type. */
export type Translate<K extends keyof Events> = (
  of: Lookup,
  d: Events[K],
  event: ParleyEvent,
  links: FileLinks,
) => Dispatch[]
/** Translations by the types of events. */
export type Table = { [K in keyof Events]?: Translate<K> }

/** One dispatch. */
export const one = (
  t: string,
  intent: number,
  guild: string | null,
  d: object,
  more: Partial<Dispatch> = {},
): Dispatch[] => [{ t, intent, guild, d, ...more }]

/** The account of a topic of one account. */
export const accountIn = (topic: string): number => Number(/^user:(\d+)$/.exec(topic)?.[1] ?? 0)
