import type { PublicUser } from '../../core/schema.ts'
import type { Lookup } from '../lookup.ts'
import { ACTIONS, entryOf } from '../shapes/audit.ts'
import { integrationOf } from '../shapes/integrations.ts'
import { unseenEventOf, scheduledEventOf } from '../shapes/scheduled-events.ts'
import { type Dispatch, one, type Table } from './dispatch.ts'
import { INTENT } from './intents.ts'

// News of the calendar, the audit log, webhooks and bots.

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

export const news: Table = {
  'audit.created': (of, entry) => {
    if (ACTIONS[entry.action] === undefined) return []
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
