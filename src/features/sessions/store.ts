import type { Caller } from '../../http/caller.ts'
import type { Transaction } from '../../database/database.ts'
import { errorFields } from '../../core/log.ts'
import type { Parts } from '../../parts.ts'
import type { Notify } from '../../events/write.ts'
import { Problem } from '../../core/errors.ts'
import { addressKey } from './identity.ts'
import { PREVIOUS_TOKEN_SECONDS, SESSION_DAYS, SESSIONS_PER_USER_MAX } from './model.ts'
import { openTokens } from './token.ts'

const CACHE_MAX = 100_000
const USER_AGENT_LENGTH_MAX = 256
const LAST_USED_GRAIN_MS = 60_000

export interface SessionRow {
  id: number
  user_id: number
  ver: number
  refreshed_at: string
  last_used_at: string
  expires_at: string
}

/** Who is asking, and by which session. */
export interface Me {
  id: number
  session_id: number
  /** When the presented token expires, in seconds since the epoch. */
  token_expires_s: number
}

/** The sessions of one node: a cache in front of the table, which every revocation reaches first. */
export function openSessions({ sql, write, bus, secrets, log }: Parts) {
  const tokens = openTokens(secrets.jwt)
  const cache = new Map<number, SessionRow>()
  // Counts revocations: what was read from the table before one of them is not put into the cache after it.
  let revocations = 0
  // Whether what other processes revoke reaches this node.
  let inTouch = true
  bus.onNotice((notice) => {
    if (notice.kind === 'disconnected' || notice.kind === 'connected') {
      inTouch = notice.kind === 'connected'
      revocations++
      cache.clear()
    }
    if (notice.kind !== 'sessions_revoked' && notice.kind !== 'sessions_refreshed') return
    revocations++
    for (const id of notice.session_ids) cache.delete(id)
  })

  async function load(id: number): Promise<SessionRow | undefined> {
    const cached = cache.get(id)
    if (cached) return cached
    const before = revocations
    const [row] = await sql<SessionRow[]>`
      select id, user_id, ver, refreshed_at, last_used_at, expires_at from sessions where id = ${id}`
    if (row && inTouch && before === revocations) {
      cache.set(id, row)
      if (cache.size > CACHE_MAX) cache.delete(cache.keys().next().value ?? id)
    }
    return row
  }

  function touch(session: SessionRow): void {
    if (Date.now() - Date.parse(session.last_used_at) < LAST_USED_GRAIN_MS) return
    session.last_used_at = new Date().toISOString()
    sql`update sessions set last_used_at = now() where id = ${session.id}`.catch((error: unknown) =>
      log('warn', 'session.touch', errorFields(error)),
    )
  }

  /** Ends sessions in a transaction of its own. */
  const revoke = (user_id: number, which: { only?: number } = {}): Promise<number> =>
    write((tx, _emit, notify) => endSessions(tx, notify, user_id, which))

  /**
   * Who the token speaks for.
   * @throws Problem `unauthorized`, `token_expired`, `token_revoked`
   */
  async function authenticate(token: string): Promise<Me & { ver: number }> {
    const claims = tokens.read(token)
    if (!claims) throw new Problem('unauthorized')
    if (claims.exp * 1000 <= Date.now()) throw new Problem('token_expired')
    const session = await load(claims.sid)
    if (!session || session.user_id !== claims.sub || claims.ver > session.ver) throw new Problem('token_revoked')
    if (claims.ver < session.ver && !isPrevious(claims.ver, session)) {
      // A token from before the last refresh, long after it: somebody else holds it too.
      await revoke(session.user_id, { only: session.id })
      throw new Problem('token_revoked')
    }
    touch(session)
    return { id: session.user_id, session_id: session.id, token_expires_s: claims.exp, ver: claims.ver }
  }

  /**
   * Opens a session inside the transaction at hand; the account's oldest one goes when there are too many.
   * @throws Problem `account_suspended`
   */
  async function create(tx: Transaction, notify: Notify, user_id: number, caller: Caller, user_agent: string | null) {
    const [account] = await tx<{ suspended: boolean }[]>`
      select suspended_at is not null as suspended from users where id = ${user_id} for update`
    if (account?.suspended) throw new Problem('account_suspended')
    const gone = await tx<{ id: number }[]>`
      delete from sessions where id in (select id from sessions where user_id = ${user_id}
        order by id desc offset ${SESSIONS_PER_USER_MAX - 1}) returning id`
    if (gone.length > 0) notify({ kind: 'sessions_revoked', session_ids: gone.map((row) => row.id) })
    const [row] = await tx<SessionRow[]>`insert into sessions (user_id, expires_at, user_agent, ip)
      values (${user_id}, now() + ${SESSION_DAYS} * interval '1 day',
        ${user_agent?.slice(0, USER_AGENT_LENGTH_MAX) ?? null}, ${caller.ip})
      returning id, user_id, ver, refreshed_at, last_used_at, expires_at`
    await tx`insert into known_addresses (user_id, ip) values (${user_id}, ${addressKey(caller.ip)})
      on conflict (user_id, ip) do update set seen_at = now()`
    if (!row) throw new Error('insert returned no row')
    return tokens.sign(row)
  }

  /** A new token for the session, or the current one for a client that has just refreshed. */
  async function refresh(me: { session_id: number; ver: number }): Promise<string> {
    const row = await write(async (tx, _emit, notify) => {
      const [session] = await tx<SessionRow[]>`select * from sessions where id = ${me.session_id} for update`
      if (!session) throw new Problem('token_revoked')
      if (session.ver !== me.ver) return session
      const [next] = await tx<SessionRow[]>`update sessions
        set ver = ver + 1, refreshed_at = now(), expires_at = now() + ${SESSION_DAYS} * interval '1 day'
        where id = ${session.id} returning *`
      notify({ kind: 'sessions_refreshed', session_ids: [session.id] })
      return next ?? session
    })
    return tokens.sign(row)
  }

  return { authenticate, create, refresh, revoke }
}

export type Sessions = ReturnType<typeof openSessions>

/**
 * Ends sessions of an account inside the transaction at hand: one, all but one, or all. When the write resolves, no
 * node accepts them any more and their sockets are closed.
 * @returns how many there were
 */
export async function endSessions(
  tx: Transaction,
  notify: Notify,
  user_id: number,
  which: { only?: number; except?: number } = {},
): Promise<number> {
  const gone = await tx<{ id: number }[]>`delete from sessions where user_id = ${user_id}
    ${which.only === undefined ? tx`` : tx`and id = ${which.only}`}
    ${which.except === undefined ? tx`` : tx`and id <> ${which.except}`} returning id`
  if (gone.length > 0) notify({ kind: 'sessions_revoked', session_ids: gone.map((row) => row.id) })
  const [left] = await tx`select 1 from sessions where user_id = ${user_id} limit 1`
  if (!left) notify({ kind: 'user_gone', user_id })
  return gone.length
}

function isPrevious(ver: number, session: SessionRow): boolean {
  return ver === session.ver - 1 && Date.now() - Date.parse(session.refreshed_at) <= PREVIOUS_TOKEN_SECONDS * 1000
}
