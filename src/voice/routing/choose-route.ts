// Chooses how a room's media travel: a pure function of the room and its members' reports. Source: docs/voice.md.

export type Route = 'p2p' | 'sfu'

/** A pair without a connection for this long has no path. */
export const CONNECT_MS_MAX = 4_000
/** Clients restart ICE at `disconnected`, which takes 0.2 s: a state that lasts this long is not mended by it. */
export const DISCONNECTED_MS_MAX = 2_000
/** Without new audio packets for this long a path is broken: Opus sends one every 400 ms even in silence (DTX). */
export const FLAT_MS_MAX = 3_000
/** A mesh has at most this many members while one sends pictures, which costs an upload for each peer. */
const PICTURES_PEERS_MAX = 2

/** Why a room has its route. */
export type Reason =
  'size' | 'screen' | 'camera' | 'relay_only' | 'silenced' | 'no_path' | 'path_lost' | 'no_audio' | 'calm' | 'sfu_gone'

export interface Member {
  id: string
  /** Since when others can connect to the member under this epoch, ms; undefined while its socket is dead. */
  present_since: number | undefined
  /** Since when the member should be heard, ms; undefined while it is muted, or may not speak. */
  heard_since: number | undefined
  relay_only: boolean
  /** Must not be heard: a mesh cannot enforce that. */
  silenced: boolean
  /** Must not be seen, which a mesh cannot enforce either. */
  camera_stopped: boolean
  sharing_screen: boolean
  camera: boolean
}

/** The last report of `from` on its connection with `to`; times in ms. */
export interface Report {
  from: string
  to: string
  state: 'new' | 'connecting' | 'connected' | 'disconnected' | 'failed' | 'closed'
  /** Audio packets received so far. */
  packets: number
  /** When the pair was first connected under this epoch. */
  connected_at: number | undefined
  /** Since when the connection has been down, after it was up. */
  down_since: number | undefined
  /** When `packets` last grew. */
  grew_at: number
  reported_at: number
}

/** A room's route, and what the next choice needs of this one. */
export interface Choice {
  route: Route
  reason?: Reason
  /** Since when a room on the SFU has not needed it, ms. */
  calm_since?: number
  /** Pairs of present members that found no path: the mesh would fail them again. */
  broken: [string, string][]
}

export interface Situation {
  members: Member[]
  reports: Report[]
  /** Whether there is an SFU now. */
  sfu: boolean
  p2p_peers_max: number
  /** How long a room must not need the SFU before it leaves it, ms. */
  calm_ms: number
}

/** The reason in the room's members, if any, why it cannot be a mesh. */
function structure({ members, p2p_peers_max }: Situation): Reason | undefined {
  if (members.some((member) => member.silenced || member.camera_stopped)) return 'silenced'
  if (members.some((member) => member.relay_only)) return 'relay_only'
  if (members.length > p2p_peers_max) return 'size'
  if (members.length <= PICTURES_PEERS_MAX) return undefined
  if (members.some((member) => member.sharing_screen)) return 'screen'
  if (members.some((member) => member.camera)) return 'camera'
}

/** What is wrong between two members who are both present, by the reports of both. */
function fault(one: Member, other: Member, reports: Report[], now: number): Reason | undefined {
  if (one.present_since === undefined || other.present_since === undefined) return undefined
  const together = Math.max(one.present_since, other.present_since)
  const between = reports.filter(
    ({ from, to }) => (from === one.id && to === other.id) || (from === other.id && to === one.id),
  )
  if (between.every((report) => report.connected_at === undefined)) {
    const failed = between.some((report) => report.state === 'failed')
    return failed || now - together >= CONNECT_MS_MAX ? 'no_path' : undefined
  }
  const lost = ({ state, down_since }: Report) =>
    state === 'failed' || (down_since !== undefined && now - down_since >= DISCONNECTED_MS_MAX)
  if (between.some(lost)) return 'path_lost'
  const flat = ({ from, connected_at, grew_at, reported_at }: Report) => {
    const { heard_since } = from === one.id ? other : one
    if (heard_since === undefined || connected_at === undefined) return false
    return reported_at - Math.max(heard_since, connected_at, grew_at, together) >= FLAT_MS_MAX
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
 * @param before the choice made last
 * @param now ms
 */
export function chooseRoute(before: Choice, situation: Situation, now: number): Choice {
  const there = new Set(situation.members.map(({ id }) => id))
  const broken = before.broken.filter((pair) => pair.every((id) => there.has(id)))
  if (!situation.sfu) {
    const left = before.route === 'sfu' ? ({ reason: 'sfu_gone' } as const) : { reason: before.reason }
    return { route: 'p2p', ...left, broken: [] }
  }
  const structural = structure(situation)
  const lasting = structural ?? (broken.length > 0 ? 'no_path' : undefined)
  if (before.route === 'p2p') {
    const found = lasting ? undefined : faultOf(situation, now)
    const reason = lasting ?? found?.reason
    if (!reason) return { ...before, broken }
    return { route: 'sfu', reason, broken: found ? [...broken, found.pair] : broken }
  }
  if (lasting) return { route: 'sfu', reason: before.reason ?? lasting, broken }
  const calm_since = before.calm_since ?? now
  if (now - calm_since >= situation.calm_ms) return { route: 'p2p', reason: 'calm', broken }
  return { route: 'sfu', reason: before.reason, calm_since, broken }
}
