import type { Channel } from '../../features/channels/model.ts'
import type { NotificationSetting } from '../../features/notifications/model.ts'
import type { State } from './state.ts'

type Place = Pick<NotificationSetting, 'server_id' | 'channel_id'>

/** The key of a place's setting: a channel's id is enough for any channel. */
export const settingKey = ({ server_id, channel_id }: Place): string =>
  channel_id === null ? `s${server_id}` : `c${channel_id}`

/** The settings that decide in a channel, its own first: of the channel, what it stands in, and the server. */
function settingsAround(state: State, channel: Channel | undefined): NotificationSetting[] {
  const parent = channel?.parent_id ? state.channels.get(channel.parent_id) : undefined
  const keys = [...[channel?.id, channel?.parent_id, parent?.parent_id].map((id) => `c${id}`), `s${channel?.server_id}`]
  return keys.flatMap((key) => state.settings.get(key) ?? [])
}

/** Whether a channel is muted, and whether everyone and here do not count there. */
export function mutingIn(state: State, channel: Channel | undefined) {
  const around = settingsAround(state, channel)
  return {
    muted: around.some(({ muted_until }) => muted_until !== null && Date.parse(muted_until) > Date.now()),
    suppress_everyone: around.find((setting) => setting.suppress_everyone !== null)?.suppress_everyone ?? false,
  }
}

/** The longest that a timer waits at once. */
const WAIT_MS_MAX = 3_600_000

/**
 * Calls back whenever a mute has ended: that is no event.
 * @returns a function to call after settings have changed
 */
export function watchMutes(state: State, onEnd: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = () => {
    clearTimeout(timer)
    const now = Date.now()
    const ends = [...state.settings.values()].map(({ muted_until }) => Date.parse(muted_until ?? ''))
    const next = Math.min(...ends.filter((end) => end > now))
    if (!Number.isFinite(next)) return
    timer = setTimeout(
      () => {
        if (Date.now() >= next) onEnd()
        wait()
      },
      Math.min(next - now + 1, WAIT_MS_MAX),
    )
  }
  return wait
}
