import type { Transaction } from '../../database/database.ts'
import { type Batch, BatchJob } from '../../events/batch-job.ts'
import type { Emit, Notify } from '../../events/write.ts'
import type { Parts } from '../../parts.ts'
import { lockServer } from '../access/guard.ts'
import { deleteAccount } from '../lifecycle/deletion.ts'
import { moveInReports } from '../reports/forget.ts'
import { endAccessChange } from '../roles/order.ts'
import { indexAgain } from '../search/indexer.ts'
import { emitServer } from '../servers/system-channel.ts'

const PERIOD_MS = 5_000
/** Rows per transaction. */
const ROWS_MAX = 500

/** The account that loses authorship, and the one that gains it. */
interface Move {
  placeholder_id: number
  user_id: number
}

/** Moves one batch of an author's rows. @returns how many rows; 0 when none is left */
type Step = (sql: Transaction, move: Move) => Promise<number>

/** Replaces mentions of the one account in a message `m` by the other. */
const replaceMentions = (sql: Transaction, { placeholder_id, user_id }: Move) => sql`
  content = replace(m.content, ${`<@${placeholder_id}>`}, ${`<@${user_id}>`}),
  mention_ids = array_replace(m.mention_ids, ${placeholder_id}::bigint, ${user_id}::bigint),
  data = case when m.data ->> 'user_id' = ${String(placeholder_id)}
    then json_build_object('user_id', ${user_id}::bigint) else m.data end`

/** The index finds messages by author, so index these again. */
async function indexMoved(sql: Transaction, ids: number[]): Promise<number> {
  if (ids.length > 0) await indexAgain(sql, Math.min(...ids), Math.max(...ids))
  return ids.length
}

const steps: Step[] = [
  async (sql, move) => {
    const messages = await sql<{ id: number }[]>`
      with page as (select id from messages where author_id = ${move.placeholder_id} order by id limit ${ROWS_MAX}
        for update)
      update messages m set author_id = ${move.user_id}, ${replaceMentions(sql, move)} from page where m.id = page.id
      returning m.id`
    return indexMoved(
      sql,
      messages.map(({ id }) => id),
    )
  },
  async (sql, { placeholder_id, user_id }) => {
    const [total] = await sql<{ count: number; bytes: number }[]>`
      with page as (select f.id from files f where f.uploader_id = ${placeholder_id} and f.message_id is not null
        order by f.id limit ${ROWS_MAX} for update), moved as (
        update files f set uploader_id = ${user_id} from page where f.id = page.id returning f.size)
      select count(*)::int as count, coalesce(sum(size), 0)::bigint as bytes from moved`
    const { count = 0, bytes = 0 } = total ?? {}
    await sql`update users set stored_bytes = stored_bytes + case id when ${user_id} then ${bytes}::bigint
      else -${bytes}::bigint end where id in (${user_id}, ${placeholder_id})`
    return count
  },
  async (sql, move) => {
    const page = await sql<{ id: number }[]>`select message_id as id from mentions
      where user_id = ${move.placeholder_id} order by message_id limit ${ROWS_MAX}`
    const ids = page.map(({ id }) => id)
    await sql`update messages m set ${replaceMentions(sql, move)} where m.id in (
      select id from messages where id = any(${ids}) order by id for update)`
    await sql`delete from mentions where user_id = ${move.placeholder_id} and message_id = any(${ids})`
    return indexMoved(sql, ids)
  },
  async (sql, { placeholder_id, user_id }) => {
    const page = await sql<{ message_id: number; emoji: string }[]>`
      select message_id, emoji from message_reactions where user_id = ${placeholder_id}
      order by message_id, emoji limit ${ROWS_MAX}`
    const [ids, emoji] = [page.map((row) => row.message_id), page.map((row) => row.emoji)]
    await sql`select count(*) from (select 1 from messages where id = any(${ids}) order by id for no key update) locked`
    const reactions = await sql<{ message_id: number; emoji: string; is_own: boolean }[]>`
      with gone as (
        delete from message_reactions r using unnest(${ids}::bigint[], ${emoji}::text[]) page (message_id, emoji)
        where r.user_id = ${placeholder_id} and r.message_id = page.message_id and r.emoji = page.emoji
        returning r.message_id, r.emoji, r.created_at
      ), own as (
        insert into message_reactions (message_id, emoji, user_id, created_at)
        select message_id, emoji, ${user_id}::bigint, created_at from gone
        on conflict do nothing returning message_id, emoji
      )
      select gone.message_id, gone.emoji, own.message_id is not null as is_own
      from gone left join own using (message_id, emoji)`
    // If the account had reacted itself, the two reactions count as one.
    for (const { message_id, emoji: twice } of reactions.filter(({ is_own }) => !is_own))
      await sql`update reaction_counts set count = count - 1 where message_id = ${message_id} and emoji = ${twice}`
    return page.length
  },
  async (sql, { placeholder_id, user_id }) => {
    const result = await sql`update channels set owner_id = ${user_id} where id in (
      select id from channels where owner_id = ${placeholder_id} and type = 'thread' order by id limit ${ROWS_MAX})`
    return result.count
  },
]

