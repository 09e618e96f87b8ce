import type { Channel } from '../../features/access/model.ts'
import type { NotificationSetting } from '../../features/notifications/model.ts'
import type { State } from './state.ts'
import { serverNow } from './server-clock.ts'

type Place = Pick<NotificationSetting, 'server_id' | 'channel_id'>

/** The key of a place's setting: a channel's id is enough for any channel. */
export const settingKey = ({ server_id, channel_id }: Place): string =>
  channel_id === null ? `s${server_id}` : `c${channel_id}`

/** Settings that apply in a channel, most specific first: its own, its parents' and the server's. */
function settingsAround(
  state: State,
  channel: Channel | undefined,
  server_id: number | null = channel?.server_id ?? null,
): NotificationSetting[] {
  const parent = channel?.parent_id ? state.channels.get(channel.parent_id) : undefined
  const keys = [...[channel?.id, channel?.parent_id, parent?.parent_id].map((id) => `c${id}`), `s${server_id}`]
  return keys.flatMap((key) => state.settings.get(key) ?? [])
}

/** Effective settings of a channel: muted, and everyone and here suppressed. */
export function mutingIn(state: State, channel: Channel | undefined, server_id?: number | null) {
  const around = settingsAround(state, channel, server_id)
  return {
    muted: around.some(({ muted_until }) => muted_until !== null && Date.parse(muted_until) > serverNow()),
    suppress_everyone: around.find((setting) => setting.suppress_everyone !== null)?.suppress_everyone ?? false,
  }
}

/** The level that a place inherits, without the account's setting for the place itself. */
export function levelAround(state: State, channel: Channel | undefined, server_id: number | null) {
  const around = settingsAround(state, channel, server_id).filter(
    (setting) => setting.channel_id !== (channel?.id ?? null),
  )
  const levels = around.flatMap(({ level }) => (level === null || level === 'all_posts' ? [] : [level]))
  return levels[0] ?? (server_id === null ? 'all' : (state.servers.get(server_id)?.default_notifications ?? 'mentions'))
}

/** True if a channel is shown as unread. A muted channel never is. */
export const isUnreadAloud = (state: State, channel: Channel): boolean =>
  state.isUnread(channel) && !mutingIn(state, channel).muted

/** The number at a channel: its mentions; of a dm that is not muted, its messages. */
export function badgeOf(state: State, channel: Channel): number {
  const mentions = state.mentionsIn(channel)
  if (channel.type !== 'dm' || !isUnreadAloud(state, channel)) return mentions
  return Math.max(mentions, state.conversations.get(channel.id)?.unread_count ?? 0)
}

/**
 * True if another channel is unread or has mentions, or if an incoming friend request is pending.
 * @param here the channel on the page
 */
export function isUnreadElsewhere(state: State, here: number | undefined): boolean {
  for (const { state: relation } of state.relations.values()) if (relation === 'pending_incoming') return true
  for (const { unread_count, mention_count } of state.listed.values()) if (unread_count + mention_count > 0) return true
  for (const channel of state.channels.values())
    if (channel.id !== here && (isUnreadAloud(state, channel) || state.mentionsIn(channel) > 0)) return true
  return false
}

/** The longest that a timer waits at once. */
const WAIT_MS_MAX = 3_600_000

/**
 * Calls back whenever a mute expires, since the server sends no event for it.
 * @returns a function to call after settings have changed
 */
export function watchMutes(state: State, onEnd: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = () => {
    clearTimeout(timer)
    const now = serverNow()
    const ends = [...state.settings.values()].map(({ muted_until }) => Date.parse(muted_until ?? ''))
    const next = Math.min(...ends.filter((end) => end > now))
    if (!Number.isFinite(next)) return
    timer = setTimeout(
      () => {
        if (serverNow() >= next) onEnd()
        wait()
      },
      Math.min(next - now + 1, WAIT_MS_MAX),
    )
  }
  return wait
}
