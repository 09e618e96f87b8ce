import type { Handlers } from '../../core/events.ts'
import { found, Problem } from '../../core/errors.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Sql } from '../../database/database.ts'
import type { Parts } from '../../parts.ts'
import type { VoiceClient } from '../seat.ts'
import { readDeviceLogs } from './device-logs.ts'
import { DEVICE_CHANGES_KEPT, type deviceKeyCommands, DEVICES_ADDED_PER_DAY_MAX, DEVICES_MAX } from './model.ts'

const RETRY_S = 3_600

/** A device has one key until it logs out. */
const NEW_KEYS: BucketPolicy = { name: 'device-keys', burst: 20, refillPerS: 0.1 }
/** Each may read the devices of 64 accounts. A client that was away for long reads some 70 times at once. */
const READS: BucketPolicy = { name: 'device-logs', burst: 200, refillPerS: 2 }

const logDevices = (tx: Sql, userId: number) => tx`select log_devices(${[userId]}::bigint[], ${DEVICE_CHANGES_KEPT})`

async function countRead({ limits }: Pick<Parts, 'limits'>, userId: number): Promise<void> {
  if (await limits.count(READS, `user:${userId}`)) return
  throw new Problem('rate_limited', 'Too many reads of devices', { retry_after: 1 })
}

/** Commands on the keys by which devices confirm their part in encrypted calls. The server only lists the keys. */
export const deviceKeys = (parts: Parts): Handlers<typeof deviceKeyCommands, VoiceClient> => ({
  'voice.device_key': async ({ session_id, user_id }, { key }) => {
    // Clients register after every connection, nearly always the same key.
    const [same] = await parts.sql`
      select 1 from sessions where id = ${session_id} and device_key = decode(${key}, 'hex')`
    if (same) return {}
    if (!(await parts.limits.count(NEW_KEYS, `user:${user_id}`)))
      throw new Problem('rate_limited', 'Too many new keys', { retry_after: 10 })
    await parts.write(async (tx) => {
      // The log's lock comes first. Whoever reads the log waits for it too, and locks no session.
      await tx`insert into device_logs (user_id) values (${user_id}) on conflict do nothing`
      await logDevices(tx, user_id)
      const [log] = await tx<{ added: number; devices: number; is_listed: boolean }[]>`
        select decode(${key}, 'hex') = any(l.keys) as is_listed, cardinality(l.keys) as devices,
          (select count(*)::int from device_log_entries e where e.user_id = l.user_id and e.is_added
            and e.created_at > now() - interval '1 day') as added
        from device_logs l where l.user_id = ${user_id}`
      if (log && !log.is_listed && log.added >= DEVICES_ADDED_PER_DAY_MAX)
        throw new Problem('rate_limited', 'Too many new devices', { retry_after: RETRY_S })
      if (log && !log.is_listed && log.devices >= DEVICES_MAX)
        throw new Problem('rate_limited', 'Too many devices; log out on some of them', { retry_after: RETRY_S })
      const [row] = await tx`
        update sessions set device_key = decode(${key}, 'hex') where id = ${session_id} returning 1`
      // The session may have ended meanwhile.
      found(row)
      await logDevices(tx, user_id)
    })
    return {}
  },
  'voice.device_keys': async ({ user_id }, { user_ids }) => {
    await countRead(parts, user_id)
    const accounts = await parts.sql<{ user_id: number; keys: string[] }[]>`
      select asked.id as user_id, array(select distinct encode(s.device_key, 'hex') as key from sessions s
        where s.user_id = asked.id and s.device_key is not null and s.expires_at > now() order by key) as keys
      from (select distinct unnest(${user_ids}::bigint[]) as id) asked
      where shares_place(${user_id}, asked.id) order by asked.id`
    return { accounts }
  },
  'voice.device_logs': async ({ user_id }, { accounts }) => {
    await countRead(parts, user_id)
    return readDeviceLogs(parts, user_id, accounts)
  },
})
