import { isQuiet } from '../../core/quiet-hours.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import type { PushSettings } from './model.ts'

/** A push service keeps a notice this long for a device that is offline. */
const NOTICE_SECONDS = 24 * 3600
/** Queued notices in total. */
const WAITING_MAX = 100_000
/** Queued notices per device, and so per account times 20 devices; further places get none meanwhile. */
const WAITING_PER_DEVICE_MAX = 25
/**
 * Devices that must show something for every push message, or lose the permission, so notices are not withdrawn from
 * them.
 */
const ALWAYS_SHOWING = 'https://web.push.apple.com/%'

interface Place {
  user_id: number
  channel_id: number
}

const DEFAULTS: PushSettings = { hide_content: false, quiet_hours: null }

export async function settingsOf(sql: Sql, user_id: number): Promise<PushSettings> {
  const [row] = await sql<PushSettings[]>`
    select hide_content, quiet_hours from push_settings where user_id = ${user_id}`
  return row ?? DEFAULTS
}

/** True while an account gets no notices: in its quiet hours, and while it does not want to be disturbed. */
export async function isUndisturbed(sql: Sql, user_id: number): Promise<boolean> {
  const [row] = await sql<{ isDnd: boolean }[]>`
    select own_status = 'dnd' as "isDnd" from users where id = ${user_id} and own_status is not null`
  return row?.isDnd === true || isQuiet((await settingsOf(sql, user_id)).quiet_hours, Date.now())
}

/** Queues a notice of a message for the account's devices; it replaces a queued one of the same place. */
export const queueMessage = (sql: Transaction, { user_id, channel_id }: Place, messageId: number) =>
  queue(
    sql,
    { user_id, channel_id },
    sql`${channel_id}, 'message', false, ${messageId}, now() + ${NOTICE_SECONDS} * interval '1 second'`,
  )

interface Reminder extends Place {
  message_id: number
}

/** Queues a due reminder of a saved message for the account's devices, unless it is not to be disturbed. */
export async function queueReminder(sql: Transaction, { message_id, ...place }: Reminder): Promise<void> {
  if (await isUndisturbed(sql, place.user_id)) return
  await queue(
    sql,
    place,
    sql`${place.channel_id}, 'reminder', false, ${message_id}, now() + ${NOTICE_SECONDS} * interval '1 second'`,
    message_id,
  )
}

interface EventNotice {
  user_id: number
  event_id: number
  n: number
  starts_at: string
}

/**
 * Queues notices of dates of events for the devices of accounts, unless an account is not to be disturbed. A notice
 * expires when its date begins.
 */
export async function queueEventNotices(
  sql: Transaction,
  kind: 'event' | 'promoted',
  notices: EventNotice[],
): Promise<void> {
  const userIds = notices.map((notice) => notice.user_id)
  const owners = await sql<{ user_id: number }[]>`
    select distinct user_id from push_subscriptions where user_id = any(${userIds}::bigint[])`
  const reachable = new Set<number>()
  for (const { user_id } of owners) if (!(await isUndisturbed(sql, user_id))) reachable.add(user_id)
  for (const { user_id, event_id, n, starts_at } of notices.filter((one) => reachable.has(one.user_id)))
    await sql`
      insert into push_outbox (subscription_id, channel_id, kind, is_call, expires_at, event_id, event_n)
      select s.id, 0, ${kind}, false, ${starts_at}::timestamptz, ${event_id}, ${n} from push_subscriptions s
      where s.user_id = ${user_id}
        and ${hasSpace(sql, sql`own.event_id = ${event_id} and own.event_n = ${n}`)}
      on conflict on constraint one_notice_a_place do update set id = default, kind = excluded.kind,
        due_at = now(), expires_at = excluded.expires_at, attempts = 0`
}

/** Withdraws a reminder that has been dealt with from the account's devices. */
export const withdrawReminder = (sql: Transaction, { message_id, ...place }: Reminder): Promise<void> =>
  withdraw(sql, { ...place, is_call: false }, message_id)

