import type { AccountDevices } from './device-logs.ts'

// Numbers that people compare: 30 digits in six groups. They are stretched, so that finding keys with the same number
// takes 100,000 times as long.

export type ComparedDevices = Omit<AccountDevices, 'isForked' | 'isGone'>

const ROUNDS = 100_000
const DIGITS = 30
const GROUP = 5

/** 30 digits from bytes, in six groups. @param purpose keeps numbers of different kinds apart */
export async function digitsOf(bytes: Uint8Array, purpose: string): Promise<string[]> {
  const key = await crypto.subtle.importKey('raw', new Uint8Array(bytes), 'PBKDF2', false, ['deriveBits'])
  const parameters = { name: 'PBKDF2', hash: 'SHA-256', salt: new TextEncoder().encode(purpose), iterations: ROUNDS }
  const bits = new Uint8Array(await crypto.subtle.deriveBits(parameters, key, 128))
  const number = bits.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n) % 10n ** BigInt(DIGITS)
  const digits = number.toString().padStart(DIGITS, '0')
  return Array.from({ length: DIGITS / GROUP }, (_, at) => digits.slice(at * GROUP, (at + 1) * GROUP))
}

const KEY = /^[0-9a-f]{64}$/

/**
 * A list of keys in order, each once.
 * @throws Error if one is none: two in one text would look like one device, and make the same number
 */
export function deviceKeysIn(list: readonly string[]): string[] {
  if (!list.every((key) => KEY.test(key))) throw new Error('A key of a device is malformed')
  return [...new Set(list)].toSorted()
}

/**
 * The number that two people compare: equal on both sides if both see the same devices of both accounts, and the same
 * logs of them.
 */
export async function pairNumber(one: ComparedDevices, other: ComparedDevices): Promise<string[]> {
  const lines = [one, other]
    .toSorted((a, b) => a.user_id - b.user_id)
    .map(({ user_id, length, head, keys }) => [user_id, length, head, ...deviceKeysIn(keys)].join(' '))
  return digitsOf(new TextEncoder().encode(lines.join('\n')), 'parley devices')
}
