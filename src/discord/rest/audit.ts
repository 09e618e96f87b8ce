import type { AuditEntry } from '../../features/audit/model.ts'
import { ACTIONS, auditId, entryOf } from '../shapes/audit.ts'
import { userOf } from '../shapes/users.ts'
import { numberIn } from './bodies.ts'
import type { Call, Reply } from './call.ts'
import { route } from './router.ts'

const PAGE_MAX = 100

async function list(call: Call): Promise<Reply> {
  const id = await call.id('server', 'guild')
  const limit = Math.max(1, numberIn(call.query, 'limit', PAGE_MAX) ?? 50)
  const type = numberIn(call.query, 'action_type', 1000)
  const user = call.query.get('user_id')
  const filter = user ? `&user_id=${await call.find('user', user)}` : ''
  // Entries have no Discord id that is looked up: the page before one begins at its time.
  const before = call.query.get('before')
  const entries = await call.own<AuditEntry[]>('GET', `/api/servers/${id}/audit-log?limit=${PAGE_MAX}${filter}`)
  const fitting = entries
    .filter(({ action }) => ACTIONS[action] !== undefined && (type === undefined || ACTIONS[action] === type))
    .filter((entry) => before === null || !/^\d{15,19}$/.test(before) || BigInt(auditId(entry)) < BigInt(before))
    .slice(0, limit)
  return call.resolve((of) => ({
    audit_log_entries: fitting.map((entry) => entryOf(of, entry)),
    users: [...new Map(fitting.map(({ actor }) => [actor.id, actor])).values()].map((actor) => userOf(of, actor)),
    webhooks: [],
    integrations: [],
    threads: [],
    application_commands: [],
    auto_moderation_rules: [],
    guild_scheduled_events: [],
  }))
}

export const auditRoutes = [route('GET', '/guilds/:guild/audit-logs', 'server', list)]
