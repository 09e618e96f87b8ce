import type { Sql } from '../database/database.ts'
import { Problem } from '../core/errors.ts'
import { holds } from '../core/permissions.ts'
import { demand, demandSight } from '../features/access/guard.ts'
import type { Admission } from './seat.ts'

/**
 * Permissions of each account in the voice channel, dm or group at the same index. Channels that the account cannot
 * see are left out.
 */
export async function admissions(sql: Sql, users: number[], channels: number[]): Promise<Admission[]> {
  const rows = await sql<Admission[]>`
    select public_user(u) as user, c.server_id, c.id as channel_id, c.restricted, c.type = 'stage' as is_stage,
      -- Nobody is heard in the channel for idle members.
      case when c.id = s.afk_channel_id then cp.permissions & ~permission_bit('speak') else cp.permissions end
        as permissions,
      m.voice_muted as server_mute, m.voice_deafened as server_deaf, m.camera_stopped, c.user_limit,
      -- Listeners of a stage are idle by nature.
      case when c.type <> 'stage' then s.afk_channel_id end as afk_channel_id, s.afk_minutes, s.calls_encryption,
      '{}'::bigint[] as participant_ids, false as among_strangers
    from unnest(${users}::bigint[], ${channels}::bigint[]) as wanted (user_id, channel_id)
    join channels c on c.id = wanted.channel_id and c.type in ('voice', 'stage')
    join channel_permissions cp on cp.channel_id = c.id and cp.user_id = wanted.user_id
    join members m on m.server_id = c.server_id and m.user_id = wanted.user_id
    join servers s on s.id = c.server_id
    join users u on u.id = wanted.user_id
    union all
    select public_user(u), null, c.id, false, false,
      case when c.type = 'dm' and stand_in_block(p.user_id, p.other_id)
        then participant_permissions() & ~permission_bit('connect') else participant_permissions() end,
      false, false, false, null, null, 0, 'preferred', c.participant_ids, exists (
        select from participants o where o.channel_id = c.id and o.user_id <> u.id and not exists (
          select from relations_of r where r.user_id = u.id and r.other_id = o.user_id and r.state = 'friends'))
    from unnest(${users}::bigint[], ${channels}::bigint[]) as wanted (user_id, channel_id)
    join channels c on c.id = wanted.channel_id and c.server_id is null
    join participants p on p.channel_id = c.id and p.user_id = wanted.user_id and p.is_open
    join users u on u.id = wanted.user_id`
  return rows.filter(({ permissions }) => holds(permissions, 'view_channel'))
}

/**
 * The account's permissions in a voice channel, dm or group that it may join.
 * @throws Problem `not_found`, `validation_failed` for a text channel, `missing_permission`, `cannot_contact` in a dm
 */
export async function admission(sql: Sql, userId: number, channelId: number): Promise<Admission> {
  const [admitted] = await admissions(sql, [userId], [channelId])
  if (!admitted) {
    const [text] = await sql<{ permissions: number }[]>`
      select permissions from channel_access(${channelId}, ${userId})`
    demandSight(text?.permissions)
    const errors = [{ path: 'd.channel_id', message: 'Must be a voice channel, stage, dm or group' }]
    throw new Problem('validation_failed', undefined, { errors })
  }
  if (admitted.server_id === null && !holds(admitted.permissions, 'connect')) throw new Problem('cannot_contact')
  demand(admitted.permissions, 'connect')
  return admitted
}
