/** Packet loss of a path in each direction, 0 to 1, and its round trip, ms. */
export interface PathStats {
  lostIn: number
  lostOut: number
  rtt_ms: number
  /** True if the browser reduces the sent video because the processor is busy. */
  busy: boolean
}

/** Connection quality of a member, and the reason if it is not good. */
export interface Quality {
  level: 'good' | 'fair' | 'poor'
  reason?: { what: 'upload' | 'download'; share: number } | { what: 'delay'; ms: number } | { what: 'processor' }
}

/** Losses are counted over this many readings. */
const READINGS = 4
const LOSS_FAIR = 0.02
const LOSS_POOR = 0.08
const DELAY_FAIR_MS = 300
const DELAY_POOR_MS = 600
/** With fewer packets, the loss counts as 0. */
const PACKETS_MIN = 60

interface Counts {
  received: number
  lost: number
  sent: number
  unheard: number
}

/** Computes the packet loss of a call's paths between readings of the browser's statistics. */
export class LossMeter {
  readonly #counts = new Map<string, Counts[]>()

  /** @param key names the path. @param stats of an RTCStatsReport: of the whole path, or of one member's media */
  read(key: string, stats: Record<string, unknown>[]): PathStats {
    const sum = (type: string, ...names: string[]) =>
      stats
        .filter((entry) => entry['type'] === type)
        .reduce((total, entry) => total + names.reduce((all, name) => all + Number(entry[name] ?? 0), 0), 0)
    const now: Counts = {
      received: sum('inbound-rtp', 'packetsReceived'),
      // Packets that were sent again were lost before.
      lost: sum('inbound-rtp', 'packetsLost', 'retransmittedPacketsReceived'),
      sent: sum('outbound-rtp', 'packetsSent'),
      unheard: sum('remote-inbound-rtp', 'packetsLost') + sum('outbound-rtp', 'retransmittedPacketsSent'),
    }
    const before = this.#counts.get(key) ?? []
    const [first = now] = before
    this.#counts.set(key, [...before, now].slice(-READINGS))
    const [got, lost] = [now.received - first.received, now.lost - first.lost]
    const rtt = stats.find(({ type, nominated }) => type === 'candidate-pair' && nominated)?.['currentRoundTripTime']
    return {
      lostIn: shareOf(lost, got + lost),
      lostOut: shareOf(now.unheard - first.unheard, now.sent - first.sent),
      rtt_ms: Math.round(Number(rtt ?? 0) * 1000),
      busy: stats.some((entry) => entry['qualityLimitationReason'] === 'cpu'),
    }
  }
}

/** The pair of addresses that a connection uses. @param stats entries of an RTCStatsReport */
export function pairIn<T extends Record<string, unknown>>(stats: T[]): T | undefined {
  const id = stats.find(({ type }) => type === 'transport')?.['selectedCandidatePairId']
  if (id !== undefined) return stats.find((entry) => entry['id'] === id)
  // Firefox before 153 has no `transport`; it marks the pair, and only one of several nominated ones.
  return stats.find((entry) => entry['type'] === 'candidate-pair' && entry['selected'])
}

const shareOf = (part: number, whole: number): number => (whole < PACKETS_MIN ? 0 : Math.max(0, part / whole))

/** Quality by loss in both directions, round trip and processor. The first cause in this order is the reason. */
export function qualityOf(up: number, down: number, rttMs: number, isBusy = false): Quality {
  const loss = Math.max(up, down)
  const isPoor = loss >= LOSS_POOR || rttMs >= DELAY_POOR_MS
  const level = isPoor ? 'poor' : loss >= LOSS_FAIR || rttMs >= DELAY_FAIR_MS || isBusy ? 'fair' : 'good'
  if (loss >= LOSS_FAIR) return { level, reason: { what: up >= down ? 'upload' : 'download', share: loss } }
  if (rttMs >= DELAY_FAIR_MS) return { level, reason: { what: 'delay', ms: rttMs } }
  return isBusy ? { level, reason: { what: 'processor' } } : { level }
}

/**
 * The connection quality by voice session; the key '' is this member's own.
 * @param paths the path to each member of the mesh; over the SFU, the media received from each member
 * @param sfuPath the path to the SFU; undefined in a mesh
 * @param suffers over the SFU, true if a member's packets are lost before they reach the SFU
 */
export function qualities(
  paths: Map<string, PathStats>,
  sfuPath: PathStats | undefined,
  suffers: (id: string) => boolean,
): Map<string, Quality> {
  const all = [...paths]
  // The smallest loss of all paths is attributed to this member's own connection.
  const least = (name: 'lostIn' | 'lostOut', subset = all) =>
    subset.length === 0 ? 0 : Math.min(...subset.map(([, path]) => path[name]))
  const whole = all.filter(([id]) => !suffers(id))
  const down = sfuPath ? least('lostIn', whole) : all.length > 1 ? least('lostIn') : 0
  const up = sfuPath ? sfuPath.lostOut : least('lostOut')
  const rttMs = sfuPath?.rtt_ms ?? Math.min(...all.map(([, path]) => path.rtt_ms), Infinity)
  const busy = sfuPath?.busy ?? all.some(([, path]) => path.busy)
  const result = new Map([['', qualityOf(up, down, all.length > 1 || sfuPath ? rttMs : 0, busy)]])
  for (const [id, path] of all)
    result.set(id, qualityOf(path.lostIn - down, sfuPath ? 0 : path.lostOut - up, sfuPath ? 0 : path.rtt_ms))
  return result
}
