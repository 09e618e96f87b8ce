/** Why a packet went nowhere. */
const DROPS = [
  'malformed',
  'no_allocation',
  'no_permission',
  'denied_peer',
  'quota',
  'slow_client',
  'limited',
  'system',
  'fault',
] as const
export type Drop = (typeof DROPS)[number]
/** The error answers that are counted. */
const ERRORS = [400, 401, 403, 420, 437, 438, 440, 441, 442, 443, 486, 508] as const
export type StunError = (typeof ERRORS)[number]

/** What the relay has done since it started; it only grows, but for `allocations`. */
export interface Tally {
  allocations: number
  /** Relayed from clients to peers, and from peers to clients. */
  packets_out: number
  packets_in: number
  bytes_out: number
  bytes_in: number
  errors: Record<StunError, number>
  drops: Record<Drop, number>
}

const zeros = <K extends string | number>(keys: readonly K[]) =>
  Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>

export const newTally = (): Tally => ({
  allocations: 0,
  packets_out: 0,
  packets_in: 0,
  bytes_out: 0,
  bytes_in: 0,
  errors: zeros(ERRORS),
  drops: zeros(DROPS),
})
