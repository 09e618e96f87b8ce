import type { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import { Emoji } from '../../core/schema.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import type { Notify } from '../../events/write.ts'
import { OnboardingDraft } from '../arrival/model.ts'
import { changeOnboarding } from '../arrival/onboarding.ts'
import { type Action, PATTERNS_MAX, RuleDraft, RULES_MAX } from '../automod/model.ts'
import { demandCheapPatterns } from '../automod/patterns.ts'
import { isForFew } from '../automod/rules.ts'
import { type DiscordOnboarding, DiscordRule } from './discord-community.ts'
import type { GuildAccess } from './discord-rest.ts'
import type { ImportedServer } from './imported-server.ts'
import { clip } from '../../core/free-name.ts'
import type { Report } from './report.ts'

/** Discord's numbers of triggers and actions. */
const [KEYWORD, SPAM, MENTIONS, PROFILE] = [1, 3, 5, 6]
const [BLOCK, ALERT, TIMEOUT, QUARANTINE] = [1, 2, 3, 4]
/** The rule for Discord's spam trigger, which has no numbers. */
const SPAM_RULE = { type: 'spam', by: 'member', count: 5, seconds: 10 } as const
const [NAME_MAX, WORD_MAX, WORDS_MAX, ALLOW_MAX] = [100, 60, 1_000, 100]
const [TITLE_MAX, LABEL_MAX, LINE_MAX, QUESTIONS_MAX, OPTIONS_MAX] = [100, 50, 100, 8, 25]
const [ROLES_PER_OPTION_MAX, CHANNELS_PER_OPTION_MAX] = [10, 50]

/** The automod rules of a Discord server that can be rules here, still with Discord's ids. */
export interface PreparedRule {
  rule: DiscordRule
  trigger: z.input<typeof RuleDraft>['trigger']
}

/** The triggers of a Discord rule: one rule there can have both words and patterns. */
async function triggersOf(rule: DiscordRule, report: Report): Promise<PreparedRule['trigger'][]> {
  const { trigger_type, trigger_metadata: found } = rule
  const words = found.keyword_filter.filter((word) => word.length <= WORD_MAX).slice(0, WORDS_MAX)
  const allow = found.allow_list.filter((word) => word.length <= WORD_MAX).slice(0, ALLOW_MAX)
  const patterns: string[] = []
  for (const pattern of found.regex_patterns)
    try {
      await demandCheapPatterns([pattern])
      patterns.push(pattern)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      report.note('automod_pattern', rule.name)
    }
  switch (trigger_type) {
    case KEYWORD:
      return [
        ...(words.length > 0 ? [{ type: 'words' as const, words, allow }] : []),
        ...(patterns.length > 0 ? [{ type: 'patterns' as const, patterns }] : []),
      ]
    case SPAM:
      return [SPAM_RULE]
    case MENTIONS:
      return [{ type: 'mentions', max: Math.max(1, Math.min(found.mention_total_limit, 50)) }]
    case PROFILE:
      return words.length + patterns.length > 0 ? [{ type: 'profile', words, allow, patterns }] : []
    default:
      return []
  }
}

/** Prepares the automod rules of a Discord server, and reports those that cannot come along. */
export async function prepareRules({ automod }: GuildAccess, report: Report): Promise<PreparedRule[]> {
  const prepared: PreparedRule[] = []
  for (const discordRule of automod ?? []) {
    const rule = DiscordRule.safeParse(discordRule)
    const triggers = rule.success ? await triggersOf(rule.data, report) : []
    if (!rule.success || triggers.length === 0) report.note('automod', rule.data?.name)
    else prepared.push(...triggers.map((trigger) => ({ rule: rule.data, trigger })))
  }
  return prepared
}

/** An action of a rule here; undefined for one that has no equivalent, or whose alerts too many would read. */
async function actionOf(
  sql: Sql,
  server: ImportedServer,
  { type, metadata }: DiscordRule['actions'][number],
): Promise<Action | undefined> {
  if (type === BLOCK) return { type: 'block', message: metadata.custom_message?.trim() || null }
  if (type === TIMEOUT) return { type: 'timeout', seconds: Math.max(60, metadata.duration_seconds ?? 60) }
  if (type === QUARANTINE) return { type: 'quarantine' }
  const channel_id = type === ALERT ? server.channel(metadata.channel_id ?? '') : undefined
  if (channel_id === undefined || !(await isForFew(sql, server.server_id, channel_id))) return undefined
  return { type: 'alert', channel_id }
}

const mapped = (ids: string[], idOf: (id: string) => number | undefined): number[] => [
  ...new Set(ids.map(idOf).filter((id) => id !== undefined)),
]

/** Adds the automod rules to the locked server, whose permissions are Discord's already. */
export async function addRules(
  sql: Transaction,
  notify: Notify,
  server: ImportedServer,
  rules: PreparedRule[],
  report: Report,
): Promise<void> {
  const { server_id } = server
  const picks = await sql<{ id: number }[]>`select id from roles where server_id = ${server_id} and self_assignable`
  const pickIds = new Set(picks.map(({ id }) => id))
  let [count, patterns] = [0, 0]
  for (const { rule, trigger } of rules) {
    const actions: Action[] = []
    for (const one of rule.actions) {
      const action = await actionOf(sql, server, one)
      if (action && actions.every(({ type }) => type !== action.type)) actions.push(action)
      else if (!action) report.note('automod_action', rule.name)
    }
    const draft = RuleDraft.safeParse({
      name: clip(rule.name, NAME_MAX),
      enabled: rule.enabled,
      trigger,
      actions,
      // Everybody could pick an exemption.
      exempt_role_ids: mapped(rule.exempt_roles, (id) => server.role(id)).filter((id) => !pickIds.has(id)),
      exempt_channel_ids: mapped(rule.exempt_channels, (id) => server.channel(id)),
    })
    const added = 'patterns' in trigger ? (trigger.patterns?.length ?? 0) : 0
    if (!draft.success || count === RULES_MAX || patterns + added > PATTERNS_MAX) {
      report.note('automod', rule.name)
      continue
    }
    count++
    patterns += added
    const { trigger: ready, actions: readyActions, ...fields } = draft.data
    await sql`insert into automod_rules ${sql({
      server_id,
      ...fields,
      trigger: sql.json(ready),
      actions: sql.json(readyActions),
    })}`
  }
  if (count > 0) notify({ kind: 'automod_changed', server_id })
}

/** Makes roles self-assignable that have no more than everybody starts with. @returns those that are so now */
async function makePickable(sql: Transaction, server_id: number, roleIds: number[]): Promise<Set<number>> {
  const rows = await sql<{ id: number }[]>`
    update roles r set self_assignable = true
    where server_id = ${server_id} and id = any(${roleIds}) and not is_everyone and bot_id is null
      and permissions & ~starting_permissions() = 0
      and not exists (select from overwrites o where o.role_id = r.id and allow & ~starting_permissions() <> 0)
    returning id`
  return new Set(rows.map(({ id }) => id))
}

/** The channels of a server that questions can offer. */
async function offeredChannels(sql: Sql, server_id: number, ids: number[]): Promise<Set<number>> {
  const rows = await sql<{ id: number }[]>`select id from channels
    where server_id = ${server_id} and id = any(${ids}) and type in ('text', 'voice', 'stage')`
  return new Set(rows.map(({ id }) => id))
}

/**
 * Adds the prompts of Discord's onboarding as questions to the locked server, after its owner has joined. Roles that
 * options give become self-assignable; channels that options show, and that Discord does not list by default, are
 * listed by choice from now on.
 */
export async function addQuestions(
  sql: Transaction,
  server: ImportedServer,
  { prompts, default_channel_ids, enabled }: DiscordOnboarding,
  report: Report,
): Promise<void> {
  if (!enabled || prompts.length === 0) return
  const { server_id, owner_id: user_id } = server
  const options = prompts.flatMap((prompt) => prompt.options)
  const roleOf = (id: string) => server.role(id)
  const channelOf = (id: string) => server.channel(id)
  const roles = await makePickable(
    sql,
    server_id,
    mapped(
      options.flatMap(({ role_ids }) => role_ids),
      roleOf,
    ),
  )
  const shownIds = mapped(
    options.flatMap(({ channel_ids }) => channel_ids),
    channelOf,
  )
  const channels = await offeredChannels(sql, server_id, shownIds)
  const always = new Set(mapped(default_channel_ids, channelOf))
  const byChoice = [...channels].filter((id) => !always.has(id))
  await sql`update channels set opt_in_since = now() where id = any(${byChoice}) and opt_in_since is null`
  const questions = prompts.slice(0, QUESTIONS_MAX).map((prompt) => ({
    title: clip(prompt.title, TITLE_MAX),
    multiple: !prompt.single_select,
    required: prompt.required && prompt.in_onboarding,
    options: prompt.options.slice(0, OPTIONS_MAX).map((option) => {
      const role_ids = mapped(option.role_ids, roleOf)
      if (role_ids.some((id) => !roles.has(id))) report.note('onboarding_role', option.title)
      const emoji = option.emoji?.id ? null : (option.emoji?.name ?? null)
      return {
        label: clip(option.title, LABEL_MAX),
        emoji: Emoji.safeParse(emoji).success ? emoji : null,
        description: clip(option.description ?? '', LINE_MAX),
        role_ids: role_ids.filter((id) => roles.has(id)).slice(0, ROLES_PER_OPTION_MAX),
        channel_ids: mapped(option.channel_ids, channelOf)
          .filter((id) => channels.has(id))
          .slice(0, CHANNELS_PER_OPTION_MAX),
      }
    }),
  }))
  const valid = questions.filter((question) => OnboardingDraft.safeParse({ questions: [question] }).success)
  const lost = prompts.length - valid.length
  if (lost > 0) report.note('onboarding', prompts.at(-1)?.title, lost)
  if (valid.length > 0) await changeOnboarding(sql, { server_id, user_id }, OnboardingDraft.parse({ questions: valid }))
}
