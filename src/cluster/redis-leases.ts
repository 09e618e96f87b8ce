import type { Result } from 'ioredis'
import type { Leases } from './leases.ts'
import type { Log } from '../core/log.ts'
import type { RedisLink } from '../redis/client.ts'
import { openCircuit } from '../redis/circuit.ts'

/** So long after its node has died a lease is free. */
const LEASE_MS = 4_000
const RENEW_MS = 1_000
/** What was confirmed within this time is not asked for again. */
const SURE_MS = 2_000
/** Nodes that come back hear each other first: who loses a lease then can turn to who has it. */
const SETTLE_MS = 300
const PER_SCRIPT_MAX = 500

/** KEYS: leases; ARGV: who asks, for how many ms. Takes those that are free; who holds each then. */
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

/** KEYS: leases; ARGV: who lets those go that are its own. */
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
 * Leases in Redis, renewed every second. While it is away they are kept, and new ones are taken without asking;
 * afterwards the first to come back has them, and others hear that theirs are lost.
 */
export function redisLeases(link: RedisLink, id: string, log: Log): Leases {
  const { commands: redis } = link
  redis.defineCommand('parleyTake', { lua: TAKE })
  redis.defineCommand('parleyRelease', { lua: RELEASE })
  const attempt = openCircuit(link, log)
  // One slot of a cluster has them all, so that one script can.
  const keyOf = (name: string) => link.key(`{leases}:${name}`)
  const held = new Set<string>()
  const asking = new Map<string, Promise<string>>()
  const listeners: ((name: string) => void)[] = []
  let sure_at = -Infinity
  let [renewing, settling] = [false, false]

  const ask = (names: string[]) => attempt(() => redis.parleyTake(names.length, ...names.map(keyOf), id, LEASE_MS))

  async function renew(): Promise<void> {
    const started = performance.now()
    const all = [...held]
    for (let from = 0; from < all.length; from += PER_SCRIPT_MAX) {
      // Without those that were let go meanwhile.
      const names = all.slice(from, from + PER_SCRIPT_MAX).filter((name) => held.has(name))
      if (names.length === 0) continue
      const holders = await ask(names)
      for (const [at, name] of names.entries()) if (holders[at] !== id) lose(name)
    }
    sure_at = started
  }

  function lose(name: string): void {
    if (!held.delete(name)) return
    log('warn', 'lease.lost', { lease: name })
    for (const listener of listeners) listener(name)
  }

  function renewNow(): void {
    if (renewing || settling || held.size === 0) return
    renewing = true
    renew()
      // It is away: what is held is kept.
      .catch(() => {})
      .finally(() => (renewing = false))
  }

  const takeNew = (name: string) =>
    ask([name]).then(
      ([holder]) => holder ?? id,
      () => id,
    )

  const timer = setInterval(renewNow, RENEW_MS)
  link.onReady(() => {
    settling = true
    setTimeout(() => {
      settling = false
      renewNow()
    }, SETTLE_MS)
  })

  return {
    async take(name) {
      if (held.has(name) && performance.now() - sure_at < SURE_MS) return id
      const answer = asking.get(name) ?? takeNew(name)
      asking.set(name, answer)
      const holder = await answer
      // Unless it was let go meanwhile.
      if (asking.get(name) === answer) {
        asking.delete(name)
        if (holder === id) held.add(name)
        else lose(name)
      }
      return holder
    },
    release(name) {
      held.delete(name)
      asking.delete(name)
      attempt(() => redis.parleyRelease(1, keyOf(name), id)).catch(() => {})
    },
    onLost: (listener) => void listeners.push(listener),
    stop() {
      clearInterval(timer)
      const names = [...held].map(keyOf)
      held.clear()
      if (names.length > 0) attempt(() => redis.parleyRelease(names.length, ...names, id)).catch(() => {})
    },
  }
}
