import { Problem } from '../../core/errors.ts'
import type { Caller } from '../caller.ts'
import { type Limiter, type Policy, rateLimitHeaders, type Verdict, type WindowPolicy } from './limiter.ts'

/** The rate limits as handlers use them. */
export interface Limits {
  /**
   * Counts one attempt under the policy and adds the rate limit headers to the response.
   * @param cost tokens of a bucket, 1 unless given
   * @throws Problem `rate_limited`
   */
  take(caller: Caller, policy: Policy, key: string, cost?: number): Promise<void>
  /** Takes back the newest attempt, which had no effect. */
  giveBack(policy: WindowPolicy, key: string): Promise<void>
  readonly on: boolean
}

/** @param on false turns every limit off (RATE_LIMITS=off) */
export function openLimits(limiter: Limiter, on: boolean): Limits {
  const judge = (caller: Caller, verdict: Verdict) => {
    Object.assign(caller.headers, rateLimitHeaders(verdict))
    if (verdict.allowed) return
    throw new Problem('rate_limited', `Too many requests (${verdict.policy.name})`, { retry_after: verdict.reset_s })
  }
  return {
    on,
    async take(caller, policy, key, cost) {
      if (on) judge(caller, await limiter.take(policy, key, cost))
    },
    async giveBack(policy, key) {
      if (on) await limiter.giveBack(policy, key)
    },
  }
}
