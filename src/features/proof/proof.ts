import type { Sql } from '../../database/database.ts'
import { Problem } from '../../core/errors.ts'
import type { Me } from '../sessions/store.ts'

/** Validity of a session's proof. */
const PROOF_MINUTES = 10

/** The end of the session's proof; undefined if it has none. */
export async function provenUntil(sql: Sql, { session_id }: Pick<Me, 'session_id'>): Promise<string | undefined> {
  const [row] = await sql<{ until: string }[]>`
    select proven_at + ${PROOF_MINUTES} * interval '1 minute' as until from sessions
    where id = ${session_id} and proven_at > now() - ${PROOF_MINUTES} * interval '1 minute'`
  return row?.until
}

/** Demands that this session has recently proved its owner. @throws Problem `proof_required` */
export async function demandProof(sql: Sql, me: Pick<Me, 'session_id'>): Promise<void> {
  if ((await provenUntil(sql, me)) === undefined) throw new Problem('proof_required')
}

/** Records that this session has proved its owner. */
export async function noteProof(sql: Sql, { session_id }: Pick<Me, 'session_id'>): Promise<void> {
  await sql`update sessions set proven_at = now() where id = ${session_id}`
}

/** Voids the proofs of the account's other sessions. */
export async function voidOtherProofs(sql: Sql, { id, session_id }: Pick<Me, 'id' | 'session_id'>): Promise<void> {
  await sql`update sessions set proven_at = null
    where user_id = ${id} and id <> ${session_id} and proven_at is not null`
}
