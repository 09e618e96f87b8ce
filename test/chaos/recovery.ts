/** The steps of recovery; each is noted once, in milliseconds since the fault. */
const STEPS = ['send', 'everywhere', 'clients'] as const
type Step = (typeof STEPS)[number]

interface Watch {
  kind: string
  at: number
  /** Earlier requests prove nothing: the broken part may still have answered them. */
  since: number
  /** A node that a probe must reach. */
  node?: number
  took: Partial<Record<Step, number>>
}

/** Measures the time from a fault until everything works again. */
export class Recovery {
  readonly #watches: Watch[] = []

  begin(kind: string, at: number, since = at, node?: number): void {
    this.#watches.push({ kind, at, since, node, took: {} })
  }

  #note(step: Step, now: number, proven: (watch: Watch) => boolean): void {
    for (const watch of this.#watches)
      if (watch.took[step] === undefined && proven(watch)) watch.took[step] = now - watch.at
  }

  /** A send that began then was acknowledged. */
  sent = (beganAt: number, now: number) => this.#note('send', now, ({ since }) => beganAt >= since)

  /** A message accepted then has reached sockets of these nodes, which are all living ones. */
  everywhere = (beganAt: number, now: number, nodes: Set<number>) =>
    this.#note(
      'everywhere',
      now,
      (watch) => beganAt >= watch.since && (watch.node === undefined || nodes.has(watch.node)),
    )

  /** Every client is connected and up to date, the last one since then. */
  clients = (syncedAt: number, now: number) => {
    for (const { at, took } of this.#watches) if (now - at > NOTICED_MS) took.clients ??= Math.max(0, syncedAt - at)
  }

  /** The longest time from a fault of this kind until a send was acknowledged, ms. */
  worstSend = (kind: string): number =>
    Math.max(0, ...this.#watches.flatMap((watch) => (watch.kind === kind ? (watch.took.send ?? []) : [])))

  /** The kinds of faults that have not recovered. */
  open = (): string[] =>
    this.#watches.flatMap(({ kind, took }) =>
      STEPS.filter((step) => took[step] === undefined).map((step) => `${kind}: ${NAMES[step]}`),
    )

  /** One line per kind: median and worst of each step, in milliseconds. */
  table(): string[] {
    const kinds = [...Map.groupBy(this.#watches, (watch) => watch.kind)].toSorted()
    const lines = kinds.map(([kind, watches]) => {
      const cells = STEPS.map((step) => {
        const sorted = watches.map(({ took }) => took[step] ?? Infinity).toSorted((a, b) => a - b)
        return `${Math.round(sorted[(sorted.length - 1) >> 1] ?? 0)} / ${Math.round(sorted.at(-1) ?? 0)}`.padStart(22)
      })
      return `  ${`${kind} (${watches.length})`.padEnd(26)}${cells.join('')}`
    })
    const head = `  ${'ms, median / worst'.padEnd(26)}${STEPS.map((step) => NAMES[step].padStart(22)).join('')}`
    return [head, ...lines]
  }
}

/** Every client notices the fate of its connection within this time. */
const NOTICED_MS = 500
const NAMES = { send: 'send acknowledged', everywhere: 'on all living nodes', clients: 'all clients synced' }
