import type { Caller } from '../../http/caller.ts'
import type { Limits } from '../../http/limits/limits.ts'
import type { BucketPolicy, WindowPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { Problem } from '../../core/errors.ts'
import { addressKey } from '../sessions/address.ts'

export const REGISTRATIONS: WindowPolicy = { name: 'register', max: 3, windowS: 3600 }
export const REGISTRATION_ATTEMPTS: WindowPolicy = { name: 'register-attempts', max: 30, windowS: 3600 }
/** Stricter than the general limit, because each change sends an event to up to a hundred servers. */
export const PROFILE_CHANGES: BucketPolicy = { name: 'profile', burst: 10, refillPerS: 0.1 }
const LOGIN_ATTEMPTS: WindowPolicy = { name: 'login', max: 5, windowS: 900 }
export const LOGIN_ATTEMPTS_BY_ADDRESS: WindowPolicy = { name: 'login-address', max: 30, windowS: 900 }
const LOGIN_FAILURES: WindowPolicy = { name: 'login-failures', max: 20, windowS: 900 }

/**
 * The account that an unauthenticated request names: the typed text with its kind, and the account's id if there is
 * one.
 */
interface Named {
  typed: string
  id: number | undefined
}

/**
 * Demands the right password, with limits on wrong ones. An attempt counts before the password is verified, so that
 * simultaneous attempts do not pass together; a right or unverified one is given back to the limit of failures.
 * @param account the id of the caller's own account, or of the one that a login names
 * @param verify whether the password is right
 * @throws Problem `rate_limited`, `invalid_credentials`
 */
export async function demandPassword(
  { limits, sql }: Parts,
  caller: Caller,
  account: number | Named,
  verify: () => Promise<boolean>,
): Promise<void> {
  const address = addressKey(caller.ip)
  const isOwner = typeof account === 'number'
  const id = isOwner ? account : account.id
  // An id is public, so attempts under it must not use up the attempts of the account's login.
  const key = isOwner ? `id ${account}` : `name ${account.typed}`
  await limits.take(caller, LOGIN_ATTEMPTS_BY_ADDRESS, address)
  // Runs for unknown accounts too, so that the answer takes equally long.
  const [knownAddress] = limits.on
    ? await sql`select 1 from known_addresses where user_id = ${id ?? 0} and ip = ${address}`
    : []
  if (!knownAddress) await limits.take(caller, LOGIN_FAILURES, key)
  let hasFailed = false
  try {
    await limits.take(caller, LOGIN_ATTEMPTS, `${key} ${address}`)
    const accountKey = id === undefined ? `nobody ${key}` : `id ${id}`
    hasFailed = !(await (isOwner
      ? verify()
      : verifyWithin(limits, accountKey, address, knownAddress !== undefined, verify)))
  } finally {
    if (!knownAddress && !hasFailed) await limits.giveBack(LOGIN_FAILURES, key)
  }
  if (hasFailed) throw new Problem('invalid_credentials')
}

/**
 * Verifies a password within the account's own limits, whichever of its names was typed. A caller sees only the limits
 * of the name they typed: revealing the account's limits would show that two names belong to one account. So beyond the
 * account's limits the answer is the same as to a wrong password, after the same steps. Unknown accounts have such
 * limits too, for the same reason.
 */
async function verifyWithin(
  limits: Limits,
  account: string,
  address: string,
  isKnownAddress: boolean,
  verify: () => Promise<boolean>,
): Promise<boolean> {
  const isFree = await limits.count(LOGIN_ATTEMPTS, `${account} ${address}`)
  // Attempts beyond an address's limit are not counted as failures, but take as many steps.
  const key = isFree ? account : `spent ${account}`
  const isOpen = isKnownAddress || (await limits.count(LOGIN_FAILURES, key))
  let hasFailed = false
  try {
    const isRight = await verify()
    hasFailed = !(isRight && isFree && isOpen)
  } finally {
    if (!isKnownAddress && isOpen && !hasFailed) await limits.giveBack(LOGIN_FAILURES, key)
  }
  return !hasFailed
}
