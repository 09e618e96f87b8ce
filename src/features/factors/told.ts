import { topic } from '../../core/events.ts'
import type { Transaction } from '../../database/database.ts'
import type { Environment } from '../../environment.ts'
import type { Emit } from '../../events/write.ts'
import { tellAccount } from '../mail/outbox.ts'
import type { WayInChange } from './model.ts'

/**
 * Notifies an account that a way into it was added or removed: its sessions by an event, its owner by mail.
 * @param by the account, and the session that made the change; no session if a login did
 */
export async function tellChange(
  sql: Transaction,
  emit: Emit,
  environment: Pick<Environment, 'SMTP_URL'>,
  { id, session_id = null }: { id: number; session_id?: number | null },
  change: WayInChange,
): Promise<void> {
  emit(topic.user(id), 'security.changed', { change, session_id, changed_at: new Date().toISOString() })
  await tellAccount(sql, environment, id, 'security_changed', { change })
}
