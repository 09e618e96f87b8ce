import { FairQueue } from '../../core/fair-queue.ts'
import { Problem } from '../../core/errors.ts'
import { readBounded } from '../../http/body.ts'
import type { Caller } from '../../http/caller.ts'
import { addressKey } from '../sessions/address.ts'
import type { Hook } from './door.ts'

/** Time limit for a form, in addition to the time for its bytes at the slowest accepted speed. */
const PATIENCE_SECONDS = 10
const BYTES_PER_SECOND_MIN = 256 * 1024

/**
 * Per-account and per-address limits are taken before the global slot, so that an account over its share does not block
 * the queue.
 */
const share = { atOnce: Infinity, queuedMax: 60, queuedPerAccountMax: 5, waitMsMax: 20_000 }
const ofAccount = new FairQueue({ ...share, atOncePerAccount: 2 })
const ofAddress = new FairQueue({ ...share, atOncePerAccount: 3 })
/** Forms are buffered in memory with their files, so only a few are read at once, in turns by the webhook's creator. */
const forms = new FairQueue({ atOnce: 6, queuedMax: 30, queuedPerAccountMax: 5, waitMsMax: 30_000 })

/**
 * Reads forms with files: concurrently at most two for one account's webhooks, and three from one address.
 * @param use handles the bytes, which stay in memory until it ends
 * @throws Problem `payload_too_large`, `unavailable`; `bad_request` for a form that arrives too slowly
 */
export function withForm<T>(
  request: Request,
  caller: Caller,
  { creator_id }: Pick<Hook, 'creator_id'>,
  use: (bytes: Uint8Array) => Promise<T>,
): Promise<T> {
  const readAndUse = async () => use(await readInTime(request))
  return ofAccount.run(creator_id, () => ofAddress.run(addressKey(caller.ip), () => forms.run(creator_id, readAndUse)))
}

/** Time limit for a form of this announced or received size. */
const secondsFor = (bytes: number): number => PATIENCE_SECONDS + bytes / BYTES_PER_SECOND_MIN

async function readInTime(request: Request): Promise<Uint8Array> {
  const startedAt = performance.now()
  let bytes = Number(request.headers.get('content-length') ?? 0)
  const timeout = Promise.withResolvers<never>()
  let timer: Timer | undefined
  const watch = () => {
    const msLeft = secondsFor(bytes) * 1000 - (performance.now() - startedAt)
    if (msLeft > 0) timer = setTimeout(watch, msLeft)
    else timeout.reject(new Problem('bad_request', 'The body was sent too slowly'))
  }
  watch()
  const reading = readBounded(request, undefined, (length) => (bytes = length))
  return Promise.race([reading, timeout.promise]).finally(() => clearTimeout(timer))
}
