import type { Result } from 'ioredis'
import type { Leases } from './leases.ts'
import type { Log } from '../core/log.ts'
import type { RedisLink } from '../redis/client.ts'
import { openCircuit } from '../redis/circuit.ts'

/** A lease is free this long after its node has died. */
const LEASE_MS = 4_000
const RENEW_MS = 1_000
/** A lease that was renewed within this time is held without asking again. */
const CONFIRMED_MS = 2_000
/**
 * After Redis comes back, the first renewal waits for this long: nodes receive each other first, so that a node which
 * loses a lease can reach the one that has it.
 */
const RECONNECT_MS = 300
const PER_SCRIPT_MAX = 500

/** KEYS: leases; ARGV: node, milliseconds. Takes the free leases, renews the node's own, returns the holder of each. */
const TAKE = `
local holders = {}
for at, key in ipairs(KEYS) do
  local holder = redis.call('get', key)
  if not holder or holder == ARGV[1] then
    redis.call('set', key, ARGV[1], 'PX', ARGV[2])
    holder = ARGV[1]
  end
  holders[at] = holder
end
return holders`

/** KEYS: leases; ARGV: node. Releases the node's own leases. */
const RELEASE = `
for _, key in ipairs(KEYS) do
  if redis.call('get', key) == ARGV[1] then redis.call('del', key) end
end`

declare module 'ioredis' {
  interface RedisCommander<Context> {
    parleyTake(count: number, ...keysAndArguments: (string | number)[]): Result<string[], Context>
    parleyRelease(count: number, ...keysAndArguments: (string | number)[]): Result<null, Context>
  }
}

/**
 * Leases in Redis, renewed every second. While Redis is away, a node keeps its leases and takes new ones without
 * asking. Afterwards the first node that comes back has them; the others lose theirs.
 */
export class RedisLeases implements Leases {
  readonly #held = new Set<string>()
  /** The requests under way, by lease. */
  readonly #taking = new Map<string, Promise<string>>()
  readonly #lostListeners: ((name: string) => void)[] = []
  readonly #attempt: <T>(work: () => Promise<T>) => Promise<T>
  readonly #timer = setInterval(() => this.#renewUnlessBusy(), RENEW_MS)
  /** When the renewal began that confirmed all leases last, by performance.now(). */
  #confirmed_at = -Infinity
  #renewing = false
  #reconnecting = false

  /** @param id this node */
  constructor(
    private readonly link: RedisLink,
    private readonly id: string,
    private readonly log: Log,
  ) {
    link.commands.defineCommand('parleyTake', { lua: TAKE })
    link.commands.defineCommand('parleyRelease', { lua: RELEASE })
    this.#attempt = openCircuit(link, log)
    link.onReady(() => this.#reconnected())
  }

  async take(name: string): Promise<string> {
    if (this.#held.has(name) && performance.now() - this.#confirmed_at < CONFIRMED_MS) return this.id
    const request = this.#taking.get(name) ?? this.#request(name)
    this.#taking.set(name, request)
    const holder = await request
    // Unless the lease was released meanwhile.
    if (this.#taking.get(name) === request) {
      this.#taking.delete(name)
      if (holder === this.id) this.#held.add(name)
      else this.#lose(name)
    }
    return holder
  }

  release(name: string): void {
    this.#held.delete(name)
    this.#taking.delete(name)
    this.#releaseInRedis([name])
  }

  onLost(listener: (name: string) => void): void {
    this.#lostListeners.push(listener)
  }

  stop(): void {
    clearInterval(this.#timer)
    const names = [...this.#held]
    this.#held.clear()
    if (names.length > 0) this.#releaseInRedis(names)
  }

  /** All leases are in one slot of a Redis Cluster, so that one script can take them. */
  #keyOf(name: string): string {
    return this.link.key(`{leases}:${name}`)
  }

  /** @returns the holder of each lease */
  #takeInRedis(names: string[]): Promise<string[]> {
    const keys = names.map((name) => this.#keyOf(name))
    return this.#attempt(() => this.link.commands.parleyTake(keys.length, ...keys, this.id, LEASE_MS))
  }

  #releaseInRedis(names: string[]): void {
    const keys = names.map((name) => this.#keyOf(name))
    this.#attempt(() => this.link.commands.parleyRelease(keys.length, ...keys, this.id)).catch(() => {})
  }

  #request(name: string): Promise<string> {
    return this.#takeInRedis([name]).then(
      ([holder]) => holder ?? this.id,
      () => this.id,
    )
  }

  #renewUnlessBusy(): void {
    if (this.#renewing || this.#reconnecting || this.#held.size === 0) return
    this.#renewing = true
    this.#renew()
      // While Redis is away, the node keeps its leases.
      .catch(() => {})
      .finally(() => (this.#renewing = false))
  }

  async #renew(): Promise<void> {
    const started = performance.now()
    const all = [...this.#held]
    for (let from = 0; from < all.length; from += PER_SCRIPT_MAX) {
      // Without those that were released meanwhile.
      const names = all.slice(from, from + PER_SCRIPT_MAX).filter((name) => this.#held.has(name))
      if (names.length === 0) continue
      const holders = await this.#takeInRedis(names)
      for (const [at, name] of names.entries()) if (holders[at] !== this.id) this.#lose(name)
    }
    this.#confirmed_at = started
  }

  #lose(name: string): void {
    if (!this.#held.delete(name)) return
    this.log('warn', 'lease.lost', { lease: name })
    for (const listener of this.#lostListeners) listener(name)
  }

  #reconnected(): void {
    this.#reconnecting = true
    setTimeout(() => {
      this.#reconnecting = false
      this.#renewUnlessBusy()
    }, RECONNECT_MS)
  }
}
