import type { Transaction } from '../../database/database.ts'
import type { Emit, Notify } from '../../events/write.ts'
import { topic } from '../../core/events.ts'
import { found, Problem } from '../../core/errors.ts'
import type { PublicUser } from '../../core/schema.ts'
import { partCallers } from '../calls/rings.ts'
import { acceptFriends } from '../messages/requests.ts'
import { forgetCaller } from '../status/callers.ts'
import type { Relation } from './model.ts'
import { act, type Action, mirrorTie, stateOf, type Tie } from './relation.ts'

/** Two accounts and their relation, from the side of `me`. */
interface Pair extends Tie {
  me: PublicUser
  other: PublicUser
  takes_request: boolean
}

async function lockedPair(sql: Transaction, me: number, other: number): Promise<Pair> {
  await sql`select lock_pair(${me}, ${other})`
  // Lock accounts, whose counts change, before the relation, in the same order as the deletion of an account.
  await sql`select 1 from users where id in (${me}, ${other}) order by id for no key update`
  const [pair] = await sql<Pair[]>`
    select public_user(m) as me, public_user(o) as other, takes_request(m.id, o.id) as takes_request,
      case when r.bond is null or r.bond = 'none' then 'none' when r.bond = 'friends' then 'friends'
        when (r.bond = 'asked_by_low') = (m.id < o.id) then 'asked_by_me' else 'asked_by_them' end as bond,
      (case when m.id < o.id then r.low_blocked_at else r.high_blocked_at end) is not null as blocked_by_me,
      (case when m.id < o.id then r.high_blocked_at else r.low_blocked_at end) is not null as blocked_by_them
    from users m join users o on o.id = ${other} and o.deleted_at is null
    left join relations r on r.low = least(m.id, o.id) and r.high = greatest(m.id, o.id)
    where m.id = ${me} and m.deleted_at is null`
  return found(pair)
}

/** The bond's value in the table, which is stored from the side of the lower id. */
const bondColumn = { none: 'none', asked_by_me: 'asked_by_low', asked_by_them: 'asked_by_high', friends: 'friends' }

/** Saves a relation; unchanged parts keep their timestamps. */
async function saveTie(sql: Transaction, me: number, other: number, tie: Tie): Promise<void> {
  const [low, high, { bond, ...blocks }] = me < other ? [me, other, tie] : [other, me, mirrorTie(tie)]
  const stands = bond !== 'none' || blocks.blocked_by_me || blocks.blocked_by_them
  if (!stands) await sql`delete from relations where low = ${low} and high = ${high}`
  else
    await sql`
      insert into relations as r (low, high, bond, low_blocked_at, high_blocked_at)
      values (${low}, ${high}, ${bondColumn[bond]},
        case when ${blocks.blocked_by_me} then clock_timestamp() end,
        case when ${blocks.blocked_by_them} then clock_timestamp() end)
      on conflict (low, high) do update set bond = excluded.bond,
        bond_since = case when r.bond = excluded.bond then r.bond_since else excluded.bond_since end,
        low_blocked_at = case when excluded.low_blocked_at is not null
          then coalesce(r.low_blocked_at, excluded.low_blocked_at) end,
        high_blocked_at = case when excluded.high_blocked_at is not null
          then coalesce(r.high_blocked_at, excluded.high_blocked_at) end`
}

async function viewOf(sql: Transaction, userId: number, user: PublicUser, tie: Tie): Promise<Relation> {
  const [row] = await sql<{ since: string }[]>`
    select since from relations_of where user_id = ${userId} and other_id = ${user.id}`
  const state = stateOf(tie)
  return { user, state, since: state === 'none' ? null : found(row).since }
}

/**
 * Applies an action to the relation of two accounts, and publishes it to each account that sees a change.
 * @returns the relation as `me` sees it now, and its state before
 * @throws Problem a refusal of relation.ts, `cannot_target_self`, `not_found`, `too_many_friends`, `too_many_blocks`
 */
export async function move(sql: Transaction, emit: Emit, notify: Notify, me: number, other: number, action: Action) {
  if (me === other) throw new Problem('cannot_target_self')
  const pair = await lockedPair(sql, me, other)
  const next = act(pair, action, pair.takes_request)
  if (typeof next === 'string') throw new Problem(next)
  await saveTie(sql, me, other, next)
  if (pair.bond === 'friends' && next.bond !== 'friends') await forgetCaller(sql, me, other)
  if (pair.bond !== 'friends' && next.bond === 'friends') await acceptFriends(sql, emit, me, other)
  if (next.blocked_by_me && !pair.blocked_by_me) await partCallers(sql, emit, notify, me, other)
  const relation = await viewOf(sql, me, pair.other, next)
  const before = stateOf(pair)
  if (relation.state !== before) emit(topic.user(me), 'friend.updated', { user_id: other, relation })
  const otherTie = mirrorTie(next)
  if (stateOf(otherTie) !== stateOf(mirrorTie(pair)))
    emit(topic.user(other), 'friend.updated', { user_id: me, relation: await viewOf(sql, other, pair.me, otherTie) })
  return { relation, before }
}
