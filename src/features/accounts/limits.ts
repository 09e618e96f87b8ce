import type { Caller } from '../../adapters/caller.ts'
import type { WindowPolicy } from '../../adapters/limiter.ts'
import type { Parts } from '../../adapters/parts.ts'
import { addressKey } from '../sessions/identity.ts'

/** Source: interface.md §8, contract.md §4. */
export const REGISTRATIONS: WindowPolicy = { name: 'register', max: 3, window_s: 3600 }
export const REGISTRATION_ATTEMPTS: WindowPolicy = { name: 'register-attempts', max: 30, window_s: 3600 }
const LOGIN_ATTEMPTS: WindowPolicy = { name: 'login', max: 5, window_s: 900 }
const LOGIN_ATTEMPTS_BY_ADDRESS: WindowPolicy = { name: 'login-address', max: 30, window_s: 900 }
const LOGIN_FAILURES: WindowPolicy = { name: 'login-failures', max: 20, window_s: 900 }

/**
 * Counts a login attempt before the password is looked at.
 * @param account what identifies the account: its id, or what was typed where there is none
 * @returns to be called when the password was wrong
 * @throws Problem `rate_limited`
 */
export async function admitLogin({ limits, sql }: Parts, caller: Caller, account: number | string) {
  const address = addressKey(caller.ip)
  await limits.take(caller, LOGIN_ATTEMPTS_BY_ADDRESS, address)
  const [known] =
    typeof account === 'number' && limits.on
      ? await sql`select 1 from known_addresses where user_id = ${account} and ip = ${caller.ip}`
      : []
  if (!known) await limits.check(caller, LOGIN_FAILURES, String(account))
  await limits.take(caller, LOGIN_ATTEMPTS, `${account} ${address}`)
  return () => limits.count(LOGIN_FAILURES, String(account))
}
