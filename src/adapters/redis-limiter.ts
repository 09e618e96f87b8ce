import {
  type BucketState,
  isWindow,
  judgeBucket,
  judgeWindow,
  type Limiter,
  type Policy,
  type Verdict,
} from './limiter.ts'
import type { RedisLink } from './redis.ts'

/** Compare-and-set rounds before an attempt is refused: so much contention on one key is itself a flood. */
const ROUNDS_MAX = 16

/** KEYS[1] the state; ARGV: what was read, what to write, its life in ms. 1 when nobody has written in between. */
const SWAP = `
if (redis.call('get', KEYS[1]) or '') ~= ARGV[1] then return 0 end
redis.call('set', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`

/**
 * The limiter that several processes share: the same arithmetic, its state in Redis, swapped atomically. While Redis is
 * away each process limits by itself.
 */
export function redisLimiter(
  { commands: redis, key: nameOf }: RedisLink,
  alone: Limiter,
  now: () => number = Date.now,
): Limiter {
  const keyOf = (policy: Policy, key: string) => nameOf(`limit:${policy.name}:${key}`)

  async function judge(policy: Policy, key: string): Promise<Verdict> {
    const id = keyOf(policy, key)
    for (let round = 0; ; round++) {
      const stored = (await redis.get(id)) ?? ''
      const state = stored ? JSON.parse(stored) : undefined
      const [verdict, next] = isWindow(policy)
        ? judgeWindow(policy, (state as number[] | undefined) ?? [], now())
        : judgeBucket(policy, state as BucketState | undefined, now())
      const life_ms = 1000 * Math.ceil(isWindow(policy) ? policy.window_s : policy.burst / policy.refill_per_s)
      if ((await redis.eval(SWAP, 1, id, stored, JSON.stringify(next), life_ms)) === 1) return verdict
      if (round === ROUNDS_MAX) return { ...verdict, allowed: false, remaining: 0 }
    }
  }

  return {
    take: async (policy, key) => judge(policy, key).catch(() => alone.take(policy, key)),
    giveBack: async (policy, key) => {
      const id = keyOf(policy, key)
      try {
        const stored = await redis.get(id)
        const times: number[] = stored ? JSON.parse(stored) : []
        if (stored) await redis.eval(SWAP, 1, id, stored, JSON.stringify(times.slice(0, -1)), 1000 * policy.window_s)
      } catch {
        await alone.giveBack(policy, key)
      }
    },
  }
}
