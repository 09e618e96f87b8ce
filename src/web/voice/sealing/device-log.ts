import { hex } from './bytes.ts'

// The log of an account's devices, a chain of hashes kept by the server. Each head commits to the head before it and to
// the account's devices after the change. A client remembers the length and the head that it has seen last. A log that
// does not continue from there has another past: the server shows different histories, or has lost a part of this one.

/** A state of a log, as a client remembers it. */
export interface LogPoint {
  /** Changes so far. */
  length: number
  /** SHA-256 in hexadecimal. */
  head: string
}

/** A log as the server shows it. */
export interface DeviceLog extends LogPoint {
  user_id: number
  /** The head before the last change. */
  previous: string
  /** The keys of the account's devices after the last change, in ascending order. */
  keys: string[]
  /** The changes after the remembered length, oldest first. */
  changes: { kind: 'added' | 'removed'; key: string }[]
}

/** The head of a log without changes. */
export const ZEROS = '0'.repeat(64)

const HASH = /^[0-9a-f]{64}$/

/**
 * True if a log has the form that its hashes assume. Otherwise, two keys in one text would look like one device, and
 * make the same head.
 */
export const isWellFormed = ({ length, head, previous, keys, changes }: DeviceLog): boolean =>
  Number.isSafeInteger(length) &&
  length >= 0 &&
  [head, previous, ...keys, ...changes.map(({ key }) => key)].every((hash) => HASH.test(hash))

/** The head of a log after a change. @param keys in ascending order */
export async function logHead(previous: string, userId: number, length: number, keys: string[]): Promise<string> {
  const text = `parley device log\n${previous}\n${userId} ${length}\n${keys.join(' ')}`
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
}

/**
 * True if a well-formed log is consistent with itself, and continues from what was remembered of it.
 * @param point undefined if nothing is remembered
 */
export async function isContinued(log: DeviceLog, point: LogPoint | undefined): Promise<boolean> {
  const { user_id, length, head, previous, keys, changes } = log
  if (!isAscending(keys)) return false
  const ownHead = length === 0 ? ZEROS : await logHead(previous, user_id, length, keys)
  if (head !== ownHead || (length <= 1 && previous !== ZEROS) || (length === 0 && keys.length > 0)) return false
  if (!point) return true
  if (length <= point.length) return length === point.length && head === point.head
  // A server that no longer has all of them cannot prove that this is the same log.
  if (changes.length !== length - point.length) return false
  const states = statesOf(keys, changes)
  if (!states) return false
  let last = point.head
  for (const [at, state] of states.entries()) last = await logHead(last, user_id, point.length + at + 1, state)
  return last === head
}

const isAscending = (keys: string[]): boolean => keys.every((key, at) => at === 0 || (keys[at - 1] ?? '') < key)

/** The keys after each change, from the newest ones backwards. @returns undefined if the changes do not fit them */
function statesOf(keys: string[], changes: DeviceLog['changes']): string[][] | undefined {
  const states: string[][] = []
  const present = new Set(keys)
  for (const { kind, key } of changes.toReversed()) {
    const isAdded = kind === 'added'
    if (isAdded !== present.has(key)) return undefined
    states.push([...present].toSorted())
    if (isAdded) present.delete(key)
    else present.add(key)
  }
  return states.toReversed()
}
