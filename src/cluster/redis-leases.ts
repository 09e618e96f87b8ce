import type { Result } from 'ioredis'
import type { Leases, Weigh } from './leases.ts'
import type { Log } from '../core/log.ts'
import type { RedisLink } from '../redis/client.ts'
import { openCircuit } from '../redis/circuit.ts'

/** Expiry of a lease after its node has died. */
const LEASE_MS = 4_000
const RENEW_MS = 500
/** A lease renewed within this time counts as valid without asking Redis. */
const CONFIRMED_MS = 2_000
/**
 * After Redis or this node hung, the first renewal waits this long, so that nodes hear each other first. Then a node
 * knows the weights of its leases, and can reach the node that took one from it.
 */
const SETTLE_MS = 300
const PER_SCRIPT_MAX = 500

/**
 * KEYS: leases, then the weight of each; ARGV: node, milliseconds, then the weight of each lease for this node if it
 * already owns the lease, else -1. Takes free leases and those with a lower weight for their owner, renews the node's
 * own, and returns the owner of each.
 */
const TAKE = `
local holders = {}
for at = 1, #KEYS / 2 do
  local key, weight_key = KEYS[at], KEYS[#KEYS / 2 + at]
  local holder, weight = redis.call('get', key), tonumber(ARGV[2 + at])
  if not holder or holder == ARGV[1] or weight > tonumber(redis.call('get', weight_key) or '0') then
    redis.call('set', key, ARGV[1], 'PX', ARGV[2])
    redis.call('set', weight_key, ARGV[2 + at], 'PX', ARGV[2])
    holder = ARGV[1]
  end
  holders[at] = holder
end
return holders`

/** KEYS: leases, then the weight of each; ARGV: node. Releases the leases that the node owns. */
const RELEASE = `
for at = 1, #KEYS / 2 do
  if redis.call('get', KEYS[at]) == ARGV[1] then redis.call('del', KEYS[at], KEYS[#KEYS / 2 + at]) end
end`

/** KEYS: a lease and its weight; ARGV: node, next node, milliseconds. Returns 1 if the node owned the lease. */
const HAND = `
if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('set', KEYS[1], ARGV[2], 'PX', ARGV[3])
redis.call('set', KEYS[2], '0', 'PX', ARGV[3])
return 1`

declare module 'ioredis' {
  interface RedisCommander<Context> {
    parleyTake(count: number, ...keysAndArguments: (string | number)[]): Result<string[], Context>
    parleyRelease(count: number, ...keysAndArguments: (string | number)[]): Result<null, Context>
    parleyHand(count: number, ...keysAndArguments: (string | number)[]): Result<number, Context>
  }
}

/** The owner of a lease, and the time of the query; -Infinity if Redis did not answer. */
interface LeaseOwner {
  holder: string
  askedAt: number
}

/**
 * Leases in Redis, renewed twice a second. While Redis is away, a node keeps its leases and takes new ones without
 * asking. Afterwards the node with the highest weight keeps that lease, and the others lose it.
 */
export class RedisLeases implements Leases {
  /** Leases of this node, and when each was last confirmed, by performance.now(). */
  readonly #ownLeases = new Map<string, number>()
  /** Requests in progress, by lease. */
  readonly #taking = new Map<string, Promise<LeaseOwner>>()
  readonly #lostListeners: ((name: string) => void)[] = []
  readonly #attempt: <T>(work: () => Promise<T>) => Promise<T>
  readonly #timer = setInterval(() => void this.#renew(), RENEW_MS)
  #weigh: Weigh = () => 0
  #returnedAt = -Infinity
  #renewal: Promise<void> | undefined

  /** @param id of this node */
  constructor(
    private readonly link: RedisLink,
    private readonly id: string,
    private readonly log: Log,
  ) {
    link.commands.defineCommand('parleyTake', { lua: TAKE })
    link.commands.defineCommand('parleyRelease', { lua: RELEASE })
    link.commands.defineCommand('parleyHand', { lua: HAND })
    this.#attempt = openCircuit(link, log)
    link.onReturn(() => {
      this.#returnedAt = performance.now()
      void this.#renew()
    })
  }

  weighBy(weigh: Weigh): void {
    this.#weigh = weigh
  }

