import { openChild, residentBytes } from './processes.ts'
import type { Figure } from './report.ts'
import { startServer, withServer } from './server.ts'

const ROUNDS = 5
const IDLE_SECONDS = 2

/** The time of a start with existing data until the server listens, and its memory when idle. */
export const start = (): Promise<Figure[]> =>
  withServer(async (bench) => {
    await bench.process.stop()
    const started: { ms: number; mb: number }[] = []
    const bare: { ms: number; mb: number }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const server = await startServer(bench.data)
      await Bun.sleep(IDLE_SECONDS * 1000)
      started.push({ ms: server.start_ms, mb: residentBytes(server.pid) / 1024 ** 2 })
      await server.stop()
      const bareStarted = performance.now()
      const reference = openChild('bare-server.ts')
      await reference.ask('url')
      const ms = performance.now() - bareStarted
      await Bun.sleep(IDLE_SECONDS * 1000)
      bare.push({ ms, mb: residentBytes(reference.pid) / 1024 ** 2 })
      await reference.stop()
    }
    return [
      {
        name: 'warm start',
        unit: 'ms',
        parley: started.map((round) => round.ms),
        reference: { name: 'bare Bun', values: bare.map((round) => round.ms) },
      },
      {
        name: 'memory of the idle process, without PostgreSQL',
        unit: 'MB',
        parley: started.map((round) => round.mb),
        reference: { name: 'bare Bun', values: bare.map((round) => round.mb) },
      },
    ]
  })
