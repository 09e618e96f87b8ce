import { openDatabase, SUPERUSER } from '../src/database/database.ts'
import { ServerViews } from '../src/gateway/server-views.ts'
import { cpuMicroseconds } from './processes.ts'
import { atMost, type Figure, median } from './report.ts'
import { seed } from './seed.ts'
import { withServer, type BenchServer } from './server.ts'

const CHANNELS = 100
const THREADS = 10_000
/** The limit of a server; the other threads are archived. */
const UNARCHIVED = 1_000
const READS = 150
const ROUNDS = 5
/** Limit as a multiple of the reference. */
const RATIO_MAX = 1.25

/**
 * The cost of a fresh snapshot of a server with ten thousand threads, and of one without any, alternating: the
 * processor
 * time of PostgreSQL and of the process that encodes it.
 */
export const threads = (): Promise<Figure[]> =>
  withServer(async (bench) => {
    await seed(bench, { users: 2, servers: 2, servers_per_user: 1, channels_per_server: CHANNELS })
    await fillThreads(bench)
    const sql = openDatabase({ socket: bench.socket, role: SUPERUSER }, 1, 'parley-threads')
    const [{ pid }] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`
    const views = new ServerViews(sql)
    const spent = () => cpuMicroseconds(pid) + cpuMicroseconds(process.pid)
    const costs = { without: [] as number[], with: [] as number[] }
    try {
      for (let round = -1; round < ROUNDS; round++)
        for (const [which, userId] of [
          ['without', 1],
          ['with', 2],
        ] as const) {
          const before = spent()
          for (let n = 0; n < READS; n++) {
            views.forgetAll()
            await views.read((_sql, load) => load([userId]))
          }
          if (round >= 0) costs[which].push((spent() - before) / READS / 1000)
        }
    } finally {
      views.stop()
      await sql.end({ timeout: 1 })
    }
    const ratio = median(costs.with) / median(costs.without)
    return [
      {
        name: `a fresh snapshot of ${CHANNELS} channels with ${THREADS.toLocaleString('en')} threads, CPU`,
        unit: 'ms',
        parley: costs.with,
        reference: { name: 'no threads', values: costs.without },
        target: atMost(RATIO_MAX, ratio, `≤ ${RATIO_MAX}×`),
      },
    ]
  })

/** Threads in the channels of the second server, whose member is the second account. */
async function fillThreads({ sql }: BenchServer): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`insert into channels (server_id, parent_id, name, type, position, owner_id, active_at,
        archive_after_seconds, archived_at)
      select 2, ${CHANNELS}::int + 1 + n % ${CHANNELS}::int, 'thread-' || n, 'thread', 0, 1, now(), 604800,
        case when n > ${UNARCHIVED}::int then now() end
      from generate_series(1, ${THREADS}::int) n`
  })
  await sql`vacuum analyze channels`
}
