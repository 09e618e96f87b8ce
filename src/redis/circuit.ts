import { errorFields, type Log } from '../core/log.ts'
import type { RedisLink } from './client.ts'

/** After a failure Redis is left alone for so long, and then asked by one first. */
const REST_MS = 1_000

/**
 * Asks a Redis that may be away or stand still. Once it has failed, everyone is refused at once until one has been
 * answered: a Redis that hangs costs one of many its patience, and not all of them.
 * @returns a function that runs the work, and rejects when that fails or is not tried
 */
export function openCircuit(link: RedisLink, log: Log) {
  let [failing, next_at] = [false, 0]
  return async <T>(work: () => Promise<T>): Promise<T> => {
    const now = performance.now()
    if (!link.isReady() || (failing && now < next_at)) throw new Error('Redis is away')
    next_at = now + REST_MS
    try {
      const answer = await work()
      failing = false
      return answer
    } catch (error) {
      // Once a failure, however often it is tried again.
      if (!failing) log('warn', 'redis.failed', errorFields(error))
      failing = true
      next_at = performance.now() + REST_MS
      throw error
    }
  }
}
