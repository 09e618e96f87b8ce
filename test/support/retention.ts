import { Retention } from '../../src/features/retention/retention.ts'
import type { Parley } from '../../src/parley.ts'

/** Makes messages two days older than they are. */
export async function makeOld({ parts: { sql } }: Parley, messageIds: number[]): Promise<void> {
  await sql`update messages set created_at = created_at - interval '2 days' where id = any(${messageIds})`
}

/** Deletes what is too old for an operator with these variables. */
export async function pruneWith({ parts }: Parley, variables: Partial<Parley['parts']['environment']>): Promise<void> {
  const retention = new Retention({ ...parts, environment: { ...parts.environment, ...variables } })
  await retention.run()
  retention.stop()
}
