import { Counter, Gauge, type Registry } from 'prom-client'
import type { Turn } from './thread.ts'

/** The figures of the relay, asked of its thread when somebody looks. */
export function countTurn(registry: Registry, turn: Turn): void {
  const registers = [registry]
  const packets = new Counter({
    name: 'parley_turn_packets_total',
    help: 'Packets relayed; out: from clients to peers',
    labelNames: ['direction'],
    registers,
  })
  const bytes = new Counter({
    name: 'parley_turn_bytes_total',
    help: 'Bytes relayed, without headers',
    labelNames: ['direction'],
    registers,
  })
  const errors = new Counter({
    name: 'parley_turn_errors_total',
    help: 'Requests refused, by STUN error code',
    labelNames: ['code'],
    registers,
  })
  const drops = new Counter({
    name: 'parley_turn_drops_total',
    help: 'Packets that went nowhere, by reason',
    labelNames: ['reason'],
    registers,
  })
  new Gauge({
    name: 'parley_turn_allocations',
    help: 'Allocations that are open',
    registers,
    async collect() {
      const tally = await turn.count()
      this.set(tally.allocations)
      for (const counter of [packets, bytes, errors, drops]) counter.reset()
      packets.inc({ direction: 'out' }, tally.packets_out)
      packets.inc({ direction: 'in' }, tally.packets_in)
      bytes.inc({ direction: 'out' }, tally.bytes_out)
      bytes.inc({ direction: 'in' }, tally.bytes_in)
      for (const [code, count] of Object.entries(tally.errors)) errors.inc({ code }, count)
      for (const [reason, count] of Object.entries(tally.drops)) drops.inc({ reason }, count)
    },
  })
}
