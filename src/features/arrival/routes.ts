import { Elysia } from 'elysia'
import { z } from 'zod'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { BODY_CODES, found, Problem, PLACE_CODES } from '../../core/errors.ts'
import { holds } from '../../core/permissions.ts'
import { answers, DecimalId, NoBody, Nothing } from '../../core/schema.ts'
import type { Transaction } from '../../database/database.ts'
import type { Emit, Notify } from '../../events/write.ts'
import { demand, guarded, lockServer, membership } from '../access/guard.ts'
import { audit } from '../audit/record.ts'
import { announceMember, endArrival, selectMembers } from '../members/membership.ts'
import { Member } from '../members/model.ts'
import type { StatusOf } from '../status/model.ts'
import type { Sessions } from '../sessions/store.ts'
import { beginChoice, demandChooser, hasToArrive, selfAssignableRole } from './choices.ts'
import { Acceptance, Choice, Onboarding, OnboardingDraft, RulesDraft, ServerRules } from './model.ts'
import { changeOnboarding, choose, selectOnboarding } from './onboarding.ts'
import { changeRules, selectRules } from './rules.ts'
import { welcomeRoutes } from './welcome-routes.ts'

const tags = ['Arrival']
const params = z.object({ server_id: DecimalId })
const RolePath = params.extend({ role_id: DecimalId })

/** Low, because each is announced to every member. */
const ARRIVALS: BucketPolicy = { name: 'arrivals', burst: 20, refillPerS: 0.2 }

/** Low, too, but enough to fill in a form of roles. */
const CHOICES: BucketPolicy = { name: 'choices', burst: 40, refillPerS: 0.5 }

/** True for members who may change the questions. */
const mayAsk = (permissions: number): boolean =>
  holds(permissions, 'manage_server') && holds(permissions, 'manage_roles')

/** The rules of a server, and how members accept them. */
const ruleRoutes = (parts: Parts, sessions: Sessions, statusOf: StatusOf) =>
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
      async ({ params: { server_id }, me, caller, body: { version, option_ids } }) => {
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
          const place = { server_id, user_id: me.id }
          const isArriving = await hasToArrive(sql, place)
          if (me.is_guest ? option_ids?.length : !isArriving && option_ids) await demandChooser(sql, place)
          // Guests accept the rules, and are asked nothing.
          if (!me.is_guest && (isArriving || option_ids)) await choose(sql, emit, place, option_ids ?? [], isArriving)
          await endArrival(sql, emit, server, me.id)
          notify({ kind: 'access_changed', user_ids: [me.id] })
          return announceMember(sql, emit, place, statusOf(me.id))
        })
      },
      {
        params,
        body: Acceptance,
        detail: {
          summary: 'Accept the rules of a server and answer its questions, which lets a pending member in',
          description: 'A member whose verification is missing stays held back until it is verified.',
          tags,
        },
        response: answers(
          { 200: Member },
          'rules_changed',
          'forbidden',
          'too_many_settings',
          ...PLACE_CODES,
          ...BODY_CODES,
        ),
      },
    )

/** The roles that members give to themselves. Nothing of it is in the audit log: the roles have no power. */
const choiceRoutes = (parts: Parts, sessions: Sessions, statusOf: StatusOf) => {
  const announceChoice = (
    sql: Transaction,
    emit: Emit,
    notify: Notify,
    place: { server_id: number; user_id: number },
  ) => {
    notify({ kind: 'access_changed', user_ids: [place.user_id] })
    return announceMember(sql, emit, place, statusOf(place.user_id))
  }
  return guarded(parts, sessions)
    .put(
      '/api/servers/:server_id/members/@me/roles/:role_id',
      async ({ params, me, caller }) => {
        await parts.limits.take(caller, CHOICES, `user:${me.id}`)
        const { server_id, role_id } = params
        const place = { server_id, user_id: me.id }
        return parts.write(async (sql, emit, notify) => {
          await beginChoice(sql, place)
          await selfAssignableRole(sql, params, me.id)
          const [added] = await sql`insert into member_roles ${sql({ ...place, role_id })}
            on conflict do nothing returning 1`
          if (added) return announceChoice(sql, emit, notify, place)
          const [member] = await selectMembers(sql, sql`m.server_id = ${server_id} and m.user_id = ${me.id}`)
          return { ...found(member), status: statusOf(me.id) }
        })
      },
      {
        params: RolePath,
        body: NoBody,
        member: 'none',
        detail: { summary: 'Pick a self-assignable role', tags },
        response: answers({ 200: Member }, 'forbidden', ...PLACE_CODES, ...BODY_CODES),
      },
    )
    .delete(
      '/api/servers/:server_id/members/@me/roles/:role_id',
      async ({ params, me, caller, status }) => {
        await parts.limits.take(caller, CHOICES, `user:${me.id}`)
        const { server_id, role_id } = params
        const place = { server_id, user_id: me.id }
        await parts.write(async (sql, emit, notify) => {
          await beginChoice(sql, place)
          await selfAssignableRole(sql, params, me.id)
          const [removed] = await sql`delete from member_roles
            where server_id = ${server_id} and user_id = ${me.id} and role_id = ${role_id} returning 1`
          found(removed)
          await announceChoice(sql, emit, notify, place)
        })
        return status(204, undefined)
      },
      {
        params: RolePath,
        member: 'none',
        detail: { summary: 'Give back a self-assignable role', tags },
        response: answers({ 204: Nothing }, 'forbidden', ...PLACE_CODES),
      },
    )
}

