import { createHash } from 'node:crypto'
import { errorFields } from '../../core/log.ts'
import { found } from '../../core/errors.ts'
import type { Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import type { Parts } from '../../parts.ts'
import { lockServer } from '../access/guard.ts'
import { emitUpdated, selectLocations } from '../access/place.ts'
import { audit } from '../audit/record.ts'
import type { Action, Rule } from '../automod/model.ts'
import { recordBreach } from '../cases/record.ts'
import type { Breach } from '../automod/automod.ts'
import { isForFew } from '../automod/rules.ts'
import { sendNotice } from '../messages/notice.ts'
import { announceBreach } from './automod-news.ts'
import { announceMember } from './membership.ts'
import type { StatusOf } from '../status/model.ts'
import { quarantine } from './quarantine.ts'

/** Texts that a row of hits keeps, and their UTF-16 units together; further ones are counted. */
const TEXTS_MAX = 10
const TEXT_UNITS_MAX = 4000
/** Rows of one account in a server. Beyond them its texts are blocked, but not kept. */
const HITS_A_DAY_MAX = 200
/** Hits of one rule and person within this time share a row and an alert. */
const SHARED_SECONDS = 60

type Of<T extends Action['type']> = Extract<Action, { type: T }>
const actionOf = <T extends Action['type']>({ actions }: Rule, type: T): Of<T> | undefined =>
  actions.find((action): action is Of<T> => action.type === type)

/**
 * Does what the broken rules say besides blocking, and notifies bots. Errors are logged: a text is blocked whether or
 * not this works.
 */
export const openAutomodActs =
  (parts: Pick<Parts, 'sql' | 'bus' | 'write' | 'log'>, statusOf: StatusOf) =>
  async (breach: Breach): Promise<void> => {
    const note = (error: unknown) => parts.log('warn', 'automod.act', errorFields(error))
    const alertIds = await act(parts, breach, statusOf).catch(note)
    await announceBreach(parts, breach, alertIds ?? new Map()).catch(note)
  }

/**
 * Keeps the text for moderators, alerts them, times out, quarantines.
 * @returns the messages that alert moderators, by rule
 */
async function act(
  { write }: Pick<Parts, 'write'>,
  breach: Breach,
  statusOf: StatusOf,
): Promise<ReadonlyMap<number, number>> {
  const rules = breach.rules.filter(({ actions }) => actions.some(({ type }) => type !== 'block'))
  const alertIds = new Map<number, number>()
  if (rules.length === 0) return alertIds
  await write(async (sql, emit, notify) => {
    const { server_id, user_id } = breach
    await lockServer(sql, server_id)
    const isLimiting = rules.some((rule) => actionOf(rule, 'timeout') ?? actionOf(rule, 'quarantine'))
    const limits = isLimiting && (await canBeLimited(sql, breach)) ? rules : []
    if (limits.length > 0) await sql`select change_access(${server_id})`
    for (const rule of rules) {
      const alertId = await noteHit(sql, emit, breach, rule)
      if (alertId !== null) alertIds.set(rule.id, alertId)
      await recordBreach(sql, breach, rule.name)
    }
    let isChanged = false
    for (const rule of limits) isChanged = (await limit(sql, breach, rule)) || isChanged
    if (!isChanged) return
    await announceMember(sql, emit, { server_id, user_id }, statusOf(user_id))
    notify({ kind: 'access_changed', user_ids: [user_id] })
  })
  return alertIds
}

/** Identifies a request by its nonce and texts; null without a nonce. */
const hashOf = ({ nonce, texts }: Breach): string | null =>
  nonce === null
    ? null
    : createHash('sha256')
        .update(JSON.stringify([nonce, texts]))
        .digest('base64url')

/** The first texts, cut to TEXT_UNITS_MAX together. */
function shortened(texts: string[]): string[] {
  let remaining = TEXT_UNITS_MAX
  return texts.slice(0, TEXTS_MAX).flatMap((text) => {
    const part = text.slice(0, remaining).toWellFormed()
    remaining -= part.length
    return part === '' ? [] : [part]
  })
}

interface EarlierHit {
  id: number
  channel_id: number | null
  texts: string[]
  last_hash: string | null
  alert_id: number | null
}

/**
 * Keeps the text for moderators, and alerts them or changes the number in their alert.
 * @returns the alert; null if there is none
 */
async function noteHit(sql: Transaction, emit: Emit, breach: Breach, rule: Rule): Promise<number | null> {
  const { server_id, user_id, channel_id, texts } = breach
  const last_hash = hashOf(breach)
  const earlierHits = await sql<EarlierHit[]>`
    select id, channel_id, texts, last_hash, alert_id from automod_hits
    where user_id = ${user_id} and rule_id = ${rule.id}
      and created_at > now() - ${SHARED_SECONDS} * interval '1 second' order by id desc`
  const alert_id = earlierHits.find((hit) => hit.alert_id !== null)?.alert_id ?? null
  if (last_hash !== null && earlierHits.some((hit) => hit.last_hash === last_hash)) return alert_id
  const earlier = earlierHits.find((hit) => hit.channel_id === channel_id)
  if (earlier) {
    const allTexts = sql.json(shortened([...earlier.texts, ...texts]))
    await sql`update automod_hits set count = count + 1, last_hash = ${last_hash}, updated_at = now(),
      texts = ${allTexts} where id = ${earlier.id}`
  } else {
    const hit = { server_id, rule_id: rule.id, rule_name: rule.name, user_id, channel_id, last_hash, alert_id }
    const id = await insertHit(sql, { ...hit, texts: sql.json(shortened(texts)) })
    if (id === undefined) return null
    if (alert_id === null) return alertOf(sql, emit, breach, rule, id)
  }
  if (alert_id !== null) await recount(sql, emit, alert_id)
  return alert_id
}

/** @returns the id; undefined if the channel is gone, or the account has broken too many rules today */
async function insertHit(
  sql: Transaction,
  hit: Record<string, unknown> & Pick<Breach, 'server_id' | 'user_id' | 'channel_id'>,
): Promise<number | undefined> {
  const { server_id, user_id, channel_id } = hit
  const [today] = await sql<{ is_free: boolean }[]>`
    select count(*) < ${HITS_A_DAY_MAX} as is_free from automod_hits
    where user_id = ${user_id} and server_id = ${server_id} and created_at > now() - interval '1 day'`
  if (!today?.is_free) return undefined
  if (channel_id !== null) {
    const [channel] = await sql`select 1 from channels where id = ${channel_id} for key share`
    if (!channel) return undefined
  }
  const [row] = await sql<{ id: number }[]>`insert into automod_hits ${sql(hit)} returning id`
  return row?.id
}

/** Alerts moderators, if the rule says so. @returns the alert */
async function alertOf(
  sql: Transaction,
  emit: Emit,
  breach: Breach,
  rule: Rule,
  hit_id: number,
): Promise<number | null> {
  const { server_id, user_id, channel_id } = breach
  const alert = actionOf(rule, 'alert')
  if (!alert || !(await isForFew(sql, server_id, alert.channel_id))) return null
  await sql`select share_channel(c) from channels c where c.id = ${alert.channel_id}`
  const place = channel_id === null ? {} : { place_id: channel_id }
  const data = { rule_id: rule.id, name: rule.name, hit_id, count: 1, ...place }
  const alertId = await sendNotice(sql, emit, alert.channel_id, user_id, 'automod_alert', data)
  await sql`update automod_hits set alert_id = ${alertId} where id = ${hit_id}`
  return alertId
}

/** Writes the number of an alert's hits into it. */
async function recount(sql: Transaction, emit: Emit, alertId: number): Promise<void> {
  await sql`update messages set data = (data::jsonb || jsonb_build_object('count',
    (select sum(count) from automod_hits where alert_id = ${alertId})))::json where id = ${alertId}`
  const [place] = await selectLocations(sql, sql`m.id = ${alertId}`)
  if (place) await emitUpdated(sql, emit, alertId, place)
}

/** False for the owner, administrators, webhooks, and who is no member. */
async function canBeLimited(sql: Transaction, { server_id, user_id }: Breach): Promise<boolean> {
  const [target] = await sql<{ can_be_limited: boolean }[]>`
    select u.kind <> 'webhook' and not mp.is_owner and not holds(mp.base, 'administrator') as can_be_limited
    from member_permissions mp join users u on u.id = mp.user_id
    where mp.server_id = ${server_id} and mp.user_id = ${user_id}`
  return target?.can_be_limited === true
}

/** Times out and quarantines as the rule says. @returns true if the member has changed */
async function limit(sql: Transaction, { server_id, user_id }: Breach, rule: Rule): Promise<boolean> {
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