  async take(name: string): Promise<string> {
    const confirmedAt = this.#ownLeases.get(name)
    if (confirmedAt !== undefined) {
      if (performance.now() - confirmedAt >= CONFIRMED_MS) await this.#renew()
      if (this.#ownLeases.has(name)) return this.id
    }
    const request = this.#taking.get(name) ?? this.#request(name)
    this.#taking.set(name, request)
    const { holder, askedAt } = await request
    // Unless the lease was released meanwhile.
    if (this.#taking.get(name) === request) {
      this.#taking.delete(name)
      if (holder === this.id) this.#ownLeases.set(name, askedAt)
    }
    return holder
  }

  release(name: string): void {
    this.#ownLeases.delete(name)
    this.#taking.delete(name)
    this.#releaseInRedis([name])
  }

  async handTo(name: string, node: string): Promise<boolean> {
    const confirmedAt = this.#ownLeases.get(name)
    if (confirmedAt === undefined || !this.link.isAnswering()) return false
    // A renewal that began later would take the lease back.
    this.#ownLeases.delete(name)
    const keys = this.#keysOf([name])
    const hand = () => this.link.commands.parleyHand(keys.length, ...keys, this.id, node, LEASE_MS)
    const isHanded = await this.#attempt(hand).then(Boolean, () => false)
    // If another node has it, the next renewal says so.
    if (!isHanded) this.#ownLeases.set(name, confirmedAt)
    return isHanded
  }

  onLost(listener: (name: string) => void): void {
    this.#lostListeners.push(listener)
  }

  stop(): void {
    clearInterval(this.#timer)
    const names = [...this.#ownLeases.keys()]
    this.#ownLeases.clear()
    if (names.length > 0) this.#releaseInRedis(names)
  }

  /** All leases are in one slot of a Redis Cluster, so that one script can take them. */
  #keysOf(names: string[]): string[] {
    const keys = names.map((name) => this.link.key(`{leases}:${name}`))
    return [...keys, ...keys.map((key) => `${key}:weight`)]
  }

  /** @returns the owner of each lease */
  #takeInRedis(names: string[]): Promise<string[]> {
    const keys = this.#keysOf(names)
    const weights = names.map((name) => (this.#ownLeases.has(name) ? this.#weigh(name) : -1))
    return this.#attempt(() => this.link.commands.parleyTake(keys.length, ...keys, this.id, LEASE_MS, ...weights))
  }

  #releaseInRedis(names: string[]): void {
    const keys = this.#keysOf(names)
    this.#attempt(() => this.link.commands.parleyRelease(keys.length, ...keys, this.id)).catch(() => {})
  }

  /** Requests a lease that this node does not own. */
  #request(name: string): Promise<LeaseOwner> {
    const askedAt = performance.now()
    return this.#takeInRedis([name]).then(
      ([holder]) => ({ holder: holder ?? this.id, askedAt }),
      () => ({ holder: this.id, askedAt: -Infinity }),
    )
  }

  /**
   * Renews the leases of this node; concurrent calls share one run. Also resolves if Redis is away: the node keeps
   * them.
   */
  #renew(): Promise<void> {
    return (this.#renewal ??= this.#renewAll()
      .catch(() => {})
      .finally(() => (this.#renewal = undefined)))
  }

  async #renewAll(): Promise<void> {
    if (this.#ownLeases.size === 0 || !this.link.isAnswering()) return
    await this.#settled()
    const startedAt = performance.now()
    const leaseNames = [...this.#ownLeases.keys()]
    for (let from = 0; from < leaseNames.length; from += PER_SCRIPT_MAX) {
      // Skip leases that were released meanwhile.
      const names = leaseNames.slice(from, from + PER_SCRIPT_MAX).filter((name) => this.#ownLeases.has(name))
      if (names.length === 0) continue
      const holders = await this.#takeInRedis(names)
      for (const [at, name] of names.entries()) {
        if (holders[at] !== this.id) this.#lose(name)
        else if (this.#ownLeases.has(name)) this.#ownLeases.set(name, startedAt)
      }
    }
  }

  async #settled(): Promise<void> {
    const now = performance.now()
    const isExpired = [...this.#ownLeases.values()].some((confirmedAt) => now - confirmedAt > LEASE_MS)
    const waitMs = isExpired ? SETTLE_MS : this.#returnedAt + SETTLE_MS - now
    if (waitMs > 0) await Bun.sleep(waitMs)
  }

  #lose(name: string): void {
    if (!this.#ownLeases.delete(name)) return
    this.log('warn', 'lease.lost', { lease: name })
    for (const listener of this.#lostListeners) listener(name)
  }
}
