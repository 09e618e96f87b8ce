import type { z } from 'zod'
import { found } from '../../core/errors.ts'
import type { Parts } from '../../parts.ts'
import { lockedMembership } from '../access/guard.ts'
import { audit } from '../audit/record.ts'
import { recordCase } from '../cases/record.ts'
import { deletionFact, pruneAuthor } from './author-prunes.ts'
import { demandRank, leave, selectMembers } from './membership.ts'
import type { ReasonDraft } from './model.ts'

/**
 * Removes a member who ranks below the actor.
 * @throws Problem `not_found`, `missing_permission`, `forbidden`, `cannot_target_self`
 */
export async function kick(
  parts: Pick<Parts, 'write'>,
  { server_id, user_id, actor_id }: { server_id: number; user_id: number; actor_id: number },
  body: z.infer<typeof ReasonDraft>,
): Promise<void> {
  const reason = body.reason || null
  await parts.write(async (sql, emit, notify) => {
    found(await demandRank(sql, await lockedMembership(sql, server_id, actor_id, 'kick_members'), user_id))
    const [target] = await selectMembers(sql, sql`m.server_id = ${server_id} and m.user_id = ${user_id}`)
    await leave(sql, emit, notify, { server_id, user_id, ending: { cause: 'kicked', reason, until: null } })
    const entry = { server_id, actor_id, action: 'member.kicked' as const }
    const facts = { ...(reason ? { reason } : {}), ...deletionFact((body.delete_messages_hours ?? 0) * 3600) }
    await audit(sql, entry, ['member', user_id], { role_ids: found(target).role_ids }, facts)
    await recordCase(sql, { server_id, user_id, kind: 'kick', actor_id, reason })
    await pruneAuthor(sql, { server_id, user_id, actor_id }, body.delete_messages_hours)
  })
}
