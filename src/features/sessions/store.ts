import type { Caller } from '../../http/caller.ts'
import { isDatabaseFault, type Transaction } from '../../database/database.ts'
import { errorFields } from '../../core/log.ts'
import type { Parts } from '../../parts.ts'
import type { Emit, Notify } from '../../events/write.ts'
import { found, Problem } from '../../core/errors.ts'
import { GroupedCalls } from '../../core/grouped-calls.ts'
import { PREVIOUS_TOKEN_SECONDS, type Session, SESSION_DAYS, SESSIONS_PER_USER_MAX } from './model.ts'
import { noteLogin } from './new-login.ts'
import { openTokens, type Tokens } from './token.ts'

const CACHE_MAX = 100_000
/** Concurrent statements that read sessions, and sessions per statement; requests meanwhile wait for the next one. */
const READS_AT_ONCE = 1
const GROUP_MAX = 256
const USER_AGENT_LENGTH_MAX = 256
const LAST_USED_GRAIN_MS = 60_000
/** A bot's token lasts until it is replaced or the bot is deleted. */
const BOT_TOKEN_YEARS = 100

/** The session that a token names. */
interface SessionRow {
  id: number
  user_id: number
  ver: number
  expires_at: string
}

/** A cached session: only numbers, no texts, because there is one for everybody online. */
interface KnownSession extends Omit<SessionRow, 'expires_at'> {
  /** Milliseconds since the epoch, like used_ms. */
  refreshed_ms: number
  used_ms: number
  /** True until the account has confirmed its e-mail address. */
  unverified: boolean
  is_bot: boolean
  is_guest: boolean
}

/** The caller: an account and the session that it uses. */
export interface Me {
  id: number
  session_id: number
  /** When the presented token expires, in seconds since the epoch. */
  tokenExpiresS: number
}

/** A caller with the version of its token: each refresh of a session increments it. */
export type Authenticated = Me & {
  ver: number
  /** True until the e-mail address is confirmed; until then the account can read only itself. */
  unverified: boolean
  /** True for a bot, whose token has one permanent session. */
  is_bot: boolean
  /** True for a guest, whose token lasts as long as its account. */
  is_guest: boolean
}

/** The sessions table behind a cache of this node. A revocation on any node reaches the cache before it resolves. */
export class Sessions {
  private readonly parts: Pick<Parts, 'sql' | 'write' | 'log' | 'environment'>
  private readonly tokens: Tokens
  /** True if accounts with an unconfirmed e-mail address are restricted. */
  private readonly isProofDemanded: boolean
  private readonly cache = new Map<number, KnownSession>()
  /** Grouped, because after a restart all clients return at once. */
  private readonly reads = new GroupedCalls<number, KnownSession | undefined>(
    (ids) => this.read(ids),
    READS_AT_ONCE,
    GROUP_MAX,
    Infinity,
    isDatabaseFault,
  )
  private readonly touches = new GroupedCalls<number, void>(
    (ids) => this.writeUse(ids),
    1,
    GROUP_MAX,
    Infinity,
    isDatabaseFault,
  )
  /** Counts revocations: a row read before a revocation must not enter the cache after it. */
  private revocations = 0
  /** True while revocations of other processes reach this one; otherwise the cache stays empty. */
  private isConnected = true

  constructor(parts: Pick<Parts, 'sql' | 'write' | 'bus' | 'secrets' | 'log' | 'environment'>) {
    this.parts = parts
    this.tokens = openTokens(parts.secrets.jwt)
    this.isProofDemanded = parts.environment.EMAIL_VERIFICATION === 'required'
    parts.bus.onNotice((notice) => {
      if (notice.kind === 'disconnected' || notice.kind === 'connected') {
        this.isConnected = notice.kind === 'connected'
        this.revocations++
        this.cache.clear()
      }
      if (notice.kind !== 'sessions_revoked' && notice.kind !== 'sessions_refreshed') return
      this.revocations++
      for (const id of notice.session_ids) this.cache.delete(id)
    })
  }

