/**
 * When each account's oldest session began, as read at one time. Credentials issued earlier are invalid, because no
 * current session can have requested them.
 */
export interface OldestSessions {
  /** When they were read, in whole seconds since the epoch. */
  read_s: number
  /** The accounts with a session, ascending. */
  user_ids: Float64Array
  /** When the oldest session of each account began, in seconds since the epoch. */
  since_s: Float64Array
}

/** When the account's oldest session began, in seconds since the epoch; infinity without a session. */
export function oldestSessionOf({ user_ids, since_s }: OldestSessions, userId: number): number {
  let [low, high] = [0, user_ids.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((user_ids[middle] ?? 0) < userId) low = middle + 1
    else high = middle
  }
  return user_ids[low] === userId ? (since_s[low] ?? 0) : Number.POSITIVE_INFINITY
}
