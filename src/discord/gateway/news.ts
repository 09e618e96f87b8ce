import type { Events } from '../../core/events.ts'
import type { PublicUser } from '../../core/schema.ts'
import type { Rule } from '../../features/automod/model.ts'
import type { Lookup } from '../lookup.ts'
import { actionType, entryOf } from '../shapes/audit.ts'
import { actionOf, ruleId, ruleOf, triggerOf } from '../shapes/automod.ts'
import { integrationOf } from '../shapes/integrations.ts'
import { unseenEventOf, scheduledEventOf } from '../shapes/scheduled-events.ts'
import { accountIn, type Dispatch, one, type ParleyEvent, type Table } from './dispatch.ts'
import { INTENT } from './intents.ts'

// News of the calendar, the audit log, webhooks, bots and automod.

/**
 * The news of an event of the calendar; none once its row is gone. The event may have moved since, so only bots that
 * see it now get it. The others forget it.
 * @param isNew true if no bot can know the event yet
 */
function eventNews(of: Lookup, t: string, id: number, isNew = false): Dispatch[] {
  const event = of.fact('calendar_event', id)
  if (!event) return []
  const guild = of.id('server', event.server_id)
  const isSeer = seerOf(event)
  const d = scheduledEventOf(of, event, event.is_cancelled)
  const toSeers = one(t, INTENT.scheduledEvents, guild, d, { isFor: isSeer })
  if (isNew) return toSeers
  const isFor = (botId: number) => !isSeer(botId)
  const end = one('GUILD_SCHEDULED_EVENT_DELETE', INTENT.scheduledEvents, guild, unseenEventOf(of, event), { isFor })
  return [...toSeers, ...end]
}

const seerOf = ({ bot_ids }: { bot_ids: number[] }) => {
  const ids = new Set(bot_ids)
  return (botId: number) => ids.has(botId)
}

/** News of a bot of a server as Discord's news of an integration; none of a person. */
export function integrationNews(of: Lookup, t: string, server_id: number, user: PublicUser): Dispatch[] {
  if (user.kind !== 'bot') return []
  const guild_id = of.id('server', server_id)
  const id = of.id('user', user.id)
  const d = t === 'INTEGRATION_DELETE' ? { id, application_id: id } : integrationOf(of, user)
  return one(t, INTENT.integrations, guild_id, { ...d, guild_id })
}

/** News of an automod rule; none of a rule that Discord lacks. */
const ruleNews =
  (t: string) =>
  (of: Lookup, rule: Rule, { topic }: ParleyEvent): Dispatch[] => {
    const row = ruleOf(of, rule, accountIn(topic))
    return row ? one(t, INTENT.automodRules, row.guild_id, row) : []
  }

/** A rule has acted: an event for each of its actions. */
function executions(of: Lookup, d: Events['automod.executed']): Dispatch[] {
  const { rule, user, channel_id, alert_id, content, found } = d
  const trigger = triggerOf(rule.trigger)
  if (!trigger) return []
  const guild_id = of.id('server', rule.server_id)
  const hasKeywords = 'words' in rule.trigger || 'patterns' in rule.trigger
  const common = {
    guild_id,
    rule_id: ruleId(rule),
    rule_trigger_type: trigger.trigger_type,
    user_id: of.id('user', user.id),
    ...(channel_id === null ? {} : { channel_id: of.id('channel', channel_id) }),
    content,
    matched_keyword: hasKeywords ? found : null,
    matched_content: null,
  }
  return rule.actions.flatMap((action) => {
    const isAlert = action.type === 'alert' && alert_id !== null
    const alert = isAlert ? { alert_system_message_id: of.id('message', alert_id) } : {}
    const row = { ...common, ...alert, action: actionOf(of, action) }
    const blank = { ...row, content: '' }
    return one('AUTO_MODERATION_ACTION_EXECUTION', INTENT.automodActs, guild_id, row, { blank, addressed: [] })
  })
}

export const news: Table = {
  'automod.created': ruleNews('AUTO_MODERATION_RULE_CREATE'),
  'automod.updated': ruleNews('AUTO_MODERATION_RULE_UPDATE'),
  'automod.deleted': ruleNews('AUTO_MODERATION_RULE_DELETE'),
  'automod.executed': executions,
  'audit.created': (of, entry) => {
    if (actionType(entry) === undefined) return []
    const guild_id = of.id('server', entry.server_id)
    return one('GUILD_AUDIT_LOG_ENTRY_CREATE', INTENT.moderation, guild_id, { ...entryOf(of, entry), guild_id })
  },
  'webhooks.updated': (of, { server_id, channel_id }) => {
    const guild_id = of.id('server', server_id)
    return one('WEBHOOKS_UPDATE', INTENT.webhooks, guild_id, { guild_id, channel_id: of.id('channel', channel_id) })
  },
  'event.changed': (of, { id, is_new }) =>
    eventNews(of, is_new ? 'GUILD_SCHEDULED_EVENT_CREATE' : 'GUILD_SCHEDULED_EVENT_UPDATE', id, is_new),
  'event.deleted': (of, { id }) => eventNews(of, 'GUILD_SCHEDULED_EVENT_DELETE', id),
  'event.attendee': (of, { event_id, server_id, user_id, coming }) => {
    const guild_id = of.id('server', server_id)
    const row = of.fact('calendar_event', event_id)
    if (!row) return []
    const d = { guild_scheduled_event_id: of.id('event', event_id), user_id: of.id('user', user_id), guild_id }
    const t = `GUILD_SCHEDULED_EVENT_USER_${coming ? 'ADD' : 'REMOVE'}`
    return one(t, INTENT.scheduledEvents, guild_id, d, { isFor: seerOf(row) })
  },
}
