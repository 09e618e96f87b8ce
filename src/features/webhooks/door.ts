import { timingSafeEqual } from 'node:crypto'
import { found, Problem } from '../../core/errors.ts'
import type { Sql } from '../../database/database.ts'
import type { Caller } from '../../http/caller.ts'
import type { WindowPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { addressKey } from '../sessions/address.ts'
import { admitAddress } from '../sessions/identity.ts'
import { hashOf } from './change.ts'

/** Posts, edits and deletions per webhook. */
export const POSTS: WindowPolicy = { name: 'webhook', max: 30, windowS: 60, likeDiscord: true }
/** Requests per address with a wrong URL. Each request counts until its URL turns out to be right. */
const WRONG: WindowPolicy = { name: 'webhook-urls', max: 60, windowS: 60 }
/** The form of every token: 32 bytes in base64url. */
const TOKEN = /^[\w-]{43}$/
const ID = /^\d{1,15}$/

/** A webhook that has presented its token. */
export interface Hook {
  id: number
  hash: Buffer
  name: string
  avatar_file_id: number | null
  channel_id: number
  server_id: number
  /** The account that owns the files it sends. */
  creator_id: number
  mentions_everyone: boolean
}

/**
 * A webhook, unless its creator is quarantined in the server, or its creator, or the owner of the bot that created it,
 * is suspended or deleted.
 */
const selectHook = (sql: Sql, id: number, lock: ReturnType<Sql>) => sql<Hook[]>`
  select w.id, t.hash, u.display_name as name, u.avatar_file_id, w.channel_id, c.server_id, w.creator_id,
    w.mentions_everyone
  from webhooks w join webhook_tokens t on t.webhook_id = w.id join users u on u.id = w.id
  join channels c on c.id = w.channel_id join servers s on s.id = c.server_id and s.owner_id is not null
  join users maker on maker.id = w.creator_id and maker.suspended_at is null
  left join applications a on a.id = maker.id left join users owner on owner.id = a.owner_id
  where w.id = ${id} and (a.id is null or owner.id is not null) and owner.suspended_at is null
    and not exists (
      select from members m join member_permissions mp on mp.server_id = m.server_id and mp.user_id = m.user_id
      where m.server_id = c.server_id and m.user_id = maker.id and m.held_back = 'quarantined'
        and not mp.is_owner and not holds(mp.base, 'administrator')) ${lock}`

/**
 * Authenticates a webhook by its token, before its body is read. Wrong URLs count by address; after too many, all
 * requests of the address are refused for a while.
 * @throws Problem `not_found`, `rate_limited`
 */
export async function admitHook(parts: Parts, caller: Caller, id: string, token: string): Promise<Hook> {
  await admitAddress(parts, caller)
  const address = addressKey(caller.ip)
  await parts.limits.take(caller, WRONG, address)
  const [hook] = ID.test(id) && TOKEN.test(token) ? await selectHook(parts.sql, Number(id), parts.sql``) : []
  const tokenHash = hashOf(token)
  if (!hook || !timingSafeEqual(tokenHash, hook.hash)) throw new Problem('not_found')
  await parts.limits.giveBack(WRONG, address)
  return hook
}

/**
 * Locks a webhook and its token until the commit.
 * @throws Problem `not_found` if it has been deleted, moved or renewed since it was admitted, or its creator has been
 * suspended or quarantined
 */
export async function holdHook(sql: Sql, { id, hash, channel_id }: Hook): Promise<Hook> {
  const [hook] = await selectHook(sql, id, sql`and t.hash = ${hash} and w.channel_id = ${channel_id} for share of w, t`)
  return found(hook)
}
