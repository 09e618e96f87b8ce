import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** The metrics of one process, in a registry of their own. */
export function openMetrics() {
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
  new Gauge({
    name: 'parley_resident_memory_bytes',
    help: 'Resident memory of the process',
    registers,
    collect() {
      this.set(process.memoryUsage.rss())
    },
  })
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
    stop() {
      delay.disable()
    },
  }
}

export type Metrics = ReturnType<typeof openMetrics>
