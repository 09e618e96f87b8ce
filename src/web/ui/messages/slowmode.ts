import { useEffect, useState } from 'preact/hooks'
import type { Channel } from '../../../features/access/model.ts'
import { markSlowmode, slowmodeMark } from '../../state/slowmode.ts'
import { follow, state } from '../../state/session.ts'
import { authorIdOf } from './current-message.ts'
import { serverNow } from '../../state/server-clock.ts'

/** When the account wrote last, by the messages that are known, ms since the epoch; 0 if slowmode does not count it. */
function lastWritten(channel: Channel): number {
  const entries = state.timelines.get(`c${channel.id}`)?.entries ?? []
  const own = entries.findLast((entry) => entry.kind === 'default' && authorIdOf(entry) === state.me())
  // Slowmode does not count messages from before it was set, which was at the channel's last change or earlier.
  if (!own || own.created_at < channel.updated_at) return 0
  return Date.parse(own.created_at)
}

/** For how many seconds more slowmode keeps the account from writing in the channel. */
export function useSlowmode(channel: Channel): number {
  follow(`timeline c${channel.id}`)
  const [, draw] = useState({})
  const { id, slowmode_seconds } = channel
  const written = slowmode_seconds === 0 ? 0 : lastWritten(channel)
  // Stored, because the message may be deleted and the channel may change.
  useEffect(() => markSlowmode(id, written), [id, written])
  const isFree = slowmode_seconds === 0 || state.mayIn(channel, 'manage_messages')
  const until = isFree ? 0 : Math.max(written, slowmodeMark(id)) + slowmode_seconds * 1000
  const isBound = until > serverNow()
  useEffect(() => {
    if (!isBound) return
    const timer = setInterval(() => draw({}), 1_000)
    return () => clearInterval(timer)
  }, [isBound])
  return isBound ? Math.ceil((until - serverNow()) / 1000) : 0
}
