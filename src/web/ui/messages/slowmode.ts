import { useEffect, useState } from 'preact/hooks'
import type { Channel } from '../../../features/channels/model.ts'
import { follow, state } from '../../state/session.ts'
import { authorIdOf } from './current-message.ts'

/** When the account may write again, ms since the epoch; 0 where slowmode does not bind it. */
function freeAt(channel: Channel): number {
  if (channel.slowmode_seconds === 0 || state.mayIn(channel, 'manage_messages')) return 0
  const entries = state.timelines.get(`c${channel.id}`)?.entries ?? []
  const own = entries.findLast((entry) => entry.kind === 'default' && authorIdOf(entry) === state.me())
  // What was written before slowmode was set, at the latest when the channel last changed, does not count.
  if (!own || own.created_at < channel.updated_at) return 0
  return Date.parse(own.created_at) + channel.slowmode_seconds * 1000
}

/** For how many seconds more slowmode keeps the account from writing in the channel. */
export function useSlowmode(channel: Channel): number {
  follow(`timeline c${channel.id}`)
  const [now, setNow] = useState(Date.now)
  const until = freeAt(channel)
  const isBound = until > Math.max(now, Date.now())
  useEffect(() => {
    if (!isBound) return
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [isBound])
  return isBound ? Math.ceil((until - Date.now()) / 1000) : 0
}
