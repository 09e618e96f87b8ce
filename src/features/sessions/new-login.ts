import { deviceOf } from '../../core/device.ts'
import { found } from '../../core/errors.ts'
import { topic } from '../../core/events.ts'
import type { Transaction } from '../../database/database.ts'
import type { Environment } from '../../environment.ts'
import type { Emit } from '../../events/write.ts'
import { tellAccount } from '../mail/outbox.ts'
import { addressKey } from './address.ts'
import type { Session } from './model.ts'

/** The device name for an unknown user agent. */
const UNKNOWN_DEVICE = 'an unknown device'

/** Earlier logins of an account: whether the device and address occurred, and whether it has just registered. */
type EarlierLogins = Record<'device' | 'any_device' | 'address' | 'any_address' | 'registers', boolean>

/**
 * Remembers the device and address of a login. If either is new, notifies the account: its other sessions by an event,
 * its owner by mail. Registering notifies nobody.
 */
export async function noteLogin(
  sql: Transaction,
  emit: Emit,
  environment: Pick<Environment, 'SMTP_URL'>,
  userId: number,
  session: Session,
): Promise<void> {
  const device = deviceOf(session.user_agent) ?? UNKNOWN_DEVICE
  const address = addressKey(session.ip)
  const [row] = await sql<EarlierLogins[]>`
    select exists (select from known_devices where user_id = ${userId} and device = ${device}) as device,
      exists (select from known_devices where user_id = ${userId}) as any_device,
      exists (select from known_addresses where user_id = ${userId} and ip = ${address}) as address,
      exists (select from known_addresses where user_id = ${userId}) as any_address,
      (select created_at > now() - interval '1 minute' from users where id = ${userId}) as registers`
  await sql`insert into known_addresses (user_id, ip) values (${userId}, ${address})
    on conflict (user_id, ip) do update set seen_at = now()`
  await sql`insert into known_devices (user_id, device) values (${userId}, ${device})
    on conflict (user_id, device) do update set seen_at = now()`
  // Older accounts may have no recorded devices: then only addresses count. If there are no addresses either, the login
  // is new.
  const earlier = found(row, 'internal')
  const isNothingNoted = !earlier.any_device && !earlier.any_address
  const isNew = (earlier.any_device && !earlier.device) || (earlier.any_address && !earlier.address)
  if (isNothingNoted ? earlier.registers : !isNew) return
  emit(topic.user(userId), 'session.created', session)
  await tellAccount(sql, environment, userId, 'new_login', { device, ip: session.ip })
}
