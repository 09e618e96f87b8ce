// Chooses the route of a room's media: a pure function of the room and its members' reports. Source: docs/voice.md.

export type Route = 'p2p' | 'sfu'

/** A pair that has not connected within this time has no path. */
export const CONNECT_MS_MAX = 4_000
/** Clients restart ICE at `disconnected`, which takes 0.2 s. A longer state is not going to recover by that. */
export const DISCONNECTED_MS_MAX = 2_000
/** A path without new audio packets for this long is broken: Opus sends one every 400 ms even in silence (DTX). */
export const FLAT_MS_MAX = 3_000
/** Largest mesh while a member sends video, because video is uploaded once per peer. */
const PICTURES_PEERS_MAX = 2

/** Reason for a room's route. */
export type Reason =
  | 'size'
  | 'screen'
  | 'camera'
  | 'relay_only'
  | 'silenced'
  | 'no_path'
  | 'path_lost'
  | 'no_audio'
  | 'calm'
  | 'sfu_gone'
  | 'stage'

export interface Member {
  id: string
  /** Since when others can connect to the member in this epoch, ms; undefined while its socket is dead. */
  presentSince: number | undefined
  /** Since when the member should be audible, ms; undefined while it is muted or may not speak. */
  heardSince: number | undefined
  relay_only: boolean
  /** Must not be heard, which a mesh cannot enforce. */
  silenced: boolean
  /** Must not be seen, which a mesh cannot enforce either. */
  camera_stopped: boolean
  /** Must not hear, which a mesh cannot enforce either. */
  server_deaf: boolean
  sharing_screen: boolean
  camera: boolean
}

/** The last report of `from` about its connection with `to`; times in ms. */
export interface Report {
  from: string
  to: string
  state: 'new' | 'connecting' | 'connected' | 'disconnected' | 'failed' | 'closed'
  /** Audio packets received so far. */
  packets: number
  /** When the pair first connected in this epoch. */
  connectedAt: number | undefined
  /** Since when the connection has been down, after it was up. */
  downSince: number | undefined
  /** When `packets` last increased. */
  grewAt: number
  reportedAt: number
}

/** A room's route, and the state that the next choice depends on. */
export interface Choice {
  route: Route
  reason?: Reason
  /** Since when a room on the SFU has not needed it, ms. */
  calmSince?: number
  /** Pairs of present members without a path: a mesh would fail for them again. */
  broken: [string, string][]
}

export interface Situation {
  /** A stage, which has no mesh. */
  is_stage: boolean
  members: Member[]
  reports: Report[]
  /** True if an SFU is available. */
  sfu: boolean
  p2p_peers_max: number
  /** Time without need of the SFU after which a room leaves it, ms. */
  calmMs: number
}

/** The reason why these members cannot form a mesh, if any. */
function structure({ is_stage, members, p2p_peers_max }: Situation): Reason | undefined {
  if (is_stage) return 'stage'
  if (members.some((member) => member.silenced || member.camera_stopped || member.server_deaf)) return 'silenced'
  if (members.some((member) => member.relay_only)) return 'relay_only'
  if (members.length > p2p_peers_max) return 'size'
  if (members.length <= PICTURES_PEERS_MAX) return undefined
  if (members.some((member) => member.sharing_screen)) return 'screen'
  if (members.some((member) => member.camera)) return 'camera'
}

/** The fault between two present members, by the reports of both. */
function fault(one: Member, other: Member, reports: Report[], now: number): Reason | undefined {
  if (one.presentSince === undefined || other.presentSince === undefined) return undefined
  const together = Math.max(one.presentSince, other.presentSince)
  const between = reports.filter(
    ({ from, to }) => (from === one.id && to === other.id) || (from === other.id && to === one.id),
  )
  if (between.every((report) => report.connectedAt === undefined)) {
    const hasFailed = between.some((report) => report.state === 'failed')
    return hasFailed || now - together >= CONNECT_MS_MAX ? 'no_path' : undefined
  }
  const hasLostPath = ({ state, downSince }: Report) =>
    state === 'failed' || (downSince !== undefined && now - downSince >= DISCONNECTED_MS_MAX)
  if (between.some(hasLostPath)) return 'path_lost'
  const flat = ({ from, connectedAt, grewAt, reportedAt }: Report) => {
    const { heardSince } = from === one.id ? other : one
    if (heardSince === undefined || connectedAt === undefined) return false
    return reportedAt - Math.max(heardSince, connectedAt, grewAt, together) >= FLAT_MS_MAX
  }
  return between.some(flat) ? 'no_audio' : undefined
}

/** The first pair of the mesh with a fault. */
function faultOf({ members, reports }: Situation, now: number): { pair: [string, string]; reason: Reason } | undefined {
  for (const [at, one] of members.entries())
    for (const other of members.slice(at + 1)) {
      const reason = fault(one, other, reports, now)
      if (reason) return { pair: [one.id, other.id], reason }
    }
}

/**
 * Chooses a room's route.
 * @param before the previous choice
 * @param now ms
 */
export function chooseRoute(before: Choice, situation: Situation, now: number): Choice {
  const there = new Set(situation.members.map(({ id }) => id))
  const broken = before.broken.filter((pair) => pair.every((id) => there.has(id)))
  if (!situation.sfu) {
    const reasonAfter = before.route === 'sfu' ? ({ reason: 'sfu_gone' } as const) : { reason: before.reason }
    return { route: 'p2p', ...reasonAfter, broken: [] }
  }
  const structural = structure(situation)
  const lasting = structural ?? (broken.length > 0 ? 'no_path' : undefined)
  if (before.route === 'p2p') {
    const pathFault = lasting ? undefined : faultOf(situation, now)
    const reason = lasting ?? pathFault?.reason
    if (!reason) return { ...before, broken }
    return { route: 'sfu', reason, broken: pathFault ? [...broken, pathFault.pair] : broken }
  }
  if (lasting) return { route: 'sfu', reason: before.reason ?? lasting, broken }
  const calmSince = before.calmSince ?? now
  if (now - calmSince >= situation.calmMs) return { route: 'p2p', reason: 'calm', broken }
  return { route: 'sfu', reason: before.reason, calmSince, broken }
}
