import { entriesWhere, SEARCHES } from '../../features/audit/read.ts'
import { demand, membership } from '../../features/access/guard.ts'
import { Problem } from '../../core/errors.ts'
import { accountOf, actionsOf, entryOf, OVERWRITE_CREATED, OVERWRITE_UPDATED } from '../shapes/audit.ts'
import { userById, userOf } from '../shapes/users.ts'
import { readSnowflake } from '../snowflake.ts'
import { numberIn } from './bodies.ts'
import type { Call, Reply } from './call.ts'
import { route } from './router.ts'

const PAGE_MAX = 100
const PAGE_DEFAULT = 50
/** Greater than the number of any action. */
const TYPE_MAX = 1000

/** The entries on one side of a snowflake, which names an entry or only a time. */
async function beyond(call: Call, side: 'before' | 'after', text: string) {
  const named = readSnowflake(text)
  if (!named) throw new Problem('bad_request', `${side} must be an id`)
  const { sql } = call.tools.parts
  const id = await call.tools.ids.find('audit', text)
  const sign = side === 'before' ? sql`<` : sql`>`
  const edge =
    id === undefined
      ? sql`and a.created_at ${sign} ${new Date(named.ms).toISOString()}::timestamptz`
      : sql`and a.id ${sign} ${id}`
  // Within an object, because a query runs once it is awaited.
  return { edge }
}

/** The audit log by pages and filters, for who may read it. */
async function list(call: Call): Promise<Reply> {
  const id = await call.id('server', 'guild')
  const { query } = call
  const { sql, limits } = call.tools.parts
  demand((await membership(sql, id, call.me.id)).permissions, 'view_audit_log')
  const limit = Math.max(1, numberIn(query, 'limit', PAGE_MAX) ?? PAGE_DEFAULT)
  const type = numberIn(query, 'action_type', TYPE_MAX)
  const [user, before, after] = ['user_id', 'before', 'after'].map((name) => query.get(name))
  // Also without a filter, entries that Discord lacks are searched through.
  await limits.take(call.caller, SEARCHES, `user:${call.me.id}`)
  // Libraries send 0 for the beginning.
  const isAscending = !before && after !== null
  const from = before
    ? await beyond(call, 'before', before)
    : after && after !== '0'
      ? await beyond(call, 'after', after)
      : undefined
  const isNew = sql`coalesce(a.changes -> 'allow' -> 'before' = 'null'::jsonb, false)`
  const ofOverwrite =
    type === OVERWRITE_CREATED ? sql`and ${isNew}` : type === OVERWRITE_UPDATED ? sql`and not ${isNew}` : sql``
  const ofActor = user ? sql`and a.actor_id = ${await call.find('user', user)}` : sql``
  const entries = await entriesWhere(
    sql,
    sql`a.server_id = ${id} and a.action = any(${actionsOf(type)}) ${ofActor} ${ofOverwrite} ${from?.edge ?? sql``}
      order by a.id ${isAscending ? sql`asc` : sql`desc`} limit ${limit}`,
  )
  return call.resolve((of) => ({
    audit_log_entries: entries.map((entry) => entryOf(of, entry)),
    users: [
      ...new Map([
        ...entries.flatMap((entry) => {
          const accountId = accountOf(entry)
          return accountId === undefined ? [] : [[accountId, userById(of, accountId)] as const]
        }),
        ...entries.map(({ actor }) => [actor.id, userOf(of, actor)] as const),
      ]).values(),
    ],
    webhooks: [],
    integrations: [],
    threads: [],
    application_commands: [],
    auto_moderation_rules: [],
    guild_scheduled_events: [],
  }))
}

export const auditRoutes = [route('GET', '/guilds/:guild/audit-logs', 'server', list)]
