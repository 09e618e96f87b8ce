import { Counter, Gauge, Histogram, type Registry } from '../core/prometheus.ts'
import type { Rooms } from './rooms.ts'
import type { Sfu } from './sfu/sfu.ts'

/** The load of the SFU's workers. */
function openWorkerMetrics(registry: Registry, sfu: Pick<Sfu, 'figures'>): void {
  const gauges = [
    ['rooms', 'Calls whose main router is on this worker of the SFU'],
    ['receivers', 'Members of calls who receive from this worker of the SFU'],
    ['links', 'Calls of other workers whose media come to this worker of the SFU by a link'],
  ] as const
  for (const [name, help] of gauges)
    new Gauge({
      name: `parley_sfu_worker_${name}`,
      help,
      labelNames: ['worker'],
      registers: [registry],
      collect() {
        // A worker that has died carries nothing.
        this.reset()
        for (const figures of sfu.figures()) this.set({ worker: String(figures.index) }, figures[name])
      },
    })
}

/** Metrics of calls and their quality, from the members' reports; without accounts and channels. */
export function openVoiceMetrics(registry: Registry, rooms: Rooms, sfu: Pick<Sfu, 'figures'>) {
  openWorkerMetrics(registry, sfu)
  const registers = [registry]
  new Gauge({
    name: 'parley_voice_rooms',
    help: 'Voice channels with someone in them, by the way that their media take',
    labelNames: ['route'],
    registers,
    collect() {
      const all = rooms.all()
      for (const route of ['p2p', 'sfu'] as const)
        this.set({ route }, all.filter(({ choice }) => choice.route === route).length)
    },
  })
  new Gauge({
    name: 'parley_voice_members',
    help: 'Members in calls',
    registers,
    collect() {
      this.set(rooms.seats().length)
    },
  })
  return {
    connected: new Counter({
      name: 'parley_voice_connections_total',
      help: 'Connections of meshes that came about, by the type of the path',
      labelNames: ['pair_type'],
      registers,
    }),
    rerouted: new Counter({
      name: 'parley_voice_route_changes_total',
      help: 'Rooms that changed their route, by the new one and why',
      labelNames: ['route', 'reason'],
      registers,
    }),
    resets: new Counter({ name: 'parley_voice_resets_total', help: 'Rooms that lost their SFU worker', registers }),
    firstAudio: new Histogram({
      name: 'parley_voice_first_audio_seconds',
      help: 'From joining to the first sound of another',
      labelNames: ['route'],
      buckets: [0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10],
      registers,
    }),
    rtt: new Histogram({
      name: 'parley_voice_rtt_seconds',
      help: 'Round trips between members of meshes, by the type of the path',
      labelNames: ['pair_type'],
      buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1],
      registers,
    }),
  }
}

export type VoiceMetrics = ReturnType<typeof openVoiceMetrics>
