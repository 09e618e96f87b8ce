/** Why a packet was dropped. */
export type Drop =
  | 'malformed'
  | 'no_allocation'
  | 'no_permission'
  | 'denied_peer'
  | 'quota'
  | 'slow_client'
  | 'limited'
  | 'system'
  | 'fault'
/** The STUN error codes that the server sends. */
export type StunError = 400 | 401 | 403 | 420 | 437 | 438 | 440 | 441 | 442 | 443 | 486 | 508

/** Counters of the TURN server since its start; `allocations` is the current number. */
export interface TurnCounters {
  allocations: number
  /** Relayed from clients to peers, and from peers to clients. */
  packets_out: number
  packets_in: number
  bytes_out: number
  bytes_in: number
  errors: Record<StunError, number>
  drops: Record<Drop, number>
}

export const newCounters = (): TurnCounters => ({
  allocations: 0,
  packets_out: 0,
  packets_in: 0,
  bytes_out: 0,
  bytes_in: 0,
  errors: { 400: 0, 401: 0, 403: 0, 420: 0, 437: 0, 438: 0, 440: 0, 441: 0, 442: 0, 443: 0, 486: 0, 508: 0 },
  drops: {
    malformed: 0,
    no_allocation: 0,
    no_permission: 0,
    denied_peer: 0,
    quota: 0,
    slow_client: 0,
    limited: 0,
    system: 0,
    fault: 0,
  },
})
