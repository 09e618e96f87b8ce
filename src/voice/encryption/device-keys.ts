import type { Handlers } from '../../core/events.ts'
import { found, Problem } from '../../core/errors.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import type { VoiceClient } from '../seat.ts'
import type { deviceKeyCommands } from './model.ts'

/** A device has one key until it logs out. */
const NEW_KEYS: BucketPolicy = { name: 'device-keys', burst: 20, refillPerS: 0.1 }

/** Commands on the keys by which devices confirm their part in encrypted calls. The server only lists the keys. */
export const deviceKeys = ({ sql, write, limits }: Parts): Handlers<typeof deviceKeyCommands, VoiceClient> => ({
  'voice.device_key': async ({ session_id, user_id }, { key }) => {
    // Clients register after every connection, nearly always the same key.
    const [same] = await sql`
      select 1 from sessions where id = ${session_id} and device_key = decode(${key}, 'hex')`
    if (same) return {}
    if (!(await limits.count(NEW_KEYS, `user:${user_id}`)))
      throw new Problem('rate_limited', 'Too many new keys', { retry_after: 10 })
    const [row] = await write(
      async (tx) => tx`update sessions set device_key = decode(${key}, 'hex') where id = ${session_id} returning 1`,
    )
    // The session may have ended meanwhile.
    found(row)
    return {}
  },
  'voice.device_keys': async ({ user_id }, { user_ids }) => ({
    accounts: await sql<{ user_id: number; keys: string[] }[]>`
      select asked.id as user_id, array(select distinct encode(s.device_key, 'hex') as key from sessions s
        where s.user_id = asked.id and s.device_key is not null and s.expires_at > now() order by key) as keys
      from (select distinct unnest(${user_ids}::bigint[]) as id) asked
      where shares_place(${user_id}, asked.id) order by asked.id`,
  }),
})
