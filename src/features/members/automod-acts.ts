import { errorFields } from '../../core/log.ts'
import { found } from '../../core/errors.ts'
import type { Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import type { Parts } from '../../parts.ts'
import { lockServer } from '../access/guard.ts'
import { emitUpdated, selectLocations } from '../access/place.ts'
import { audit } from '../audit/record.ts'
import type { Action, Rule } from '../automod/model.ts'
import type { Breach } from '../automod/automod.ts'
import { isForFew } from '../automod/rules.ts'
import { sendNotice } from '../messages/notice.ts'
import { announceMember } from './membership.ts'
import type { StatusOf } from './model.ts'
import { quarantine } from './quarantine.ts'

/** Texts that a row of hits keeps; further ones are counted. */
const TEXTS_MAX = 10
/** Hits of one rule and person within this time share a row and an alert. */
const SHARED_SECONDS = 60

type Of<T extends Action['type']> = Extract<Action, { type: T }>
const actionOf = <T extends Action['type']>({ actions }: Rule, type: T): Of<T> | undefined =>
  actions.find((action): action is Of<T> => action.type === type)

/**
 * Does what the broken rules say besides blocking: keeps the text for moderators, alerts them, times out, quarantines.
 * Errors are logged: a text is blocked whether or not this works.
 */
export const openAutomodActs =
  (parts: Pick<Parts, 'write' | 'log'>, statusOf: StatusOf) =>
  async (breach: Breach): Promise<void> => {
    const rules = breach.rules.filter(({ actions }) => actions.some(({ type }) => type !== 'block'))
    if (rules.length === 0) return
    await parts
      .write(async (sql, emit, notify) => {
        const { server_id, user_id } = breach
        await lockServer(sql, server_id)
        const isLimiting = rules.some((rule) => actionOf(rule, 'timeout') ?? actionOf(rule, 'quarantine'))
        if (isLimiting) await sql`select change_access(${server_id})`
        for (const rule of rules) await noteHit(sql, emit, breach, rule)
        let isChanged = false
        for (const rule of rules) isChanged = (await limit(sql, breach, rule)) || isChanged
        if (!isChanged) return
        await announceMember(sql, emit, { server_id, user_id }, statusOf(user_id))
        notify({ kind: 'access_changed', user_ids: [user_id] })
      })
      .catch((error: unknown) => parts.log('warn', 'automod.act', errorFields(error)))
  }

/** Keeps the text for moderators, and alerts them or changes the number in their alert. */
async function noteHit(sql: Transaction, emit: Emit, breach: Breach, rule: Rule): Promise<void> {
  const { server_id, user_id, channel_id, texts, nonce } = breach
  const [earlier] = await sql<{ id: number; count: number; last_nonce: string | null; alert_id: number | null }[]>`
    select id, count, last_nonce, alert_id from automod_hits
    where user_id = ${user_id} and rule_id = ${rule.id} and channel_id is not distinct from ${channel_id}
      and created_at > now() - ${SHARED_SECONDS} * interval '1 second' order by id desc limit 1`
  if (earlier && nonce !== null && earlier.last_nonce === nonce) return
  if (earlier) {
    await sql`update automod_hits set count = count + 1, last_nonce = ${nonce}, updated_at = now(),
        texts = case when json_array_length(texts) < ${TEXTS_MAX} then (texts::jsonb || ${sql.json(texts)}::jsonb)::json
          else texts end
      where id = ${earlier.id}`
    if (earlier.alert_id !== null) await recount(sql, emit, earlier.alert_id, earlier.count + 1)
    return
  }
  const [hit] = await sql<{ id: number }[]>`insert into automod_hits ${sql({
    server_id,
    rule_id: rule.id,
    rule_name: rule.name,
    user_id,
    channel_id,
    texts: sql.json(texts),
    last_nonce: nonce,
  })} returning id`
  const alert = actionOf(rule, 'alert')
  const { id } = found(hit, 'internal')
  if (!alert || !(await isForFew(sql, server_id, alert.channel_id))) return
  await sql`select share_channel(c) from channels c where c.id = ${alert.channel_id}`
  const place = channel_id === null ? {} : { place_id: channel_id }
  const data = { rule_id: rule.id, name: rule.name, hit_id: id, count: 1, ...place }
  const alertId = await sendNotice(sql, emit, alert.channel_id, user_id, 'automod_alert', data)
  await sql`update automod_hits set alert_id = ${alertId} where id = ${id}`
}

async function recount(sql: Transaction, emit: Emit, alertId: number, count: number): Promise<void> {
  await sql`update messages set data = (data::jsonb || ${sql.json({ count })}::jsonb)::json where id = ${alertId}`
  const [place] = await selectLocations(sql, sql`m.id = ${alertId}`)
  if (place) await emitUpdated(sql, emit, alertId, place)
}

/** Times out and quarantines as the rule says. @returns true if the member has changed */
async function limit(sql: Transaction, { server_id, user_id }: Breach, rule: Rule): Promise<boolean> {
  const [target] = await sql<{ can_be_limited: boolean }[]>`
    select u.kind <> 'webhook' and not mp.is_owner and not holds(mp.base, 'administrator') as can_be_limited
    from member_permissions mp join users u on u.id = mp.user_id
    where mp.server_id = ${server_id} and mp.user_id = ${user_id}`
  if (!target?.can_be_limited) return false
  const entry = { server_id, actor_id: user_id }
  const timeout = actionOf(rule, 'timeout')
  if (timeout) {
    const [row] = await sql<{ until: string }[]>`insert into timeouts (server_id, user_id, until)
      values (${server_id}, ${user_id}, now() + ${timeout.seconds} * interval '1 second')
      on conflict (server_id, user_id) do update set until = greatest(timeouts.until, excluded.until) returning until`
    const now = { name: rule.name, timed_out_until: found(row, 'internal').until }
    await audit(sql, { ...entry, action: 'automod.timed_out' }, ['rule', rule.id], null, now)
  }
  const isQuarantined = actionOf(rule, 'quarantine') !== undefined && (await quarantine(sql, { server_id, user_id }))
  if (isQuarantined)
    await audit(sql, { ...entry, action: 'automod.quarantined' }, ['rule', rule.id], null, { name: rule.name })
  return timeout !== undefined || isQuarantined
}
