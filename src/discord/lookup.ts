import type { PublicUser } from '../core/schema.ts'
import type { Channel } from '../features/access/model.ts'
import type { CalendarEvent } from '../features/calendar/model.ts'
import type { Trigger } from '../features/automod/model.ts'
import type { CustomEmoji } from '../features/emoji/model.ts'
import type { Sticker } from '../features/stickers/model.ts'
import type { BotCommand } from '../features/interactions/model.ts'
import type { Message } from '../features/messages/model.ts'
import type { Overwrite, Role } from '../features/roles/model.ts'
import { EARLIEST_MS, snowflake } from './snowflake.ts'

/**
 * Facts that a translation needs besides the event or answer that it translates: when rows were made, because that is
 * part of their Discord id, and accounts, members or channels that Discord writes out where Parley names an id.
 *
 * A translation is a pure function of a Lookup. It asks the Lookup for each fact where it needs it. A fact that is
 * missing is noted, and stands in the result as a placeholder; `resolve` then loads all missing facts with a statement
 * per kind and translates again, until nothing is missing. When a row was made never changes, so that is cached.
 */

/** Kinds of rows that have a Discord id. An application has the id of its bot's account. */
export type Kind =
  | 'user'
  | 'channel'
  | 'server'
  | 'role'
  | 'message'
  | 'emoji'
  | 'sticker'
  | 'file'
  | 'command'
  | 'interaction'
  | 'event'
  | 'sound'
  | 'audit'

/** A member as Discord writes it besides its user. */
export interface MemberFact {
  nickname: string | null
  role_ids: number[]
  joined_at: string
  timed_out_until: string | null
}

/** The bits that a channel and its category allow and deny single members. */
export interface MemberOverwrites {
  rows: { user_id: number; allow: number; deny: number }[]
  /** The bots that have manage_roles in the channel. */
  manager_ids: number[]
}

/** The facts other than ids, by kind. None is cached, because all of them change. */
export interface FactKinds {
  account: PublicUser
  /** By `server:account`. */
  member: MemberFact
  role_row: Role
  channel_row: Channel
  /** The roles, emoji and stickers of a server, by its id. */
  guild_roles: Role[]
  guild_emoji: CustomEmoji[]
  guild_stickers: Sticker[]
  /** The overwrites that apply in a channel, by its id. */
  overwrites: Overwrite[]
  /** The overwrites for members that apply in a channel, and who may list them; by its id. */
  member_overwrites: MemberOverwrites
  command_row: BotCommand
  /** By `message:account`: as the account sees it. */
  message_row: Message
  /** Permissions, by `channel:account`. */
  permissions: number
  invite_code: string
  /** The trigger of an automod rule, by its id. */
  rule_trigger: Trigger
  /** The time of the newest pin of a channel, by its id; null without pins. */
  newest_pin: string | null
  /** The channel that stands for a server's invites: a text channel that every member sees; by the server's id. */
  home_channel: number
  /**
   * An event of the calendar with its next date, also a cancelled one that is still in the database, and the bots that
   * see it now.
   */
  calendar_event: CalendarEvent & { is_cancelled: boolean; bot_ids: number[] }
  /** The events of a server that have not ended and that an account sees, with the next dates; by `server:account`. */
  server_events: CalendarEvent[]
  /** The unarchived threads of a channel, by its id. */
  channel_threads: Channel[]
}
export type FactKind = keyof FactKinds
/** Loaded facts by kind and key; undefined for a row that does not exist. */
export type Loaded = { [K in FactKind]?: Map<string, FactKinds[K] | undefined> }

export const keyOf = (kind: Kind, id: number) => `${kind} ${id}`

/** The snowflake of a row that is gone: older than any other, so that nothing else has it. */
export const goneId = (id: number): string => snowflake(id, EARLIEST_MS)

/** Ids that are cached. */
export interface KnownIds {
  /** The Discord id of a row. */
  of(kind: Kind, id: number): string | undefined
  /** The server of a channel, which never changes either; null for a dm. */
  serverOf(channelId: number): number | null | undefined
}

/** The facts of one translation, as it asks for them. */
export class Lookup {
  // Made when they are needed: most translations miss nothing.
  #missingIds: Map<Kind, Set<number>> | undefined
  #missing: Map<FactKind, Set<string>> | undefined

  constructor(
    private readonly ids: KnownIds,
    /** Ids of rows that do not exist. */
    private readonly goneIds: ReadonlyMap<string, string>,
    private readonly loaded: Loaded,
  ) {}

  get missingIds(): ReadonlyMap<Kind, ReadonlySet<number>> {
    return this.#missingIds ?? new Map()
  }

  get missing(): ReadonlyMap<FactKind, ReadonlySet<string>> {
    return this.#missing ?? new Map()
  }

  /** The Discord id of a row. @param createdAt when it was made, if that is known; not for the role `everyone` */
  id(kind: Kind, id: number, createdAt?: string): string {
    if (createdAt !== undefined) return snowflake(id, Date.parse(createdAt))
    const cachedId = this.ids.of(kind, id) ?? this.#goneId(kind, id)
    if (cachedId !== undefined) return cachedId
    note((this.#missingIds ??= new Map()), kind, id)
    return goneId(id)
  }

  /** The same of an id that may be null. */
  idOrNull(kind: Kind, id: number | null): string | null {
    return id === null ? null : this.id(kind, id)
  }

  /** The server of a channel; null for a dm, and for a channel that is gone. */
  serverOf(channelId: number): number | null {
    const server = this.ids.serverOf(channelId)
    if (server === undefined && this.#goneId('channel', channelId) === undefined)
      note((this.#missingIds ??= new Map()), 'channel', channelId)
    return server ?? null
  }

  #goneId(kind: Kind, id: number): string | undefined {
    return this.goneIds.size > 0 ? this.goneIds.get(keyOf(kind, id)) : undefined
  }

  /** A fact; undefined if there is no such row, or until it is loaded. */
  fact<K extends FactKind>(kind: K, key: string | number): FactKinds[K] | undefined {
    const facts = this.loaded[kind]
    if (facts?.has(String(key))) return facts.get(String(key))
    note((this.#missing ??= new Map()), kind, String(key))
    return undefined
  }

  get isComplete(): boolean {
    return !this.#missingIds && !this.#missing
  }
}

function note<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  const set = sets.get(key) ?? new Set<V>()
  sets.set(key, set.add(value))
}
