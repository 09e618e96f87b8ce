import type { Channel } from '../../features/access/model.ts'
import { state } from './session.ts'

const least = (...days: (number | null | undefined)[]): number | undefined => {
  const set = days.filter((each) => typeof each === 'number')
  return set.length > 0 ? Math.min(...set) : undefined
}

/** Days after which messages of a channel are deleted; undefined for never. */
export function messageDaysOf(channel: Channel | undefined): number | undefined {
  const server = channel?.server_id ? state.servers.get(channel.server_id) : undefined
  return least(state.retention?.message_days, server?.message_retention_days, channel?.message_retention_days)
}

/** Days after which files of messages are deleted. */
export const fileDays = (): number | undefined => least(state.retention?.file_days)
