/** Allows `max` attempts within any `windowS` seconds; keeps a sliding log of their times. */
export interface WindowPolicy {
  name: string
  max: number
  windowS: number
  /** If true, the response also carries Discord's rate limit headers. */
  likeDiscord?: boolean
}

/** A token bucket: `burst` attempts at once, refilled steadily. */
export interface BucketPolicy {
  name: string
  burst: number
  refillPerS: number
}

export type Policy = WindowPolicy | BucketPolicy

export interface Verdict {
  allowed: boolean
  policy: Policy
  /** Attempts left now. */
  remaining: number
  /** Seconds until the attempt would be allowed (if refused), or until the limit is full again (if allowed). */
  resetS: number
}

/** Counts attempts by key. */
export interface Limiter {
  /**
   * Counts one attempt if it is allowed.
   * @param cost tokens of a bucket, 1 by default; capped at its burst
   */
  take(policy: Policy, key: string, cost?: number): Promise<Verdict> | Verdict
  /** Charges a bucket even if it lacks the tokens. Its debt is at most its burst. */
  owe(policy: BucketPolicy, key: string, cost: number): Promise<void> | void
  /** Undoes the newest attempt. */
  giveBack(policy: WindowPolicy, key: string): Promise<void> | void
}

export type WindowState = number[]
export interface BucketState {
  /** Negative while the bucket is in debt. */
  tokens: number
  at: number
}

/** Applies a window policy to one attempt. `at` and the times of the state are in milliseconds. */
export function judgeWindow(policy: WindowPolicy, times: WindowState, at: number): [Verdict, WindowState] {
  const live = times.filter((time) => time > at - policy.windowS * 1000)
  const allowed = live.length < policy.max
  const next = allowed ? [...live, at] : live
  const freed = (allowed ? next.at(-1) : next[0]) ?? at
  const resetS = Math.max(1, Math.ceil((freed + policy.windowS * 1000 - at) / 1000))
  return [{ allowed, policy, remaining: policy.max - next.length, resetS }, next]
}

/** Applies a bucket policy to one attempt. `at` and the time of the state are in milliseconds. */
export function judgeBucket(
  policy: BucketPolicy,
  state: BucketState | undefined,
  at: number,
  cost = 1,
): [Verdict, BucketState] {
  const full = filledAt(policy, state, at)
  const neededTokens = Math.min(cost, policy.burst)
  const allowed = full >= neededTokens
  const tokens = allowed ? full - neededTokens : full
  const missingTokens = allowed ? policy.burst - tokens : neededTokens - tokens
  const resetS = Math.max(1, Math.ceil(missingTokens / policy.refillPerS))
  return [
    { allowed, policy, remaining: Math.max(0, Math.floor(tokens)), resetS },
    { tokens, at },
  ]
}

const filledAt = (policy: BucketPolicy, state: BucketState | undefined, at: number): number =>
  state ? Math.min(policy.burst, state.tokens + (Math.max(0, at - state.at) / 1000) * policy.refillPerS) : policy.burst

/** Charges a bucket for work already done. Its debt is at most its burst. `at` is in milliseconds. */
export function oweBucket(policy: BucketPolicy, state: BucketState | undefined, at: number, cost: number): BucketState {
  return { tokens: Math.max(-policy.burst, filledAt(policy, state, at) - cost), at }
}

export const isWindow = (policy: Policy): policy is WindowPolicy => 'windowS' in policy

/** The headers of draft-ietf-httpapi-ratelimit-headers, and Retry-After if the attempt was refused. */
export function rateLimitHeaders({ policy, remaining, resetS, allowed }: Verdict): Record<string, string> {
  const [quota, window] = isWindow(policy)
    ? [policy.max, policy.windowS]
    : [policy.burst, Math.ceil(policy.burst / policy.refillPerS)]
  return {
    ratelimit: `"${policy.name}";r=${remaining};t=${resetS}`,
    'ratelimit-policy': `"${policy.name}";q=${quota};w=${window}`,
    ...(allowed ? {} : { 'retry-after': String(resetS) }),
  }
}

/**
 * Discord's rate limit headers, for programs written for Discord.
 * @param at the time, in ms since 1970
 */
export function discordHeaders({ policy, remaining, resetS, allowed }: Verdict, at: number): Record<string, string> {
  return {
    'x-ratelimit-limit': String(isWindow(policy) ? policy.max : policy.burst),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(at / 1000 + resetS),
    'x-ratelimit-reset-after': String(resetS),
    'x-ratelimit-bucket': policy.name,
    ...(allowed ? {} : { 'x-ratelimit-scope': 'user' }),
  }
}

/** Keys to keep; beyond this the least recently used one is dropped. */
const KEYS_MAX = 200_000

/** A limiter for a single process. @param now a clock in milliseconds */
export function memoryLimiter(now: () => number = Date.now): Limiter {
  const states = new Map<string, WindowState | BucketState>()
  const keep = (id: string, state: WindowState | BucketState) => {
    states.delete(id)
    states.set(id, state)
    if (states.size > KEYS_MAX) states.delete(states.keys().next().value ?? id)
  }
  const take = (policy: Policy, key: string, cost?: number): Verdict => {
    const id = `${policy.name}:${key}`
    const state = states.get(id)
    const [verdict, next] = isWindow(policy)
      ? judgeWindow(policy, Array.isArray(state) ? state : [], now())
      : judgeBucket(policy, Array.isArray(state) ? undefined : state, now(), cost)
    keep(id, next)
    return verdict
  }
  return {
    take,
    owe: (policy, key, cost) => {
      const id = `${policy.name}:${key}`
      const state = states.get(id)
      keep(id, oweBucket(policy, Array.isArray(state) ? undefined : state, now(), cost))
    },
    giveBack: (policy, key) => {
      const state = states.get(`${policy.name}:${key}`)
      if (Array.isArray(state)) state.pop()
    },
  }
}
