import { z } from 'zod'
import type { Parts } from '../../parts.ts'
import { BODY_CODES, PLACE_CODES } from '../../core/errors.ts'
import { answers, DecimalId } from '../../core/schema.ts'
import { field } from '../../http/answers.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import { demand, guarded, lockedMembership, lockServer, membership } from '../access/guard.ts'
import { audit } from '../audit/record.ts'
import { isForFew } from '../automod/rules.ts'
import type { Sessions } from '../sessions/store.ts'
import { PruneDraft, PruneJob, PruneStart, PruneTry, Raid, RaidPatch } from './model.ts'
import type { StatusOf } from '../status/model.ts'
import { beginPrune, tryPrune } from './prunes.ts'
import { endRaid, selectRaid, setRaid } from './raids.ts'

const tags = ['Members']
const ServerPath = z.object({ server_id: DecimalId })

/** Low, because a dry run reads every member of the server. */
const PRUNES: BucketPolicy = { name: 'prunes', burst: 10, refillPerS: 0.1 }

const bitFor = (action: 'kick' | 'ban') => (action === 'ban' ? 'ban_members' : 'kick_members')

/** Raid mode: its settings, and turning it on and off; and the removal of many members. */
export const raidRoutes = (parts: Parts, sessions: Sessions, statusOf: StatusOf) =>
  guarded(parts, sessions)
    .get('/api/servers/:server_id/raid', async ({ params }) => selectRaid(parts.sql, params.server_id), {
      params: ServerPath,
      member: 'moderate_members',
      detail: { summary: 'Get the raid mode of a server', tags },
      response: answers({ 200: Raid }, ...PLACE_CODES),
    })
    .put(
      '/api/servers/:server_id/raid',
      async ({ params: { server_id }, me, body: { on, minutes, ...settings } }) =>
        parts.write(async (sql, emit, notify) => {
          const actor = await lockedMembership(sql, server_id, me.id, 'moderate_members')
          const before = await selectRaid(sql, server_id)
          if (Object.keys(settings).length > 0) {
            demand(actor.permissions, 'manage_server')
            const { alert_channel_id } = settings
            if (alert_channel_id && !(await isForFew(sql, server_id, alert_channel_id)))
              throw field('alert_channel_id', 'Alerts need a text channel of this server that not every member sees')
            await sql`insert into raid_guards ${sql({ server_id, ...settings })}
              on conflict (server_id) do update set ${sql(settings)}`
          }
          const since = before.since ?? new Date().toISOString()
          if (on) await setRaid(sql, server_id, minutes ?? settings.raid_minutes ?? before.raid_minutes, since)
          if (on === false) await endRaid(sql, emit, notify, server_id, statusOf)
          const after = await selectRaid(sql, server_id)
          const action = on === undefined ? 'raid.updated' : on ? 'raid.began' : 'raid.ended'
          await audit(sql, { server_id, actor_id: me.id, action }, ['server', server_id], before, after)
          return after
        }),
      {
        params: ServerPath,
        body: RaidPatch,
        member: 'moderate_members',
        detail: {
          summary: 'Begin, extend or end raid mode (moderate_members), or change when it begins (manage_server)',
          description: 'While it is on, nobody joins. Ending it ends its quarantines.',
          tags,
        },
        response: answers({ 200: Raid }, ...PLACE_CODES, ...BODY_CODES),
      },
    )
    .post(
      '/api/servers/:server_id/members/prune',
      async ({ params: { server_id }, me, caller, body, status }) => {
        await parts.limits.take(caller, PRUNES, `user:${me.id}`)
        const actor = await membership(parts.sql, server_id, me.id)
        if (body.dry_run) {
          demand(actor.permissions, bitFor(body.action))
          return status(200, await tryPrune(parts.sql, actor, body))
        }
        return parts.write(async (sql) => {
          await lockServer(sql, server_id)
          const { id, count, action, reason } = await beginPrune(sql, actor, body.token)
          demand((await membership(sql, server_id, me.id)).permissions, bitFor(action))
          const entry = { server_id, actor_id: me.id, action: 'members.pruned' as const }
          const change = { act: action, members: count, ...(reason ? { reason } : {}) }
          await audit(sql, entry, ['server', server_id], null, change)
          return status(202, { id, count })
        })
      },
      {
        params: ServerPath,
        body: z.discriminatedUnion('dry_run', [PruneDraft, PruneStart]),
        member: 'none',
        detail: {
          summary: 'Kick or ban the members who joined during a time (kick_members or ban_members)',
          description:
            'A dry run answers their number and a token. The token removes these members in the background, ' +
            'and no others. Members who have left, or no longer rank below the caller, are passed over.',
          tags,
        },
        response: answers({ 200: PruneTry, 202: PruneJob }, 'link_gone', ...PLACE_CODES, ...BODY_CODES),
      },
    )
