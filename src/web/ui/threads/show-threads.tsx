import type { ComponentProps } from 'preact'
import { channelPath, go } from '../../state/route.ts'
import { state } from '../../state/session.ts'
import { isSpoken } from '../../state/spoken.ts'
import type { ServerChannel } from '../../state/state.ts'
import type { Entry } from '../../state/timeline.ts'
import { showLater } from '../kit/dialogs.tsx'
import { plainLine } from '../../state/plain-line.ts'
import type { NewThread } from './thread-dialogs.tsx'

/** Length of a message's beginning that is suggested as a name. */
const SUGGESTED_MAX = 50

/** True if the account may start a thread in a channel. */
export const mayBegin = (channelId: number): boolean => {
  const channel = state.channels.get(channelId)
  return (
    channel !== undefined && (channel.type === 'text' || isSpoken(channel)) && state.mayIn(channel, 'create_threads')
  )
}

/** Opens the thread of a message, or the dialog that starts one. */
export function openThread(entry: Entry): void {
  const serverId = state.channels.get(entry.channel_id)?.server_id
  if (entry.thread && serverId) return go(channelPath(serverId, entry.thread.id))
  const [line = ''] = plainLine(entry.content).trim().split('\n')
  const name = [...line].slice(0, SUGGESTED_MAX).join('')
  void showNewThread({ channel_id: entry.channel_id, message_id: entry.id, name })
}

export const showNewThread = (place: ComponentProps<typeof NewThread>) =>
  showLater(async () => {
    const { NewThread: Form } = await import('./thread-dialogs.tsx')
    return () => <Form {...place} />
  })

export const showThreadSettings = (thread: ServerChannel) =>
  showLater(async () => {
    const { ThreadSettings } = await import('./thread-dialogs.tsx')
    return () => <ThreadSettings thread={thread} />
  })
