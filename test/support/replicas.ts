import type { Parley } from '../../src/parley.ts'
import { boot, call, until } from './harness.ts'
import type { Server } from './standby.ts'

/**
 * The value of a metric of replicas.
 * @param server `primary`, or host and port of a replica
 * @param kind of reads; all of them by default
 */
export async function replicaMetric(parley: Parley, name: string, server: string, kind?: string): Promise<number> {
  const { body } = await call(parley, 'GET', '/metrics')
  let sum = 0
  for (const [, labels = '', value = ''] of body.matchAll(new RegExp(`^${name}\\{(.*)\\} (.*)$`, 'gm'))) {
    const isWanted = labels.includes(`server="${server}"`) && (!kind || labels.includes(`kind="${kind}"`))
    if (isWanted) sum += value === '+Inf' ? Infinity : Number(value)
  }
  return sum
}

/** How a replica is named in the metrics. */
export const replicaName = ({ port }: Server): string => `127.0.0.1:${port}`

/** A server with replicas, once they are in use. @param sibling another process on its database */
export async function withReplicas(primary: Server, replicas: Server[], sibling?: Parley): Promise<Parley> {
  const urls = replicas.map((replica) => replica.url()).join(',')
  const parley = await boot({ DATABASE_URL: primary.url(), DATABASE_REPLICA_URLS: urls }, sibling)
  for (const replica of replicas)
    await until(async () => (await replicaMetric(parley, 'parley_replica_used', replicaName(replica))) === 1)
  return parley
}
