import type { Action, Rule, Trigger } from '../../features/automod/model.ts'
import type { Lookup } from '../lookup.ts'
import { snowflake } from '../snowflake.ts'

// Automod rules. Rules that look for links, invites or attachments have no counterpart on Discord.

/** Discord's numbers of triggers, actions and events. */
export const [KEYWORD, SPAM, MENTIONS, PROFILE] = [1, 3, 5, 6]
export const [BLOCK, ALERT, TIMEOUT, QUARANTINE] = [1, 2, 3, 4]
const [ON_MESSAGE, ON_MEMBER] = [1, 2]
interface DiscordTrigger {
  trigger_type: number
  trigger_metadata: object
}

/** @returns undefined for a trigger that Discord lacks */
export function triggerOf(trigger: Trigger): DiscordTrigger | undefined {
  switch (trigger.type) {
    case 'words':
      return metadata(KEYWORD, trigger.words, [], trigger.allow)
    case 'patterns':
      return metadata(KEYWORD, [], trigger.patterns, [])
    case 'profile':
      return metadata(PROFILE, trigger.words, trigger.patterns, trigger.allow)
    case 'spam':
      return { trigger_type: SPAM, trigger_metadata: {} }
    case 'mentions':
      return { trigger_type: MENTIONS, trigger_metadata: { mention_total_limit: trigger.max } }
    default:
      return undefined
  }
}
const metadata = (trigger_type: number, keyword_filter: string[], regex_patterns: string[], allow_list: string[]) => ({
  trigger_type,
  trigger_metadata: { keyword_filter, regex_patterns, allow_list },
})

export function actionOf(of: Lookup, action: Action) {
  switch (action.type) {
    case 'block':
      return { type: BLOCK, metadata: action.message === null ? {} : { custom_message: action.message } }
    case 'alert':
      return { type: ALERT, metadata: { channel_id: of.id('channel', action.channel_id) } }
    case 'timeout':
      return { type: TIMEOUT, metadata: { duration_seconds: action.seconds } }
    case 'quarantine':
      return { type: QUARANTINE, metadata: {} }
  }
}

/** Rules are found among those of their server, at most 30, so they need no look-up by id. */
export const ruleId = ({ id, created_at }: Rule): string => snowflake(id, Date.parse(created_at))

/** @returns undefined for a rule that Discord lacks: of links, invites or attachments */
export function ruleOf(of: Lookup, rule: Rule, botId: number) {
  const trigger = triggerOf(rule.trigger)
  if (!trigger) return undefined
  return {
    id: ruleId(rule),
    guild_id: of.id('server', rule.server_id),
    name: rule.name,
    // Parley keeps no author of a rule.
    creator_id: of.id('user', botId),
    event_type: rule.trigger.type === 'profile' ? ON_MEMBER : ON_MESSAGE,
    ...trigger,
    actions: rule.actions.map((action) => actionOf(of, action)),
    enabled: rule.enabled,
    exempt_roles: rule.exempt_role_ids.map((id) => of.id('role', id)),
    exempt_channels: rule.exempt_channel_ids.map((id) => of.id('channel', id)),
  }
}
