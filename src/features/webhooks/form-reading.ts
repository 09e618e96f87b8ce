import { FairQueue } from '../../core/fair-queue.ts'
import { Problem } from '../../core/errors.ts'
import { readBounded } from '../../http/body.ts'
import type { Caller } from '../../http/caller.ts'
import { addressKey } from '../sessions/address.ts'
import type { Hook } from './door.ts'

/** A form has this time, and besides what its bytes take at the least pace. */
const PATIENCE_SECONDS = 10
const BYTES_PER_SECOND_MIN = 256 * 1024

/** Waits for its turn as a share of all: whoever has used theirs up holds no place that others could have. */
const share = { at_once: Infinity, queued_max: 60, queued_per_account_max: 5, wait_ms_max: 20_000 }
const ofAccount = new FairQueue({ ...share, at_once_per_account: 2 })
const ofAddress = new FairQueue({ ...share, at_once_per_account: 3 })
/** Forms are in memory, files and all, so few are there at once, in turns by whoever made the webhook. */
const forms = new FairQueue({ at_once: 6, queued_max: 30, queued_per_account_max: 5, wait_ms_max: 30_000 })

/**
 * Reads forms with files. Two at once are of an account's webhooks, and three from an address.
 * @param use what is done with the bytes, which are in memory until it ends
 * @throws Problem `payload_too_large`, `unavailable`; `bad_request` for a form that comes too slowly
 */
export function withForm<T>(
  request: Request,
  caller: Caller,
  { creator_id }: Hook,
  use: (bytes: Uint8Array) => Promise<T>,
): Promise<T> {
  const read = async () => use(await readInTime(request))
  return ofAccount.run(creator_id, () => ofAddress.run(addressKey(caller.ip), () => forms.run(creator_id, read)))
}

/** How long a form may take of which so many bytes are announced, or have come. */
const secondsFor = (bytes: number): number => PATIENCE_SECONDS + bytes / BYTES_PER_SECOND_MIN

async function readInTime(request: Request): Promise<Uint8Array> {
  const began = performance.now()
  let bytes = Number(request.headers.get('content-length') ?? 0)
  const late = Promise.withResolvers<never>()
  let timer: Timer | undefined
  const watch = () => {
    const left_ms = secondsFor(bytes) * 1000 - (performance.now() - began)
    if (left_ms > 0) timer = setTimeout(watch, left_ms)
    else late.reject(new Problem('bad_request', 'The body came too slowly'))
  }
  watch()
  const reading = readBounded(request, undefined, (length) => (bytes = length))
  return Promise.race([reading, late.promise]).finally(() => clearTimeout(timer))
}
