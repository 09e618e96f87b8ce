import type { Result } from 'ioredis'
import { isWindow, type Limiter, type Policy, type Verdict } from './limiter.ts'
import type { Log } from '../../core/log.ts'
import type { RedisLink } from '../../redis/client.ts'
import { openCircuit } from '../../redis/circuit.ts'

/** The time in milliseconds: the caller's, or by default that of Redis, which all processes share. */
const NOW = `
local at = tonumber(ARGV[1])
if not at then
  local time = redis.call('time')
  at = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end`

/**
 * judgeWindow on a list of times. KEYS[1]: the key. ARGV: the time, max, the window in ms.
 * Returns 1 if the attempt is allowed, the remaining attempts, and the reset in seconds.
 */
const WINDOW = `${NOW}
local max, window = tonumber(ARGV[2]), tonumber(ARGV[3])
local first = redis.call('lindex', KEYS[1], 0)
while first and tonumber(first) <= at - window do
  redis.call('lpop', KEYS[1])
  first = redis.call('lindex', KEYS[1], 0)
end
local count, freed, allowed = redis.call('llen', KEYS[1]), tonumber(first), 0
if count < max then
  redis.call('rpush', KEYS[1], string.format('%.0f', at))
  redis.call('pexpire', KEYS[1], window)
  count, freed, allowed = count + 1, at, 1
end
return { allowed, max - count, math.max(1, math.ceil((freed + window - at) / 1000)) }`

/**
 * judgeBucket, or oweBucket, on a hash of tokens and time. KEYS[1]: the key. ARGV: the time, burst, refill per second,
 * cost, and 1 where the bucket may owe. It is kept until it is full again.
 */
const BUCKET = `${NOW}
local burst, refill = tonumber(ARGV[2]), tonumber(ARGV[3])
local needed = math.min(tonumber(ARGV[4]), burst)
local state = redis.call('hmget', KEYS[1], 'tokens', 'at')
local tokens, allowed = burst, 0
if state[1] then
  tokens = math.min(burst, tonumber(state[1]) + math.max(0, at - tonumber(state[2])) / 1000 * refill)
end
local missing = needed - tokens
if ARGV[5] == '1' then
  tokens = math.max(-burst, tokens - tonumber(ARGV[4]))
elseif tokens >= needed then
  tokens, allowed = tokens - needed, 1
  missing = burst - tokens
end
redis.call('hset', KEYS[1], 'tokens', string.format('%.17g', tokens), 'at', string.format('%.0f', at))
redis.call('pexpire', KEYS[1], 1000 * math.ceil((burst - math.min(0, tokens)) / refill))
return { allowed, math.max(0, math.floor(tokens)), math.max(1, math.ceil(missing / refill)) }`

declare module 'ioredis' {
  interface RedisCommander<Context> {
    parleyWindow(key: string, at: number | '', max: number, window_ms: number): Result<number[], Context>
    parleyBucket(
      key: string,
      at: number | '',
      burst: number,
      refill_per_s: number,
      cost: number,
      owes: 0 | 1,
    ): Result<number[], Context>
  }
}

/**
 * A limiter that several processes share: judgeWindow and judgeBucket as Redis scripts, one round trip per attempt.
 * @param fallback limits within this process while Redis is unreachable or does not respond
 * @param now a clock in milliseconds; by default that of Redis
 */
export function redisLimiter(link: RedisLink, fallback: Limiter, log: Log, now?: () => number): Limiter {
  const { commands: redis } = link
  redis.defineCommand('parleyWindow', { lua: WINDOW, numberOfKeys: 1 })
  redis.defineCommand('parleyBucket', { lua: BUCKET, numberOfKeys: 1 })
  const attempt = openCircuit(link, log)
  const keyOf = (policy: Policy, key: string) =>
    link.key(`${isWindow(policy) ? 'window' : 'bucket'}:${policy.name}:${key}`)

  async function judge(policy: Policy, key: string, cost = 1): Promise<Verdict> {
    const id = keyOf(policy, key)
    const at = now ? now() : ''
    const [allowed, remaining = 0, reset_s = 1] = isWindow(policy)
      ? await redis.parleyWindow(id, at, policy.max, 1000 * policy.window_s)
      : await redis.parleyBucket(id, at, policy.burst, policy.refill_per_s, cost, 0)
    return { allowed: allowed === 1, policy, remaining, reset_s }
  }

  return {
    take: (policy, key, cost) => attempt(() => judge(policy, key, cost)).catch(() => fallback.take(policy, key, cost)),
    owe: (policy, key, cost) =>
      attempt(async () => {
        const { burst, refill_per_s } = policy
        await redis.parleyBucket(keyOf(policy, key), now ? now() : '', burst, refill_per_s, cost, 1)
      }).catch(() => fallback.owe(policy, key, cost)),
    giveBack: (policy, key) =>
      attempt(async () => void (await redis.rpop(keyOf(policy, key)))).catch(() => fallback.giveBack(policy, key)),
  }
}
