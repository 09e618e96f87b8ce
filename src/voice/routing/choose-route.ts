/** The one choice of how a room's media travel: a pure function of the room and its reports. Source: voice.md. */
export type Route = 'p2p' | 'sfu'

/** A pair that never had a connection for this long has no path. */
export const CONNECT_MS_MAX = 4_000
/** The clients restart ICE at `disconnected`, which takes 0.2 s: one that lasts has not helped. */
export const DISCONNECTED_MS_MAX = 2_000
/** Opus sends something every 400 ms even in silence (DTX). */
export const FLAT_MS_MAX = 3_000
/** A mesh carries so many while anyone shares a screen, which costs its sender one upload a peer. */
const SCREEN_PEERS_MAX = 2

/** Why a room is where it is. */
export type Reason =
  'size' | 'screen' | 'relay_only' | 'silenced' | 'no_path' | 'path_lost' | 'no_audio' | 'calm' | 'sfu_gone'

export interface Member {
  id: string
  /** Since when others can connect to it under this epoch; undefined while its socket is dead. */
  present_since: number | undefined
  /** Since when it should be heard; undefined while it is muted, or may not speak. */
  heard_since: number | undefined
  relay_only: boolean
  /** Must not be heard: a mesh cannot enforce that. */
  silenced: boolean
  sharing_screen: boolean
}

/** What `from` said last of its connection with `to`; times in ms. */
export interface Report {
  from: string
  to: string
  state: 'new' | 'connecting' | 'connected' | 'disconnected' | 'failed' | 'closed'
  /** Audio packets received so far. */
  packets: number
  /** When it was first connected under this epoch. */
  connected_at: number | undefined
  /** Since when it has not been, after it was. */
  down_since: number | undefined
  /** When the audio packets that it received were last more than before. */
  grew_at: number
  reported_at: number
}

/** What is remembered of a room from one choice to the next. */
export interface Choice {
  route: Route
  reason?: Reason
  /** Since when nothing speaks for the SFU, ms. */
  calm_since?: number
  /** Pairs that found no path, while both are there: the mesh would fail them again. */
  broken: [string, string][]
}

export interface Situation {
  members: Member[]
  reports: Report[]
  /** Whether there is an SFU now. */
  sfu: boolean
  p2p_peers_max: number
  /** How long nothing must speak for the SFU before the room leaves it, ms. */
  calm_ms: number
}

/** What about its members keeps a room out of the mesh. */
function structure({ members, p2p_peers_max }: Situation): Reason | undefined {
  if (members.some((member) => member.silenced)) return 'silenced'
  if (members.some((member) => member.relay_only)) return 'relay_only'
  if (members.length > p2p_peers_max) return 'size'
  if (members.length > SCREEN_PEERS_MAX && members.some((member) => member.sharing_screen)) return 'screen'
}

/** What is wrong between two members who are both there, by what either said. */
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

/** The first pair of the mesh with something wrong, and what. */
function faultOf({ members, reports }: Situation, now: number): { pair: [string, string]; reason: Reason } | undefined {
  for (const [at, one] of members.entries())
    for (const other of members.slice(at + 1)) {
      const reason = fault(one, other, reports, now)
      if (reason) return { pair: [one.id, other.id], reason }
    }
}

/**
 * Chooses a room's route.
 * @param before what was chosen last
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
