import type { Environment } from '../environment.ts'
import type { Bus } from './bus.ts'
import type { Database } from './database.ts'
import type { Leases } from './leases.ts'
import type { Limits } from './limits.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Nodes } from './nodes.ts'
import type { ObjectStore } from './object-store.ts'
import type { Secrets } from './secrets.ts'
import type { Write } from './write.ts'

/** What a feature is built from. */
export interface Parts {
  environment: Environment
  sql: Database
  write: Write
  bus: Bus
  nodes: Nodes
  leases: Leases
  limits: Limits
  metrics: Metrics
  secrets: Secrets
  objects: ObjectStore
  log: Log
}
