import { createHash, randomBytes } from 'node:crypto'
import { found, Problem } from '../../core/errors.ts'
import { holds } from '../../core/permissions.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import { BatchJob } from '../../events/batch-job.ts'
import type { Emit, Notify } from '../../events/write.ts'
import type { Parts } from '../../parts.ts'
import { lockServer, type Membership } from '../access/guard.ts'
import { recordCase } from '../cases/record.ts'
import { emitBan } from './ban-news.ts'
import { leave } from './membership.ts'
import type { PruneDraft } from './model.ts'

/** Members per removal. */
const MEMBERS_MAX = 50_000
/** Members per transaction, which locks the server. */
const BATCH_MAX = 200
/** A dry run that is not followed is forgotten after this time. */
const TOKEN_MINUTES = 15
const PERIOD_MS = 1_000

interface Prune {
  id: number
  server_id: number
  actor_id: number
  action: 'kick' | 'ban'
  reason: string | null
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Members below the actor that the draft describes; no bots. */
async function membersToRemove(sql: Sql, actor: Membership, draft: PruneDraft): Promise<number[]> {
  const { server_id, user_id, is_owner, position } = actor
  const { joined_after, joined_before = null, never_wrote, with_roles } = draft
  const rows = await sql<{ user_id: number }[]>`
    select m.user_id from members m join users u on u.id = m.user_id
    cross join lateral (
      select coalesce(max(r.position), 0) as position from member_roles mr
      join roles r on r.id = mr.role_id and not r.self_assignable
      where mr.server_id = m.server_id and mr.user_id = m.user_id
    ) top
    where m.server_id = ${server_id} and u.kind in ('person', 'guest') and m.user_id <> ${user_id}
      and m.user_id <> (select owner_id from servers where id = ${server_id})
      and m.joined_at >= ${joined_after}::timestamptz
      and m.joined_at <= least(coalesce(${joined_before}::timestamptz, now()), now())
      and (${is_owner} or top.position < ${position})
      and (${with_roles} or top.position = 0)
      and (not ${never_wrote} or not exists (
        select from messages w join channels c on c.id = w.channel_id
        where w.author_id = m.user_id and c.server_id = ${server_id} and w.kind = 'default'))
    order by m.user_id limit ${MEMBERS_MAX}`
  return rows.map((row) => row.user_id)
}

/** Fixes who would be removed. @returns their number, and the token that begins the removal */
export async function tryPrune(
  sql: Sql,
  actor: Membership,
  draft: PruneDraft,
): Promise<{ count: number; token: string }> {
  const user_ids = await membersToRemove(sql, actor, draft)
  const token = randomBytes(24).toString('base64url')
  await sql`delete from prunes where server_id = ${actor.server_id} and actor_id = ${actor.user_id} and not is_begun`
  await sql`insert into prunes ${sql({
    server_id: actor.server_id,
    actor_id: actor.user_id,
    action: draft.action,
    reason: draft.reason ?? null,
    user_ids,
    token_hash: hashOf(token),
  })}`
  return { count: user_ids.length, token }
}

/** Begins the removal of a dry run. @throws Problem `link_gone` for a token that is unknown, used or too old */
export async function beginPrune(
  sql: Transaction,
  actor: Membership,
  token: string,
): Promise<Prune & { count: number }> {
  const [prune] = await sql<(Prune & { count: number })[]>`
    update prunes set is_begun = true
    where server_id = ${actor.server_id} and actor_id = ${actor.user_id} and token_hash = ${hashOf(token)}
      and not is_begun and created_at > now() - ${TOKEN_MINUTES} * interval '1 minute'
    returning id, server_id, actor_id, action, reason, cardinality(user_ids) as count`
  return found(prune, 'link_gone')
}

/** Removes members as dry runs have fixed it, in batches. */
export class Prunes extends BatchJob {
  constructor(parts: Pick<Parts, 'sql' | 'write' | 'log'>) {
    super(parts, {
      name: 'prunes',
      periodMs: PERIOD_MS,
      batchesMax: 5,
      due: (sql) =>
        sql`select from prunes where is_begun or created_at < now() - ${TOKEN_MINUTES} * interval '1 minute'`,
      batch: removeBatch,
    })
  }
}

async function removeBatch(sql: Transaction, emit: Emit, notify: Notify): Promise<boolean> {
  await sql`delete from prunes where not is_begun and created_at < now() - ${TOKEN_MINUTES} * interval '1 minute'`
  const [prune] = await sql<(Prune & { user_ids: number[] })[]>`
    select id, server_id, actor_id, action, reason, user_ids[1:${BATCH_MAX}] as user_ids from prunes
    where is_begun order by id limit 1`
  if (!prune) return false
  const { id, server_id, actor_id, action, reason, user_ids } = prune
  const server = await lockServer(sql, server_id).catch((error: unknown) => {
    // Deleted meanwhile, with its members.
    if (error instanceof Problem) return undefined
    throw error
  })
  const [actor] = await sql<Membership[]>`
    select server_id, user_id, is_owner, position, permissions from member_permissions
    where server_id = ${server_id} and user_id = ${actor_id}`
  const bit = action === 'ban' ? 'ban_members' : 'kick_members'
  const mayRemove = server !== undefined && actor !== undefined && holds(actor.permissions, bit)
  if (!mayRemove || user_ids.length === 0) {
    await sql`delete from prunes where id = ${id}`
    return true
  }
  const targets = await sql<{ user_id: number }[]>`
    select user_id from member_permissions where server_id = ${server_id} and user_id = any(${user_ids})
      and not is_owner and (${actor.is_owner} or position < ${actor.position}) order by user_id`
  // Counts of accounts change: lock them in order.
  await sql`select count(*) from (select 1 from users where id = any(${targets.map(({ user_id }) => user_id)})
    order by id for no key update) locked`
  const cause = action === 'ban' ? ('banned' as const) : ('kicked' as const)
  for (const { user_id } of targets) {
    if (action === 'ban')
      // A ban of a member has ended; its row may still be there.
      await sql`insert into bans ${sql({ server_id, user_id, reason, banned_by: actor_id })}
        on conflict (server_id, user_id) do update
          set reason = excluded.reason, banned_by = excluded.banned_by, until = null, was_member = true`
    await leave(sql, emit, notify, { server_id, user_id, ending: { cause, reason, until: null } })
    if (action === 'ban') await emitBan(sql, emit, 'ban.created', { server_id, user_id })
    await recordCase(sql, { server_id, user_id, kind: action, actor_id, reason })
  }
  await sql`update prunes set user_ids = user_ids[${BATCH_MAX + 1}:] where id = ${id}`
  return true
}
