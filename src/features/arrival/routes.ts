import { z } from 'zod'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { BODY_CODES, Problem, PLACE_CODES } from '../../core/errors.ts'
import { answers, DecimalId } from '../../core/schema.ts'
import { demand, guarded, lockServer, membership } from '../access/guard.ts'
import { announceMember, endArrival, selectMembers } from '../members/membership.ts'
import { Member, type StatusOf } from '../members/model.ts'
import type { Sessions } from '../sessions/store.ts'
import { Acceptance, RulesDraft, ServerRules } from './model.ts'
import { changeRules, selectRules } from './rules.ts'

const tags = ['Arrival']
const params = z.object({ server_id: DecimalId })

/** Stricter than the general limit, because each change is announced to every member. */
const ARRIVALS: BucketPolicy = { name: 'arrivals', burst: 20, refillPerS: 0.2 }

/** The rules of a server, and how members accept them. */
export const arrivalRoutes = (parts: Parts, sessions: Sessions, statusOf: StatusOf) =>
  guarded(parts, sessions)
    .get('/api/servers/:server_id/rules', async ({ params }) => selectRules(parts.sql, params.server_id), {
      params,
      member: 'none',
      detail: { summary: 'Get the rules of a server', tags },
      response: answers({ 200: ServerRules }, ...PLACE_CODES),
    })
    .put(
      '/api/servers/:server_id/rules',
      async ({ params: { server_id }, me, caller, body: { content } }) => {
        await parts.limits.take(caller, ARRIVALS, `user:${me.id}`)
        return parts.write(async (sql, emit) => {
          const server = await lockServer(sql, server_id)
          demand((await membership(sql, server_id, me.id)).permissions, 'manage_server')
          const rules = await changeRules(sql, emit, server, me.id, content)
          // The author has read them.
          if (rules.version === server.rules_version || rules.version === null) return rules
          await sql`update members set rules_version = ${rules.version}
            where server_id = ${server_id} and user_id = ${me.id} and not is_arriving`
          await announceMember(sql, emit, { server_id, user_id: me.id }, statusOf(me.id))
          return rules
        })
      },
      {
        params,
        body: RulesDraft,
        member: 'manage_server',
        detail: {
          summary: 'Change the rules of a server, which gives them a new version',
          description: 'People who join afterwards are `pending` until they accept them. Members are not held back.',
          tags,
        },
        response: answers({ 200: ServerRules }, ...PLACE_CODES, ...BODY_CODES),
      },
    )
    .put(
      '/api/servers/:server_id/members/@me/rules',
      async ({ params: { server_id }, me, caller, body: { version } }) => {
        await parts.limits.take(caller, ARRIVALS, `user:${me.id}`)
        return parts.write(async (sql, emit, notify) => {
          await membership(sql, server_id, me.id)
          const server = await lockServer(sql, server_id)
          await sql`select change_access(${server_id})`
          await membership(sql, server_id, me.id)
          if (version !== server.rules_version) throw new Problem('rules_changed')
          const [before] = await selectMembers(sql, sql`m.server_id = ${server_id} and m.user_id = ${me.id}`)
          if (before?.held_back === 'quarantined') throw new Problem('forbidden', 'You are quarantined in this server')
          await sql`update members set rules_version = coalesce(${version}, rules_version)
            where server_id = ${server_id} and user_id = ${me.id}`
          await endArrival(sql, emit, server, me.id)
          notify({ kind: 'access_changed', user_ids: [me.id] })
          return announceMember(sql, emit, { server_id, user_id: me.id }, statusOf(me.id))
        })
      },
      {
        params,
        body: Acceptance,
        detail: {
          summary: 'Accept the rules of a server, which lets a pending member in',
          description: 'A member whose verification is missing stays held back until it is verified.',
          tags,
        },
        response: answers({ 200: Member }, 'rules_changed', 'forbidden', ...PLACE_CODES, ...BODY_CODES),
      },
    )
