import { Counter, Gauge, type Registry } from '../core/prometheus.ts'
import { parseDatabaseUrl } from '../core/database-url.ts'
import type { Log } from '../core/log.ts'
import { type Database, openDatabase } from './database.ts'
import { Replica } from './replica.ts'
import { type Read, type ReadKind, readOn, Replicas } from './replicas.ts'

/**
 * Opens the read replicas, and their metrics.
 * @param urls of DATABASE_REPLICA_URLS
 * @param connections to each, besides one for checks
 */
export function openReplicas(
  urls: string[],
  connections: number,
  primary: Database,
  registry: Registry,
  log: Log,
): { read: Read; stop(): Promise<void> } {
  if (urls.length === 0) return { read: readOn(primary), stop: async () => {} }
  const registers = [registry]
  const reads = new Counter({
    name: 'parley_replica_reads_total',
    help: 'Reads that a replica may serve, by the server that did (`primary`, or the replica) and by purpose',
    labelNames: ['server', 'kind'],
    registers,
  })
  const all = urls.map((url) => {
    const { host = '', port } = parseDatabaseUrl(url).hosts[0] ?? {}
    const address = { url, isReplica: true }
    // After a crash, a standby may begin again where it was earlier.
    const onClose = () => void (replica.replayed = undefined)
    const pool = openDatabase(address, connections, 'parley-reads', onClose)
    const replica: Replica = new Replica(`${host}:${port}`, pool, openDatabase(address, 1, 'parley-replica-check'))
    return replica
  })
  const count = (kind: ReadKind, replica?: Replica) => reads.inc({ server: replica?.name ?? 'primary', kind })
  const replicas = new Replicas(primary, all, log, count)
  new Gauge({
    name: 'parley_replica_lag_seconds',
    help: 'Time that a replica is behind the primary, to a second; +Inf if it does not answer',
    labelNames: ['server'],
    registers,
    collect() {
      for (const { name, lagSeconds } of all) this.set({ server: name }, lagSeconds)
    },
  })
  new Gauge({
    name: 'parley_replica_used',
    help: '1 if reads go to the replica, 0 while it is left out',
    labelNames: ['server'],
    registers,
    collect() {
      for (const { name, isUsable } of all) this.set({ server: name }, isUsable ? 1 : 0)
    },
  })
  return replicas
}
