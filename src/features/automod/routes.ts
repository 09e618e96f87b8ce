import { z } from 'zod'
import type { Sql, Transaction } from '../../database/database.ts'
import { field } from '../../http/answers.ts'
import { CursorQuery } from '../../core/paging.ts'
import { cursorList, slice } from '../../http/lists.ts'
import type { BucketPolicy } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { BODY_CODES, found, PLACE_CODES, Problem } from '../../core/errors.ts'
import { answers, DecimalId, Nothing } from '../../core/schema.ts'
import { audit } from '../audit/record.ts'
import { botsOf } from '../access/bots.ts'
import { demand, guarded, lockedMembership } from '../access/guard.ts'
import type { Sessions } from '../sessions/store.ts'
import { changesOf } from './audit.ts'
import { AutomodHit, HIT_DAYS, PATTERNS_MAX, Rule, RuleDraft, RULES_MAX, TestDraft, TestMatch } from './model.ts'
import { demandCheapPatterns, demandSmallPrograms } from './patterns.ts'
import { isForFew, selectRules } from './rules.ts'

const tags = ['Automod']
const ServerPath = z.object({ server_id: DecimalId })
const RulePath = z.object({ rule_id: DecimalId })

/** Low, because rules are large, and each change makes every process compile them again. */
const CHANGES: BucketPolicy = { name: 'automod-changes', burst: 20, refillPerS: 0.2 }
/** Low, because a text is judged several times to find where it matches. */
const TESTS: BucketPolicy = { name: 'automod-tests', burst: 10, refillPerS: 0.2 }

const patternsOf = ({ trigger }: Pick<RuleDraft, 'trigger'>): string[] =>
  'patterns' in trigger ? trigger.patterns : []

/** The other rules of a server count: all may have PATTERNS_MAX patterns together. @throws Problem */
async function demandFewPatterns(sql: Sql, server_id: number, ruleId: number | null, { trigger }: RuleDraft) {
  const patterns = patternsOf({ trigger })
  if (patterns.length === 0) return
  const rules = await selectRules(sql, sql`a.server_id = ${server_id} and a.id is distinct from ${ruleId}`)
  const all = [...rules.flatMap(patternsOf), ...patterns]
  if (all.length > PATTERNS_MAX) throw field('trigger.patterns', `A server has at most ${PATTERNS_MAX} patterns`)
  demandSmallPrograms(all)
}

/** @throws Problem `validation_failed` for exemptions that are not of the server */
async function demandOwnExemptions(sql: Sql, server_id: number, draft: RuleDraft): Promise<void> {
  const [missing] = await sql<{ roles: number; channels: number }[]>`
    select ${draft.exempt_role_ids.length} - (select count(*)::int from roles
        where server_id = ${server_id} and id = any(${draft.exempt_role_ids})) as roles,
      ${draft.exempt_channel_ids.length} - (select count(*)::int from channels
        where server_id = ${server_id} and type <> 'thread' and id = any(${draft.exempt_channel_ids})) as channels`
  if (missing && missing.roles > 0) throw field('exempt_role_ids', 'There is no such role in this server')
  if (missing && missing.channels > 0) throw field('exempt_channel_ids', 'There is no such channel in this server')
}

const columnsOf = (sql: Transaction, { trigger, actions, ...fields }: RuleDraft) => ({
  ...fields,
  trigger: sql.json(trigger),
  actions: sql.json(actions),
})

/** @throws Problem `validation_failed` for an alert where too many would read it */
async function demandFewReaders(sql: Sql, server_id: number, { actions }: RuleDraft): Promise<void> {
  for (const action of actions)
    if (action.type === 'alert' && !(await isForFew(sql, server_id, action.channel_id)))
      throw field('actions', 'Alerts need a text channel of this server that not every member sees')
}

/** Before anything is locked, because it takes some milliseconds. @throws Problem as demandCheapPatterns */
async function demandCheapTrigger({ trigger }: RuleDraft): Promise<void> {
  await demandCheapPatterns(patternsOf({ trigger }))
}

/** The server of a rule, if the caller may change it. @throws Problem `not_found`, `missing_permission` */
async function visibleRule(sql: Sql, id: number, userId: number): Promise<{ server_id: number }> {
  const [rule] = await sql<{ server_id: number; permissions: number }[]>`
    select a.server_id, mp.permissions from automod_rules a join member_permissions mp on mp.server_id = a.server_id
    where a.id = ${id} and mp.user_id = ${userId}`
  demand(found(rule).permissions, 'manage_server')
  return found(rule)
}

/** The rule, with its server locked, if the caller may change it. @throws Problem `not_found`, `missing_permission` */
async function lockedRule(sql: Transaction, id: number, userId: number): Promise<Rule> {
  await lockedMembership(sql, (await visibleRule(sql, id, userId)).server_id, userId, 'manage_server')
  return found((await selectRules(sql, sql`a.id = ${id}`))[0])
}