/** Gives the person what channels deny the placeholder. A claim grants no permission, so allowed bits end. */
async function moveOverwrites(
  sql: Transaction,
  notify: Notify,
  { server_id }: { server_id: number },
  { placeholder_id, user_id }: Move,
): Promise<void> {
  const [row] = await sql`select 1 from member_overwrites where user_id = ${placeholder_id} limit 1`
  if (!row) return
  await lockServer(sql, server_id)
  await sql`select change_access(${server_id})`
  await sql`insert into member_overwrites (server_id, channel_id, user_id, allow, deny)
    select server_id, channel_id, ${user_id}, 0, deny from member_overwrites
    where user_id = ${placeholder_id} and deny <> 0 on conflict do nothing`
  await sql`delete from member_overwrites where user_id = ${placeholder_id}`
  await endAccessChange(sql, notify, server_id)
}

/** Ends a claim: the placeholder account is deleted. */
async function finish(sql: Transaction, emit: Emit, notify: Notify, { placeholder_id, user_id }: Move): Promise<void> {
  const [origin] = await sql<{ server_id: number }[]>`
    select i.server_id from import_parts p join imports i on i.id = p.import_id
    where p.kind = 'author' and p.target_id = ${placeholder_id}`
  await sql`delete from author_claims where placeholder_id = ${placeholder_id}`
  if (origin) await moveOverwrites(sql, notify, origin, { placeholder_id, user_id })
  await moveInReports(sql, placeholder_id, user_id)
  await deleteAccount(sql, emit, notify, placeholder_id)
  // The cached newest messages name their authors, who have changed.
  if (origin) await emitServer(sql, emit, origin.server_id)
}

/** Gives people what imported authors wrote, batch by batch. */
export class AuthorshipMoves extends BatchJob {
  constructor(parts: Pick<Parts, 'sql' | 'write' | 'log'>) {
    super(parts, {
      name: 'authorship',
      periodMs: PERIOD_MS,
      batchesMax: Infinity,
      due: (sql) => sql`select from author_claims where claimed_at <= now()`,
      batch: moveBatch,
    })
  }
}

const moveBatch: Batch = async (sql, emit, notify) => {
  // A random one: a claim that fails must not block the others.
  const [next] = await sql<Move[]>`
    select placeholder_id, user_id from author_claims where claimed_at <= now() order by random() limit 1`
  if (!next) return false
  // Accounts are locked before messages and files; a deletion of either ends the claim.
  await sql`select count(*) from (select 1 from users where id in (${next.placeholder_id}, ${next.user_id})
    order by id for no key update) locked`
  const [claim] = await sql`select 1 from author_claims where placeholder_id = ${next.placeholder_id}`
  if (!claim) return true
  for (const step of steps) if ((await step(sql, next)) > 0) return true
  await finish(sql, emit, notify, next)
  return true
}
