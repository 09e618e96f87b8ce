import { Counter, Gauge, type Registry } from 'prom-client'
import type { Tally } from './server/tally.ts'
import type { Turn } from './thread.ts'

/** The figures of the relay, asked of its thread when somebody looks. */
export function countTurn(registry: Registry, turn: Turn): void {
  const registers = [registry]
  const counter = (name: string, help: string, label: string, values: (tally: Tally) => Record<string, number>) =>
    new Counter({
      name,
      help,
      labelNames: [label],
      registers,
      async collect() {
        const counted = values(await turn.count())
        this.reset()
        for (const [value, count] of Object.entries(counted)) this.inc({ [label]: value }, count)
      },
    })
  new Gauge({
    name: 'parley_turn_allocations',
    help: 'Allocations that are open',
    registers,
    async collect() {
      this.set((await turn.count()).allocations)
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
