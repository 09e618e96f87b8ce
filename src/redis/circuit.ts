import { errorFields, type Log } from '../core/log.ts'
import type { RedisLink } from './client.ts'

/** How long calls fail fast after a failure; then one call tries Redis again. */
const REST_MS = 1_000

/**
 * A circuit breaker for a Redis that may be down or hang. After a failure, calls are refused at once until one has
 * succeeded, so that only one of many calls waits for the timeout.
 * @returns runs the work; rejects if it fails or is not tried
 */
export function openCircuit(link: RedisLink, log: Log) {
  let [failing, retryAt] = [false, 0]
  link.onReturn(() => void (retryAt = 0))
  return async <T>(work: () => Promise<T>): Promise<T> => {
    const now = performance.now()
    if (!link.isReady() || (failing && now < retryAt)) throw new Error('Redis is away')
    retryAt = now + REST_MS
    try {
      const answer = await work()
      failing = false
      return answer
    } catch (error) {
      // Log a failure once, however many retries follow.
      if (!failing) log('warn', 'redis.failed', errorFields(error))
      failing = true
      retryAt = performance.now() + REST_MS
      throw error
    }
  }
}
