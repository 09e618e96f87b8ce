/** The steps of a client from the end of a socket, whose node drains, until it is up to date on another node. */
const STEPS = ['connects', 'is open', 'is sent `ready`', 'reads it', 'is up to date'] as const
type Step = (typeof STEPS)[number]

/** One client's way. */
export class Handover {
  readonly #times = new Map<Step, number>()
  /** Connections that failed or were closed on the way. */
  attempts = 0

  /** @param endedAt when the socket ended, ms */
  constructor(readonly endedAt: number) {}

  /** The client connects: earlier steps of the way count no more. */
  connect(now: number): void {
    this.attempts++
    this.#times.clear()
    this.note('connects', now)
  }

  note(step: Step, now: number): void {
    this.#times.set(step, now)
  }

  get ms(): number {
    return (this.#times.get('is up to date') ?? Infinity) - this.endedAt
  }

  /** Duration of the step, ms. The first one contains the client's pauses, and attempts that failed. */
  duration(step: Step): number {
    const before = STEPS[STEPS.indexOf(step) - 1]
    return (this.#times.get(step) ?? Infinity) - (before ? (this.#times.get(before) ?? Infinity) : this.endedAt)
  }
}

/** A line on how long handovers took, and one on their steps. */
export function handoverLines(handovers: Handover[]): string[] {
  if (handovers.length === 0) return []
  const ofAll = (ms: (handover: Handover) => number) => {
    const sorted = handovers.map(ms).toSorted((a, b) => a - b)
    const at = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0)
    return `${at(0.5)} ms, p99 ${at(0.99)}, worst ${at(1)}`
  }
  const again = handovers.filter(({ attempts }) => attempts > 1).length
  const times = ofAll(({ ms }) => ms)
  return [
    `  ${handovers.length} sockets handed over, back after ${times}; ${again} needed several connections`,
    ...STEPS.map((step) => `    until the client ${step}: ${ofAll((handover) => handover.duration(step))}`),
  ]
}
