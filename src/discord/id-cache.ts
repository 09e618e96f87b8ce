import type { Kind, KnownIds } from './lookup.ts'

/** Ids to cache, about 60 bytes each. */
const IDS_MAX = 100_000

/**
 * Discord ids by kind and id of the row, the least recently added first. Numbers are keys, because a string per lookup
 * would be most of the garbage of a translation.
 */
export class IdCache implements KnownIds {
  readonly #kinds = new Map<Kind, Map<number, string>>()
  readonly #servers = new Map<number, number | null>()
  #size = 0

  of(kind: Kind, id: number): string | undefined {
    return this.#kinds.get(kind)?.get(id)
  }

  serverOf(channelId: number): number | null | undefined {
    return this.#servers.get(channelId)
  }

  keep(kind: Kind, id: number, discordId: string): void {
    const ids = this.#kinds.get(kind) ?? new Map<number, string>()
    this.#kinds.set(kind, ids)
    if (!ids.has(id)) this.#size++
    ids.set(id, discordId)
    if (this.#size > IDS_MAX) this.#dropOldest()
  }

  /** Call after `keep`. */
  keepServer(channelId: number, serverId: number | null): void {
    this.#servers.set(channelId, serverId)
  }

  /** Drops an id of the most frequent kind. */
  #dropOldest(): void {
    const [[kind, ids] = []] = [...this.#kinds].toSorted(([, a], [, b]) => b.size - a.size)
    const oldest = ids?.keys().next().value
    if (oldest === undefined) return
    ids?.delete(oldest)
    if (kind === 'channel') this.#servers.delete(oldest)
    this.#size--
  }
}