export const automodRoutes = (parts: Parts, sessions: Sessions) =>
  guarded(parts, sessions)
    .get(
      '/api/servers/:server_id/automod',
      async ({ params: { server_id } }) => selectRules(parts.sql, parts.sql`a.server_id = ${server_id}`),
      {
        params: ServerPath,
        member: 'manage_server',
        detail: { summary: 'List the automod rules of a server, oldest first', tags },
        response: answers({ 200: z.array(Rule) }, ...PLACE_CODES),
      },
    )
    .post(
      '/api/servers/:server_id/automod',
      async ({ params: { server_id }, me, caller, body, status }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        await demandCheapTrigger(body)
        return parts.write(async (sql, emit, notify) => {
          await lockedMembership(sql, server_id, me.id, 'manage_server')
          await demandOwnExemptions(sql, server_id, body)
          await demandFewPatterns(sql, server_id, null, body)
          await demandFewReaders(sql, server_id, body)
          const [{ count = 0 } = {}] = await sql<{ count: number }[]>`
            select count(*)::int from automod_rules where server_id = ${server_id}`
          if (count >= RULES_MAX) throw new Problem('too_many_rules')
          const [row] = await sql<{ id: number }[]>`
            insert into automod_rules ${sql({ server_id, ...columnsOf(sql, body) })} returning id`
          const { id } = found(row, 'internal')
          const [rule] = await selectRules(sql, sql`a.id = ${id}`)
          const [before, after] = changesOf(undefined, found(rule))
          await audit(sql, { server_id, actor_id: me.id, action: 'automod.created' }, ['rule', id], before, after)
          emit(await botsOf(sql, server_id, 'manage_server'), 'automod.created', found(rule))
          notify({ kind: 'automod_changed', server_id })
          return status(201, found(rule))
        })
      },
      {
        params: ServerPath,
        body: RuleDraft,
        member: 'manage_server',
        detail: { summary: `Create an automod rule, at most ${RULES_MAX} in a server`, tags },
        response: answers(
          { 201: Rule },
          'too_many_rules',
          'pattern_too_costly',
          'role_too_strong',
          ...PLACE_CODES,
          ...BODY_CODES,
        ),
      },
    )
    .put(
      '/api/automod/:rule_id',
      async ({ params: { rule_id }, me, caller, body }) => {
        await parts.limits.take(caller, CHANGES, `user:${me.id}`)
        const { server_id } = await visibleRule(parts.sql, rule_id, me.id)
        await demandCheapTrigger(body)
        return parts.write(async (sql, emit, notify) => {
          const rule = await lockedRule(sql, rule_id, me.id)
          await demandOwnExemptions(sql, server_id, body)
          await demandFewPatterns(sql, server_id, rule_id, body)
          await demandFewReaders(sql, server_id, body)
          await sql`update automod_rules set ${sql({ ...columnsOf(sql, body), updated_at: new Date() })}
            where id = ${rule_id}`
          const [changed] = await selectRules(sql, sql`a.id = ${rule_id}`)
          const [before, after] = changesOf(rule, found(changed))
          await audit(sql, { server_id, actor_id: me.id, action: 'automod.updated' }, ['rule', rule_id], before, after)
          emit(await botsOf(sql, server_id, 'manage_server'), 'automod.updated', found(changed))
          notify({ kind: 'automod_changed', server_id })
          return found(changed)
        })
      },
      {
        params: RulePath,
        body: RuleDraft,
        detail: { summary: 'Replace an automod rule (manage_server)', tags },
        response: answers({ 200: Rule }, 'pattern_too_costly', 'role_too_strong', ...PLACE_CODES, ...BODY_CODES),
      },
    )
    .delete(
      '/api/automod/:rule_id',
      async ({ params: { rule_id }, me, status }) =>
        parts.write(async (sql, emit, notify) => {
          const rule = await lockedRule(sql, rule_id, me.id)
          const { server_id } = rule
          await sql`delete from automod_rules where id = ${rule_id}`
          const [before, after] = changesOf(rule, undefined)
          await audit(sql, { server_id, actor_id: me.id, action: 'automod.deleted' }, ['rule', rule_id], before, after)
          emit(await botsOf(sql, server_id, 'manage_server'), 'automod.deleted', rule)
          notify({ kind: 'automod_changed', server_id })
          return status(204, undefined)
        }),
      {
        params: RulePath,
        detail: { summary: 'Delete an automod rule (manage_server)', tags },
        response: answers({ 204: Nothing }, ...PLACE_CODES),
      },
    )
    .get(
      '/api/servers/:server_id/automod/hits',
      async ({ params: { server_id }, query, request, me }) =>
        cursorList<AutomodHit>(
          request,
          query,
          'newest',
          (row) => row.id,
          (scan) => parts.sql`
            select h.id, h.server_id, h.rule_id, h.rule_name, public_user(u) as user, h.channel_id, h.count, h.texts,
              h.created_at, h.updated_at
            from automod_hits h join users u on u.id = h.user_id
            where h.server_id = ${server_id} and h.created_at > now() - ${HIT_DAYS} * interval '1 day'
              and (h.channel_id is null or exists (
                select from channel_access(h.channel_id, ${me.id}) ca where can_view(ca.permissions)))
              and ${slice(parts.sql, 'h.id', scan)}`,
        ),
      {
        params: ServerPath,
        query: CursorQuery,
        member: 'moderate_members',
        detail: {
          summary: `List texts of the last ${HIT_DAYS} days that broke rules, in channels that the caller sees`,
          description: 'Only of rules that do more than block.',
          tags,
        },
        response: answers({ 200: z.array(AutomodHit) }, ...PLACE_CODES),
      },
    )
    .post(
      '/api/servers/:server_id/automod/test',
      async ({ params: { server_id }, me, caller, body: { content } }) => {
        await parts.limits.take(caller, TESTS, `user:${me.id}`)
        return parts.judge.matchesIn(server_id, content)
      },
      {
        params: ServerPath,
        body: TestDraft,
        member: 'manage_server',
        detail: { summary: 'Which enabled rules would act on a text, and where it matches', tags },
        response: answers({ 200: z.array(TestMatch) }, ...PLACE_CODES, ...BODY_CODES),
      },
    )
