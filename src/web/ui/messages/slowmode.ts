import { useEffect, useState } from 'preact/hooks'
import type { Channel } from '../../../features/access/model.ts'
import { markSlowmode, slowmodeMark } from '../../state/slowmode.ts'
import { follow, state } from '../../state/session.ts'
import { authorIdOf } from './current-message.ts'
import { serverNow } from '../../state/server-clock.ts'

/** Time of the account's last loaded message, ms since the epoch; 0 if slowmode does not count it. */
function lastWritten(channel: Channel): number {
  const entries = state.timelines.get(`c${channel.id}`)?.entries ?? []
  const ownEntry = entries.findLast((entry) => entry.kind === 'default' && authorIdOf(entry) === state.me())
  // Messages from before slowmode was set do not count. The channel's last change is the only time that is stored.
  if (!ownEntry || ownEntry.created_at < channel.updated_at) return 0
  return Date.parse(ownEntry.created_at)
}

/** Seconds until slowmode lets the account write in the channel again; 0 if it may write now. */
export function useSlowmode(channel: Channel): number {
  follow(`timeline c${channel.id}`)
  const [, draw] = useState({})
  const { id, slowmode_seconds } = channel
  const writtenAt = slowmode_seconds === 0 ? 0 : lastWritten(channel)
  // Remembered, because the message may be deleted and the channel may change.
  useEffect(() => markSlowmode(id, writtenAt), [id, writtenAt])
  const isFree = slowmode_seconds === 0 || state.mayIn(channel, 'manage_messages')
  const until = isFree ? 0 : Math.max(writtenAt, slowmodeMark(id)) + slowmode_seconds * 1000
  const isBound = until > serverNow()
  useEffect(() => {
    if (!isBound) return
    const timer = setInterval(() => draw({}), 1_000)
    return () => clearInterval(timer)
  }, [isBound])
  return isBound ? Math.ceil((until - serverNow()) / 1000) : 0
}
