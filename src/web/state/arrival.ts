import type { Channel, Server } from '../../features/access/model.ts'
import type { Member } from '../../features/members/model.ts'
import type { NotificationSetting } from '../../features/notifications/model.ts'

/** Parts of the state that arriving depends on. */
interface State {
  channels: ReadonlyMap<number, Channel>
  servers: ReadonlyMap<number, Server>
  /** By server and account. */
  members: ReadonlyMap<number, ReadonlyMap<number, Pick<Member, 'held_back' | 'rules_version' | 'joined_at'>>>
  settings: ReadonlyMap<string, NotificationSetting>
  me(): number
}

/** True if the account still has to accept the rules of a server, or has not read their newest version. */
export function hasNewRules(state: State, serverId: number): boolean {
  const { held_back, rules_version } = state.members.get(serverId)?.get(state.me()) ?? {}
  const newest = state.servers.get(serverId)?.rules_version ?? null
  return held_back === 'pending' || (newest !== null && newest !== rules_version)
}

/**
 * False for a channel that members choose, if the account has not: it joined later, or left the channel out. A thread
 * goes by its channel.
 */
export function isListed(state: State, channelId: number): boolean {
  const channel = state.channels.get(channelId)
  const place = channel?.type === 'thread' ? state.channels.get(channel.parent_id ?? 0) : channel
  if (!place?.opt_in_since || place.server_id === null) return true
  const joinedAt = state.members.get(place.server_id)?.get(state.me())?.joined_at
  return state.settings.get(`c${place.id}`)?.listed ?? !(joinedAt && joinedAt > place.opt_in_since)
}