  /**
   * Finds the account and session of a token.
   * @param keep false to not cache the token's claims, because a socket presents its token only once
   * @throws Problem `unauthorized`, `token_expired`, `token_revoked`
   */
  async authenticate(token: string, isKept = true): Promise<Authenticated> {
    const claims = this.tokens.read(token, isKept)
    if (!claims) throw new Problem('unauthorized')
    if (claims.exp * 1000 <= Date.now()) throw new Problem('token_expired')
    const session = await this.load(claims.sid)
    if (!session || session.user_id !== claims.sub || claims.ver > session.ver) throw new Problem('token_revoked')
    if (claims.ver < session.ver && !isPrevious(claims.ver, session)) {
      // A token older than the last refresh, used long after it: a second client has a copy.
      await this.revoke(session.user_id, { only: session.id })
      throw new Problem('token_revoked')
    }
    this.touch(session)
    const { id: session_id, user_id: id, unverified, is_bot, is_guest } = session
    return { id, session_id, tokenExpiresS: claims.exp, ver: claims.ver, unverified, is_bot, is_guest }
  }

  /**
   * Opens a session in the caller's transaction; a guest's ends with its account. An account with SESSIONS_PER_USER_MAX
   * sessions loses its oldest one.
   * @returns the session's token
   * @throws Problem `account_suspended`; `invalid_credentials` for a bot's or webhook's account
   */
  async create(
    tx: Transaction,
    emit: Emit,
    notify: Notify,
    user_id: number,
    caller: Caller,
    userAgent: string | null,
  ): Promise<string> {
    const [account] = await tx<{ suspended: boolean; is_person: boolean; guest_until: string | null }[]>`
      select suspended_at is not null as suspended, kind in ('person', 'guest') as is_person, guest_until from users
      where id = ${user_id} for update`
    if (account && !account.is_person) throw new Problem('invalid_credentials')
    if (account?.suspended) throw new Problem('account_suspended')
    const rows = await tx<{ id: number }[]>`
      delete from sessions where id in (select id from sessions where user_id = ${user_id}
        order by id desc offset ${SESSIONS_PER_USER_MAX - 1}) returning id`
    if (rows.length > 0) notify({ kind: 'sessions_revoked', session_ids: rows.map((row) => row.id) })
    const [row] = await tx<(SessionRow & Session)[]>`insert into sessions (user_id, expires_at, user_agent, ip)
      values (${user_id},
        coalesce(${account?.guest_until ?? null}::timestamptz, now() + ${SESSION_DAYS} * interval '1 day'),
        ${userAgent?.slice(0, USER_AGENT_LENGTH_MAX) ?? null}, ${caller.ip})
      returning id, user_id, ver, created_at, refreshed_at, last_used_at, expires_at, user_agent, ip`
    const session = found(row, 'internal')
    const { id, created_at, last_used_at, expires_at, ip } = session
    // `current` is false, because the notified sessions are all others.
    const isNew = { current: false, device_key: null }
    const newSession = { id, created_at, last_used_at, expires_at, user_agent: session.user_agent, ip, ...isNew }
    await noteLogin(tx, emit, this.parts.environment, user_id, newSession)
    return this.tokens.sign(session)
  }

  /**
   * Increments the session's version and signs its new token. A caller with an older version gets the current token,
   * because its request crossed another refresh.
   * @throws Problem `token_revoked`
   */
  async refresh(me: Pick<Authenticated, 'session_id' | 'ver'>): Promise<string> {
    const row = await this.parts.write(async (tx, _emit, notify) => {
      const [session] = await tx<SessionRow[]>`select * from sessions where id = ${me.session_id} for update`
      if (!session) throw new Problem('token_revoked')
      if (session.ver !== me.ver) return session
      const [next] = await tx<SessionRow[]>`update sessions
        set ver = ver + 1, refreshed_at = now(), expires_at = now() + ${SESSION_DAYS} * interval '1 day'
        where id = ${session.id} returning *`
      notify({ kind: 'sessions_refreshed', session_ids: [session.id] })
      return next ?? session
    })
    return this.tokens.sign(row)
  }

  /** Issues a bot's token in the caller's transaction, and revokes the previous one. @param ip of the request */
  async issueBotToken(tx: Transaction, notify: Notify, botId: number, ip: string): Promise<string> {
    await endSessions(tx, notify, botId)
    const [row] = await tx<SessionRow[]>`insert into sessions (user_id, expires_at, ip)
      values (${botId}, now() + ${BOT_TOKEN_YEARS} * interval '1 year', ${ip})
      returning id, user_id, ver, expires_at`
    return this.tokens.sign(found(row, 'internal'))
  }

