import { topic } from '../../core/events.ts'
import { found } from '../../core/errors.ts'
import { columns, type Sql, type Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { Server } from '../access/model.ts'
import { audit } from '../audit/record.ts'
import type { ServerRules } from './model.ts'

/** The rules of a server, also where it has none. */
export async function selectRules(sql: Sql, serverId: number): Promise<ServerRules> {
  const [rules] = await sql<ServerRules[]>`
    select s.id as server_id, coalesce(r.content, '') as content, s.rules_version as version, r.updated_at
    from servers s left join server_rules r on r.server_id = s.id where s.id = ${serverId}`
  return found(rules)
}

/** Gives the locked server new rules. The same text keeps its version. */
export async function changeRules(
  sql: Transaction,
  emit: Emit,
  { id }: Server,
  actor_id: number,
  content: string,
): Promise<ServerRules> {
  const before = await selectRules(sql, id)
  if (before.content === content) return before
  const [next] = await sql<{ version: number }[]>`
    insert into server_rules (server_id, content, version) values (${id}, ${content}, 1)
    on conflict (server_id) do update set content = excluded.content, version = server_rules.version + 1,
      updated_at = now()
    returning version`
  const version = content === '' ? null : found(next, 'internal').version
  const [server] = await sql<Server[]>`update servers set rules_version = ${version}, updated_at = now()
    where id = ${id} returning ${columns(sql, Server)}`
  emit(topic.server(id), 'server.updated', found(server))
  const entry = { server_id: id, actor_id, action: 'rules.updated' as const }
  await audit(sql, entry, ['server', id], { rules: before.content }, { rules: content })
  return selectRules(sql, id)
}
