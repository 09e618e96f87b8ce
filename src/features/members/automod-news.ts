import { type Audience, ephemeralFrame } from '../../core/events.ts'
import type { PublicUser } from '../../core/schema.ts'
import type { Sql } from '../../database/database.ts'
import type { Parts } from '../../parts.ts'
import { botsIn, botsOf } from '../access/bots.ts'
import type { Breach } from '../automod/automod.ts'
import { EXECUTED_UNITS_MAX } from '../automod/model.ts'

/** The bots that hold manage_server, as far as they see where the text was written. */
async function listeners(sql: Sql, { server_id, channel_id }: Breach): Promise<Audience[]> {
  const managers = await botsOf(sql, server_id, 'manage_server')
  if (managers.length === 0 || channel_id === null) return managers
  const seers = new Set((await botsIn(sql, server_id, channel_id, 'view_channel')).map(({ topic }) => topic))
  return managers.filter(({ topic }) => seers.has(topic))
}

/**
 * Notifies bots that rules have acted on a text. The event is not logged, because a log would keep what was blocked.
 * @param alertIds the messages that alert moderators, by rule
 */
export async function announceBreach(
  { sql, bus }: Pick<Parts, 'sql' | 'bus'>,
  breach: Breach,
  alertIds: ReadonlyMap<number, number>,
): Promise<void> {
  const to = await listeners(sql, breach)
  if (to.length === 0) return
  const { user_id, channel_id, rules, finds, texts } = breach
  const [row] = await sql<{ user: PublicUser }[]>`select public_user(u) as user from users u where id = ${user_id}`
  if (!row) return
  const content = texts.join('\n').slice(0, EXECUTED_UNITS_MAX).toWellFormed()
  for (const rule of rules) {
    const [alert_id, found] = [alertIds.get(rule.id) ?? null, finds.get(rule.id) ?? null]
    const payload = { rule, user: row.user, channel_id, alert_id, content, found }
    for (const each of to) bus.publish(ephemeralFrame(each, 'automod.executed', payload))
  }
}
