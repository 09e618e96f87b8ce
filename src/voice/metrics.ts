import { Counter, Gauge, Histogram, type Registry } from '../core/prometheus.ts'
import type { Rooms } from './rooms.ts'

/** Metrics of call quality, from the members' reports; without accounts and channels. */
export function openVoiceMetrics(registry: Registry, rooms: Rooms) {
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