/** Queues a ring for the account's devices, unless the account has muted the place or is not to be disturbed. */
export async function queueCalls(sql: Transaction, user_id: number, channel_id: number): Promise<void> {
  const [ring] = await sql<{ until: string }[]>`
    select r.until::text as until from call_rings r cross join muting_in(${user_id}, r.channel_id) setting
    where r.user_id = ${user_id} and r.channel_id = ${channel_id} and r.until > now()
      and not r.silent and not setting.muted and level_in(${user_id}, r.channel_id) <> 'nothing'`
  if (!ring || isQuiet((await settingsOf(sql, user_id)).quiet_hours, Date.now())) return
  await queue(
    sql,
    { user_id, channel_id },
    sql`${channel_id}, 'call', true, null::bigint, ${ring.until}::text::timestamptz`,
  )
}

const ofPlace = (sql: Sql, channel_id: number): ReturnType<Sql> => sql`own.channel_id = ${channel_id}`

/**
 * True if the device of a subscription `s` has space in the queue for a notice. A replacement always fits.
 * @param same a condition for the queued notices `own` that the notice replaces
 */
const hasSpace = (sql: Sql, same: ReturnType<Sql>) => sql`(
  (select count(*) from (select from push_outbox limit ${WAITING_MAX}) waiting) < ${WAITING_MAX}
    and (select count(*) from (select from push_outbox own where own.subscription_id = s.id
      limit ${WAITING_PER_DEVICE_MAX}) own) < ${WAITING_PER_DEVICE_MAX}
  or exists (select from push_outbox own where own.subscription_id = s.id and ${same}))`

/** @param remindId the saved message of a reminder */
async function queue(
  sql: Transaction,
  { user_id, channel_id }: Place,
  notice: ReturnType<Sql>,
  remindId = 0,
): Promise<void> {
  await sql`
    insert into push_outbox (subscription_id, channel_id, kind, is_call, message_id, expires_at, remind_id)
    select s.id, ${notice}, ${remindId} from push_subscriptions s
    where s.user_id = ${user_id} and ${hasSpace(sql, ofPlace(sql, channel_id))}
    on conflict on constraint one_notice_a_place do update set id = default, kind = excluded.kind,
      message_id = excluded.message_id, due_at = now(), expires_at = excluded.expires_at, attempts = 0`
}

/**
 * Withdraws the notices of a place from an account's devices; a queued one is not sent at all.
 * @param remindId the saved message whose reminder is withdrawn instead
 */
export async function withdraw(
  sql: Transaction,
  { user_id, channel_id, is_call }: Place & { is_call: boolean },
  remindId = 0,
): Promise<void> {
  const rows = await sql<{ subscription_id: number }[]>`
    delete from push_outbox o using push_subscriptions s
    where s.id = o.subscription_id and s.user_id = ${user_id} and o.channel_id = ${channel_id}
      and o.is_call = ${is_call} and o.remind_id = ${remindId} and o.attempts = 0 and o.kind <> 'over'
    returning o.subscription_id`
  const unsentIds = rows.map((row) => row.subscription_id)
  await sql`
    insert into push_outbox (subscription_id, channel_id, kind, is_call, expires_at, remind_id)
    select s.id, ${channel_id}, 'over', ${is_call}, now() + ${NOTICE_SECONDS} * interval '1 second', ${remindId}
    from push_subscriptions s
    where s.user_id = ${user_id} and s.id <> all (${unsentIds}::bigint[]) and s.endpoint not like ${ALWAYS_SHOWING}
      and ${hasSpace(sql, ofPlace(sql, channel_id))}
    on conflict on constraint one_notice_a_place do update set id = default, kind = 'over', message_id = null,
      due_at = now(), expires_at = excluded.expires_at, attempts = 0`
}
