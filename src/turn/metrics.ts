import { Counter, Gauge, type Registry } from '../core/prometheus.ts'
import type { TurnCounters } from './server/counters.ts'

/** Registers the metrics of the TURN server. @param count reads the counters, at each scrape */
export function registerTurnMetrics(registry: Registry, count: () => Promise<TurnCounters>): void {
  const registers = [registry]
  const counter = (
    name: string,
    help: string,
    label: string,
    values: (counters: TurnCounters) => Record<string, number>,
  ) =>
    new Counter({
      name,
      help,
      labelNames: [label],
      registers,
      async collect() {
        const totals = values(await count())
        this.reset()
        for (const [value, total] of Object.entries(totals)) this.inc({ [label]: value }, total)
      },
    })
  new Gauge({
    name: 'parley_turn_allocations',
    help: 'Allocations that are open',
    registers,
    async collect() {
      this.set((await count()).allocations)
    },
  })
  counter(
    'parley_turn_packets_total',
    'Packets relayed; out: from clients to peers',
    'direction',
    ({ packets_out, packets_in }) => ({ out: packets_out, in: packets_in }),
  )
  counter('parley_turn_bytes_total', 'Bytes relayed, without headers', 'direction', ({ bytes_out, bytes_in }) => ({
    out: bytes_out,
    in: bytes_in,
  }))
  counter('parley_turn_errors_total', 'Requests refused, by STUN error code', 'code', ({ errors }) => errors)
  counter('parley_turn_drops_total', 'Packets that went nowhere, by reason', 'reason', ({ drops }) => drops)
}
