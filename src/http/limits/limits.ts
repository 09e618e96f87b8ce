import { Problem } from '../../core/errors.ts'
import type { Caller } from '../caller.ts'
import {
  type BucketPolicy,
  discordHeaders,
  isWindow,
  type Limiter,
  type Policy,
  rateLimitHeaders,
  type Verdict,
  type WindowPolicy,
} from './limiter.ts'

/** The rate limits as handlers use them. */
export interface Limits {
  /**
   * Counts one attempt and adds the rate limit headers to the response.
   * @param cost tokens of a bucket, 1 by default
   * @throws Problem `rate_limited`
   */
  take(caller: Caller, policy: Policy, key: string, cost?: number): Promise<void>
  /**
   * Counts one attempt without adding headers.
   * @returns true if it is allowed
   */
  count(policy: Policy, key: string): Promise<boolean>
  /** Charges a bucket for work already done; it goes into debt if it lacks the tokens. */
  owe(policy: BucketPolicy, key: string, cost: number): Promise<void>
  /** Undoes the newest attempt, because it had no effect. */
  giveBack(policy: WindowPolicy, key: string): Promise<void>
  readonly on: boolean
}

/** @param on false disables every limit (RATE_LIMITS=off) */
export function openLimits(limiter: Limiter, on: boolean): Limits {
  const judge = (caller: Caller, verdict: Verdict) => {
    Object.assign(caller.headers, rateLimitHeaders(verdict))
    const isLikeDiscord = isWindow(verdict.policy) && verdict.policy.likeDiscord
    if (isLikeDiscord) Object.assign(caller.headers, discordHeaders(verdict, Date.now()))
    if (verdict.allowed) return
    // Drop the headers of a limit that passed: they would invite an immediate retry.
    if (!isLikeDiscord)
      for (const name of Object.keys(caller.headers)) if (name.startsWith('x-ratelimit-')) delete caller.headers[name]
    throw new Problem('rate_limited', `Too many requests (${verdict.policy.name})`, { retry_after: verdict.resetS })
  }
  return {
    on,
    async take(caller, policy, key, cost) {
      if (on) judge(caller, await limiter.take(policy, key, cost))
    },
    async count(policy, key) {
      return !on || (await limiter.take(policy, key)).allowed
    },
    async owe(policy, key, cost) {
      if (on) await limiter.owe(policy, key, cost)
    },
    async giveBack(policy, key) {
      if (on) await limiter.giveBack(policy, key)
    },
  }
}
