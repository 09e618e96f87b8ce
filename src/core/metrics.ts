import { monitorEventLoopDelay } from 'node:perf_hooks'
import { measureVolume } from './disk-space.ts'
import { Counter, Gauge, Histogram, Registry } from './prometheus.ts'

/** The driver's connections by state. */
export interface PoolState {
  open: number
  busy: number
  max: number
  /** Statements waiting for a connection. */
  waiting: number
}

/** Figures of the process, its database connections and its disk, read at each scrape. */
function registerProcess(registers: Registry[], version: string, directory: string, pool: () => PoolState): void {
  const gauge = (name: string, help: string, readValue: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await readValue())
      },
    })
  gauge('parley_resident_memory_bytes', 'Resident memory of the process', () => process.memoryUsage.rss())
  gauge('parley_uptime_seconds', 'Time since the process started', () => process.uptime())
  gauge('parley_data_free_bytes', 'Bytes that can still be written below DATA_DIR', async () => {
    return (await measureVolume(directory))?.free_bytes ?? Number.NaN
  })
  gauge('parley_data_size_bytes', 'Size of the file system of DATA_DIR', async () => {
    return (await measureVolume(directory))?.size_bytes ?? Number.NaN
  })
  new Gauge({
    name: 'parley_build_info',
    help: 'Always 1; the labels tell the version of the server and of Bun',
    labelNames: ['version', 'bun'],
    registers,
  }).set({ version, bun: Bun.version }, 1)
  new Counter({
    name: 'parley_cpu_seconds_total',
    help: 'Processor time of the process, without its PostgreSQL and the workers of the SFU',
    labelNames: ['mode'],
    registers,
    collect() {
      const { user, system } = process.cpuUsage()
      this.reset()
      this.inc({ mode: 'user' }, user / 1e6)
      this.inc({ mode: 'system' }, system / 1e6)
    },
  })
  new Gauge({
    name: 'parley_database_connections',
    help: 'Connections of the pool: open, busy, and the most that it opens (max)',
    labelNames: ['state'],
    registers,
    collect() {
      const { open, busy, max } = pool()
      for (const [state, count] of Object.entries({ open, busy, max })) this.set({ state }, count)
    },
  })
  gauge('parley_database_waiting', 'Statements that wait for a connection of the pool', () => pool().waiting)
}

/**
 * Opens the metrics of one process, in a separate registry.
 * @param version of the server
 * @param directory DATA_DIR
 */
export function openMetrics(version: string, directory: string, pool: () => PoolState) {
  const registry = new Registry()
  const registers = [registry]
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  new Gauge({
    name: 'parley_event_loop_lag_seconds',
    help: '99th percentile of the event loop delay since the last scrape',
    registers,
    collect() {
      this.set(Math.max(0, delay.percentile(99) / 1e9))
      delay.reset()
    },
  })
  registerProcess(registers, version, directory, pool)
  return {
    registry,
    requests: new Histogram({
      name: 'parley_http_request_seconds',
      help: 'Time from a request to its answer',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    commands: new Histogram({
      name: 'parley_gateway_command_seconds',
      help: 'Time from a gateway command to its answer',
      labelNames: ['op', 'ok'],
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1],
      registers,
    }),
    events: new Histogram({
      name: 'parley_gateway_event_bytes',
      help: 'Size of the events published to the gateway, each counted once however many receive it',
      labelNames: ['event'],
      buckets: [128, 256, 512, 1024, 4096, 16_384, 65_536],
      registers,
    }),
    sockets: new Gauge({ name: 'parley_gateway_sockets', help: 'Open gateway sockets', registers }),
    closed: new Counter({
      name: 'parley_gateway_closed_total',
      help: 'Closed gateway sockets by close code',
      labelNames: ['code'],
      registers,
    }),
    pushes: new Counter({
      name: 'parley_push_total',
      help: 'Notices handed to push services by outcome: taken, gone (no such subscription), failed; untold: outdated',
      labelNames: ['outcome'],
      registers,
    }),
    stop() {
      delay.disable()
    },
  }
}

export type Metrics = ReturnType<typeof openMetrics>
