import type { Environment } from './environment.ts'
import type { Bus } from './events/bus.ts'
import type { DiskSpace } from './core/disk-space.ts'
import type { Database } from './database/database.ts'
import type { Judge } from './core/judge.ts'
import type { Leases } from './cluster/leases.ts'
import type { Limits } from './http/limits/limits.ts'
import type { Log } from './core/log.ts'
import type { Metrics } from './core/metrics.ts'
import type { Nodes } from './cluster/nodes.ts'
import type { Read } from './database/replicas.ts'
import type { ObjectStore } from './storage/object-store.ts'
import type { Secrets } from './database/secrets.ts'
import type { Write } from './events/write.ts'

/** Dependencies of the features. */
export interface Parts {
  environment: Environment
  sql: Database
  /** Runs a read on a replica, if there are any; it sees everything that was committed before the call. */
  read: Read
  write: Write
  bus: Bus
  nodes: Nodes
  leases: Leases
  limits: Limits
  metrics: Metrics
  secrets: Secrets
  objects: ObjectStore
  /** Disk space of the database. */
  space: DiskSpace
  log: Log
  /** The automod rules of servers. */
  judge: Judge
}
