import type { Caller } from '../../http/caller.ts'
import type { BucketPolicy, WindowPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { Problem } from '../../core/errors.ts'
import { addressKey } from '../sessions/address.ts'

export const REGISTRATIONS: WindowPolicy = { name: 'register', max: 3, window_s: 3600 }
export const REGISTRATION_ATTEMPTS: WindowPolicy = { name: 'register-attempts', max: 30, window_s: 3600 }
/** Each change sends an event to up to a hundred servers: stricter than the general limit. */
export const PROFILE_CHANGES: BucketPolicy = { name: 'profile', burst: 10, refill_per_s: 0.1 }
const LOGIN_ATTEMPTS: WindowPolicy = { name: 'login', max: 5, window_s: 900 }
export const LOGIN_ATTEMPTS_BY_ADDRESS: WindowPolicy = { name: 'login-address', max: 30, window_s: 900 }
const LOGIN_FAILURES: WindowPolicy = { name: 'login-failures', max: 20, window_s: 900 }

/**
 * Demands the right password, with limits on wrong ones. An attempt counts before the password is verified, so that
 * simultaneous attempts do not pass together; a right or unverified one is given back to the limit of failures.
 * @param account the account's id; where there is none, the kind and text of the name that was given
 * @param verify whether the password is right
 * @throws Problem `rate_limited`, `invalid_credentials`
 */
export async function demandPassword(
  { limits, sql }: Parts,
  caller: Caller,
  account: number | string,
  verify: () => Promise<boolean>,
): Promise<void> {
  const address = addressKey(caller.ip)
  // Two kinds of key: an id is public, and using it as a name must not use up its account's attempts.
  const key = typeof account === 'number' ? `id ${account}` : `name ${account}`
  await limits.take(caller, LOGIN_ATTEMPTS_BY_ADDRESS, address)
  // Also for an account that does not exist: the answer takes equally long.
  const [known] = limits.on
    ? await sql`select 1 from known_addresses
        where user_id = ${typeof account === 'number' ? account : 0} and ip = ${address}`
    : []
  if (!known) await limits.take(caller, LOGIN_FAILURES, key)
  let failed = false
  try {
    await limits.take(caller, LOGIN_ATTEMPTS, `${key} ${address}`)
    failed = !(await verify())
  } finally {
    if (!known && !failed) await limits.giveBack(LOGIN_FAILURES, key)
  }
  if (failed) throw new Problem('invalid_credentials')
}