  /** Ends sessions of an account in its own transaction; see endSessions. */
  revoke(user_id: number, scope: { only?: number } = {}): Promise<number> {
    return this.parts.write((tx, _emit, notify) => endSessions(tx, notify, user_id, scope))
  }

  private async load(id: number): Promise<KnownSession | undefined> {
    return this.cache.get(id) ?? this.reads.call(id)
  }

  private async read(ids: number[]): Promise<(KnownSession | undefined)[]> {
    const before = this.revocations
    // The number of ids is hidden from the planner, which would plan anew for each number.
    const rows = await this.parts.sql<KnownSession[]>`
      select s.id, s.user_id, s.ver, date_part('epoch', s.refreshed_at) * 1000 as refreshed_ms,
        date_part('epoch', s.last_used_at) * 1000 as used_ms,
        ${this.isProofDemanded} and u.verification_required and u.email_verified_at is null as unverified,
        u.kind = 'bot' as is_bot, u.kind = 'guest' as is_guest
      from unnest((select ${ids}::bigint[])) as asked (id)
      cross join lateral (select * from sessions where id = asked.id offset 0) s
      cross join lateral (select * from users where id = s.user_id offset 0) u`
    // A literal takes half the memory of the driver's row.
    const sessions = rows.map((row): KnownSession => {
      const { id, user_id, ver, refreshed_ms, used_ms, unverified, is_bot, is_guest } = row
      return { id, user_id, ver, refreshed_ms, used_ms, unverified, is_bot, is_guest }
    })
    if (this.isConnected && before === this.revocations) for (const session of sessions) this.keep(session)
    const sessionsById = new Map(sessions.map((session) => [session.id, session]))
    return ids.map((id) => sessionsById.get(id))
  }

  private keep(row: KnownSession): void {
    this.cache.set(row.id, row)
    if (this.cache.size > CACHE_MAX) this.cache.delete(this.cache.keys().next().value ?? row.id)
  }

  private async writeUse(ids: number[]): Promise<void[]> {
    // In order of id, so that two processes cannot deadlock.
    await this.parts.sql`update sessions set last_used_at = now()
      where id in (select id from sessions where id = any(${ids}) order by id for no key update)`
    return ids.map(() => {})
  }

  /** Records a use of the session, at most once in LAST_USED_GRAIN_MS. */
  private touch(session: KnownSession): void {
    if (Date.now() - session.used_ms < LAST_USED_GRAIN_MS) return
    session.used_ms = Date.now()
    this.touches.call(session.id).catch((error: unknown) => this.parts.log('warn', 'session.touch', errorFields(error)))
  }
}

/**
 * Ends sessions of an account in the caller's transaction: one, all but one, or all. When the write resolves, no
 * process accepts their tokens and their sockets are closed. The end of all holds the account's scheduled messages and
 * ends its calendar feeds: a thief of a session may have made them.
 * @returns how many sessions ended
 */
export async function endSessions(
  tx: Transaction,
  notify: Notify,
  user_id: number,
  scope: { only?: number; except?: number } = {},
): Promise<number> {
  const rows = await tx<{ id: number }[]>`delete from sessions where user_id = ${user_id}
    ${scope.only === undefined ? tx`` : tx`and id = ${scope.only}`}
    ${scope.except === undefined ? tx`` : tx`and id <> ${scope.except}`} returning id`
  if (scope.only === undefined && scope.except === undefined) {
    await tx`update scheduled_messages set state = 'held', version = version + 1
      where author_id = ${user_id} and state = 'waiting'`
    await tx`delete from calendar_feeds where user_id = ${user_id}`
  }
  if (rows.length > 0) notify({ kind: 'sessions_revoked', session_ids: rows.map((row) => row.id) })
  const [remaining] = await tx`select 1 from sessions where user_id = ${user_id} limit 1`
  if (!remaining) notify({ kind: 'user_gone', user_id })
  return rows.length
}

function isPrevious(ver: number, session: KnownSession): boolean {
  return ver === session.ver - 1 && Date.now() - session.refreshed_ms <= PREVIOUS_TOKEN_SECONDS * 1000
}