/** The questions of a server to new members, and their answers. */
const onboardingRoutes = (parts: Parts, sessions: Sessions, statusOf: StatusOf) =>
  guarded(parts, sessions)
    .get(
      '/api/servers/:server_id/onboarding',
      async ({ params: { server_id }, me, member: { permissions } }) => {
        const onboarding = await selectOnboarding(parts.sql, { server_id, user_id: me.id }, mayAsk(permissions))
        return me.is_guest ? { ...onboarding, questions: [] } : onboarding
      },
      {
        params,
        member: 'none',
        detail: { summary: 'Get the questions to new members, and the caller’s answers', tags },
        response: answers({ 200: Onboarding }, ...PLACE_CODES),
      },
    )
    .put(
      '/api/servers/:server_id/onboarding',
      async ({ params: { server_id }, me, caller, body }) => {
        await parts.limits.take(caller, ARRIVALS, `user:${me.id}`)
        return parts.write(async (sql) => {
          await lockServer(sql, server_id)
          const { permissions } = await membership(sql, server_id, me.id)
          demand(permissions, 'manage_server')
          demand(permissions, 'manage_roles')
          const place = { server_id, user_id: me.id }
          const before = await changeOnboarding(sql, place, body)
          const entry = { server_id, actor_id: me.id, action: 'onboarding.updated' as const }
          const titles = body.questions.map(({ title }) => title)
          await audit(sql, entry, ['server', server_id], { questions: before }, { questions: titles })
          return selectOnboarding(sql, place, true)
        })
      },
      {
        params,
        body: OnboardingDraft,
        member: 'manage_server',
        detail: {
          summary: 'Replace the questions to new members; also needs manage_roles',
          description: 'Questions and options with an id stay, with the answers of members. Members are not held back.',
          tags,
        },
        response: answers({ 200: Onboarding }, ...PLACE_CODES, ...BODY_CODES),
      },
    )
    .put(
      '/api/servers/:server_id/members/@me/onboarding',
      async ({ params: { server_id }, me, caller, body: { option_ids } }) => {
        await parts.limits.take(caller, CHOICES, `user:${me.id}`)
        const place = { server_id, user_id: me.id }
        return parts.write(async (sql, emit, notify) => {
          await beginChoice(sql, place)
          await choose(sql, emit, place, option_ids, false)
          await announceMember(sql, emit, place, statusOf(me.id))
          notify({ kind: 'access_changed', user_ids: [me.id] })
          return selectOnboarding(sql, place, false)
        })
      },
      {
        params,
        body: Choice,
        member: 'none',
        detail: {
          summary: 'Change the caller’s answers to the questions, with the roles and channels they give',
          tags,
        },
        response: answers({ 200: Onboarding }, 'forbidden', 'too_many_settings', ...PLACE_CODES, ...BODY_CODES),
      },
    )

/** The rules of a server, and what its members choose. */
export const arrivalRoutes = (parts: Parts, sessions: Sessions, statusOf: StatusOf) =>
  new Elysia()
    .use(ruleRoutes(parts, sessions, statusOf))
    .use(choiceRoutes(parts, sessions, statusOf))
    .use(onboardingRoutes(parts, sessions, statusOf))
    .use(welcomeRoutes(parts, sessions))
