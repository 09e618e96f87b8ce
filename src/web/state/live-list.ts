import type { EventFrame } from '../client/gateway.ts'
import { isPruned } from './prune-events.ts'
import type { Entry } from './timeline.ts'

/** A list of messages as far as it was fetched. */
export interface LiveList {
  entries: Entry[]
  /** True if no further page exists. */
  isWhole: boolean
}

/** Membership and order of a list's messages. */
export interface ListRule {
  belongs: (entry: Entry) => boolean
  /** Below 0 if the first is above the second. */
  order: (one: Entry, other: Entry) => number
}

/** The list after an event; the same object if the event changes nothing. */
export function listAfter(list: LiveList, { t, d }: EventFrame, { belongs, order }: ListRule): LiveList {
  const keep = (isKept: (entry: Entry) => boolean): LiveList =>
    list.entries.every(isKept) ? list : { ...list, entries: list.entries.filter(isKept) }
  switch (t) {
    case 'message.deleted':
      return keep(({ id }) => id !== d.id)
    case 'channel.deleted':
      return keep(({ channel_id }) => channel_id !== d.id)
    case 'channel.pruned':
      return keep(({ id, channel_id }) => channel_id !== d.channel_id || id >= d.before_id)
    case 'channel.pruned_by':
      return keep((message) => message.channel_id !== d.channel_id || !isPruned(d, message))
    case 'message.created':
    case 'message.updated': {
      if (!belongs(d)) return keep(({ id }) => id !== d.id)
      const remaining = list.entries.filter(({ id }) => id !== d.id)
      const at = remaining.findIndex((entry) => order(d, entry) < 0)
      // Skip entries below the last fetched one: a later page brings them.
      if (at < 0 && remaining.length === list.entries.length && !list.isWhole) return list
      return { ...list, entries: remaining.toSpliced(at < 0 ? remaining.length : at, 0, d) }
    }
    default:
      return list
  }
}

/** True if the event changes which messages the account may see, so that lists have to be fetched again. */
export const changesSight = ({ t, d }: EventFrame): boolean => t === 'server.deleted' || (t === 'ready' && !d.resumed)
