import { availableParallelism } from 'node:os'
import { Problem } from '../../core/errors.ts'
import { Semaphore } from '../../core/semaphore.ts'
import type { Environment } from '../../environment.ts'
import { codePoints, fits, isStreamSafe } from '../../core/schema.ts'

const PASSWORD_MIN = 12
const PASSWORD_MAX = 128
const TOO_LONG = `Must be at most ${PASSWORD_MAX} characters long`
const SPECIALS = '!@#$%^&*'
/** A hash takes 66 ms and 64 MiB. Running more than there are cores only delays the event loop. */
const HASHES_AT_ONCE = Math.max(1, Math.min(4, availableParallelism()))
/** Beyond this the wait would exceed a client's timeout. */
const HASHES_QUEUED_MAX = 64

/** @throws Problem `forbidden` if people can log in only through the identity provider */
export function demandPasswords({ PASSWORD_LOGIN }: Pick<Environment, 'PASSWORD_LOGIN'>): void {
  if (PASSWORD_LOGIN === 'off') throw new Problem('forbidden', 'Password login is off on this installation')
}

/** Loaded on first use, with the first new password. */
const common = (): typeof import('./common-passwords.ts') => require('./common-passwords.ts')

/** The rules that a password breaks, as sentences. */
export function passwordFaults(password: string): string[] {
  if (!fits(password, PASSWORD_MAX)) return [TOO_LONG]
  const length = codePoints(password)
  const rules: [boolean, string][] = [
    [length >= PASSWORD_MIN, `Must be at least ${PASSWORD_MIN} characters long`],
    [length <= PASSWORD_MAX, TOO_LONG],
    [/[A-Z]/.test(password), 'Must contain an uppercase letter A-Z'],
    [/[a-z]/.test(password), 'Must contain a lowercase letter a-z'],
    [/[0-9]/.test(password), 'Must contain a digit 0-9'],
    [/[!@#$%^&*]/.test(password), `Must contain a special character of ${SPECIALS}`],
    [password.isWellFormed() && !password.includes('\0'), 'Must not contain NUL or lone surrogates'],
    [isStreamSafe(password), 'Must not contain endless combining marks'],
    [!isCommon(password), 'Must not be a common password'],
  ]
  return rules.filter(([holds]) => !holds).map(([, message]) => message)
}

/** True if the list has the password, as typed or without the digits and symbols appended to satisfy a rule. */
function isCommon(password: string): boolean {
  const lower = password.slice(0, PASSWORD_MAX).toLowerCase()
  return common().isCommonPassword(lower) || common().isCommonPassword(lower.replace(/[^a-z]+$/, ''))
}

const gate = new Semaphore(HASHES_AT_ONCE, HASHES_QUEUED_MAX)

/** @throws Problem `unavailable` when too many wait already */
async function gated<T>(work: () => Promise<T>): Promise<T> {
  if (gate.isFull()) throw new Problem('unavailable', 'Too many logins at once. Try again later', { retry_after: 5 })
  return gate.run(work)
}

/** argon2id with Bun's defaults, off the event loop. NFC makes the hash independent of the keyboard. */
export const hashPassword = (password: string): Promise<string> =>
  gated(() => Bun.password.hash(password.normalize('NFC'), 'argon2id'))

/**
 * An argon2id hash of zeros, which no password has. Verifying it takes as long as verifying any hash with
 * hashPassword's parameters. Hard-coded, because computing one at startup would take 64 MiB.
 */
export const unusableHash = `$argon2id$v=19$m=65536,t=2,p=1$${'A'.repeat(43)}$${'A'.repeat(43)}`

/**
 * True if the password is the account's. An unknown account costs a verification too, so that the answer takes equally
 * long.
 * @param hash undefined when there is no such account
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const against = hash ?? unusableHash
  // Bun rejects an empty password without hashing it, so verify a space instead: every wrong password takes the full
  // time.
  const right = await gated(() => Bun.password.verify(password.normalize('NFC') || ' ', against))
  return right && hash !== undefined
}
