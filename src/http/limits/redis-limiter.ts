import type { Result } from 'ioredis'
import { type BucketPolicy, isWindow, type Limiter, type Policy, type Verdict } from './limiter.ts'
import type { Log } from '../../core/log.ts'
import type { RedisLink } from '../../redis/client.ts'
import { openCircuit } from '../../redis/circuit.ts'

/** The time in ms: passed by tests, otherwise the clock of Redis, which all processes share. */
const NOW = `
local at = tonumber(ARGV[1])
if not at then
  local time = redis.call('time')
  at = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end`

/**
 * judgeWindow on a list of times. KEYS[1]: the key. ARGV: time, max, window in ms. Returns 1 if the attempt is
 * allowed, the remaining attempts, and the seconds until reset.
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
 * judgeBucket or oweBucket for several attempts in turn, each on a hash of tokens and time. KEYS: one per attempt.
 * ARGV: the time, then per attempt: burst, refill per second, cost, and 1 if the bucket may go into debt. A hash
 * expires when its bucket is full again.
 */
const BUCKETS = `${NOW}
local answers = {}
for n, key in ipairs(KEYS) do
  local burst, refill, cost = tonumber(ARGV[4 * n - 2]), tonumber(ARGV[4 * n - 1]), tonumber(ARGV[4 * n])
  local needed = math.min(cost, burst)
  local state = redis.call('hmget', key, 'tokens', 'at')
  local tokens, allowed = burst, 0
  if state[1] then
    tokens = math.min(burst, tonumber(state[1]) + math.max(0, at - tonumber(state[2])) / 1000 * refill)
  end
  local missing = needed - tokens
  if ARGV[4 * n + 1] == '1' then
    tokens = math.max(-burst, tokens - cost)
  elseif tokens >= needed then
    tokens, allowed = tokens - needed, 1
    missing = burst - tokens
  end
  redis.call('hset', key, 'tokens', string.format('%.17g', tokens), 'at', string.format('%.0f', at))
  redis.call('pexpire', key, 1000 * math.ceil((burst - math.min(0, tokens)) / refill))
  answers[n] = { allowed, math.max(0, math.floor(tokens)), math.max(1, math.ceil(missing / refill)) }
end
return answers`

/** Attempts per script call. Each blocks Redis for some 10 µs. */
const TOGETHER_MAX = 100

declare module 'ioredis' {
  interface RedisCommander<Context> {
    parleyWindow(key: string, at: number | '', max: number, windowMs: number): Result<number[], Context>
    parleyBuckets(count: number, ...keysAndArguments: (string | number)[]): Result<number[][], Context>
  }
}

/** One attempt at a bucket. */
interface Attempt {
  key: string
  policy: BucketPolicy
  cost: number
  owes: 0 | 1
}

/** Batches the attempts of one event loop turn into one script call, to save round trips. */
class Buckets {
  #waitingAttempts: { attempt: Attempt; judged: PromiseWithResolvers<number[]> }[] = []
  readonly #together: number

  /**
   * @param now a clock in milliseconds; Redis's by default
   * @param attempt runs a call of Redis
   */
  constructor(
    private readonly link: RedisLink,
    private readonly now: (() => number) | undefined,
    private readonly attempt: ReturnType<typeof openCircuit>,
  ) {
    link.commands.defineCommand('parleyBuckets', { lua: BUCKETS })
    this.#together = link.isCluster ? 1 : TOGETHER_MAX
  }

  /**
   * @returns 1 if the attempt is allowed, the tokens left, and the seconds until reset. Rejects while Redis is
   * unreachable.
   */
  judge(attempt: Attempt): Promise<number[]> {
    const judged = Promise.withResolvers<number[]>()
    if (this.#waitingAttempts.push({ attempt, judged }) === 1) setImmediate(() => this.#ask())
    return judged.promise
  }

  #ask(): void {
    const all = this.#waitingAttempts
    this.#waitingAttempts = []
    for (let from = 0; from < all.length; from += this.#together) {
      const some = all.slice(from, from + this.#together)
      const keys = some.map(({ attempt }) => attempt.key)
      const values = some.flatMap(({ attempt: { policy, cost, owes } }) => [
        policy.burst,
        policy.refillPerS,
        cost,
        owes,
      ])
      const at = this.now?.() ?? ''
      this.attempt(() => this.link.commands.parleyBuckets(keys.length, ...keys, at, ...values)).then(
        (answers) => some.forEach(({ judged }, n) => judged.resolve(answers[n] ?? [])),
        (error: unknown) => some.forEach(({ judged }) => judged.reject(error)),
      )
    }
  }
}

/**
 * A limiter shared by several processes: judgeWindow and judgeBucket as Redis scripts.
 * @param fallback used in this process while Redis does not respond
 * @param now a clock in milliseconds; Redis's by default
 */
export function redisLimiter(link: RedisLink, fallback: Limiter, log: Log, now?: () => number): Limiter {
  const { commands: redis } = link
  redis.defineCommand('parleyWindow', { lua: WINDOW, numberOfKeys: 1 })
  const attempt = openCircuit(link, log)
  const buckets = new Buckets(link, now, attempt)
  const keyOf = (policy: Policy, key: string) =>
    link.key(`${isWindow(policy) ? 'window' : 'bucket'}:${policy.name}:${key}`)

  async function judge(policy: Policy, key: string, cost = 1): Promise<Verdict> {
    const id = keyOf(policy, key)
    const [allowed, remaining = 0, resetS = 1] = isWindow(policy)
      ? await attempt(() => redis.parleyWindow(id, now?.() ?? '', policy.max, 1000 * policy.windowS))
      : await buckets.judge({ key: id, policy, cost, owes: 0 })
    return { allowed: allowed === 1, policy, remaining, resetS }
  }

  return {
    take: (policy, key, cost) => judge(policy, key, cost).catch(() => fallback.take(policy, key, cost)),
    owe: (policy, key, cost) =>
      buckets.judge({ key: keyOf(policy, key), policy, cost, owes: 1 }).then(
        () => {},
        () => fallback.owe(policy, key, cost),
      ),
    giveBack: (policy, key) =>
      attempt(async () => void (await redis.rpop(keyOf(policy, key)))).catch(() => fallback.giveBack(policy, key)),
  }
}
