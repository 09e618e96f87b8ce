import { withoutBidi } from '../../state/names.ts'
import { channelPath, route } from '../../state/route.ts'
import { follow, state } from '../../state/session.ts'
import type { ServerChannel } from '../../state/state.ts'
import type { Entry } from '../../state/timeline.ts'
import { words } from '../../words/words.ts'
import { Badge } from '../kit/controls.tsx'
import { Icon } from '../kit/icons.tsx'

/** The row under a message at which a thread began. */
export const ThreadLine = ({ entry }: { entry: Entry }) => {
  follow('shell')
  const { thread } = entry
  const server_id = state.channels.get(entry.channel_id)?.server_id
  if (!thread || !server_id) return null
  const known = state.channels.get(thread.id)
  return (
    <a class={`thread-line ${known && state.isUnread(known) ? 'unread' : ''}`} href={channelPath(server_id, thread.id)}>
      <Icon name="thread" size={16} />
      <bdi>{withoutBidi(thread.name)}</bdi>
      <span class="quiet">
        {words.threads.messages(thread.message_count)}
        {thread.archived_at === null ? '' : ` · ${words.threads.archived}`}
      </span>
    </a>
  )
}

/** The threads of a channel that the account follows, below the channel in the sidebar. */
export const FollowedThreads = ({ channel_id }: { channel_id: number }) => {
  follow('shell')
  const here = route.value
  const shown = here.page === 'server' ? here.channel_id : undefined
  const threads = state
    .threadsOf(channel_id, false)
    .filter(({ id }) => state.followed.has(id) || id === shown)
    .toSorted((a, b) => a.id - b.id)
  return (
    <>
      {threads.map((thread) => (
        <FollowedThread key={thread.id} thread={thread} isHere={thread.id === shown} />
      ))}
    </>
  )
}

const FollowedThread = ({ thread, isHere }: { thread: ServerChannel; isHere: boolean }) => {
  const name = withoutBidi(thread.name)
  const mentions = state.mentions.get(thread.id) ?? 0
  const unread = state.isUnread(thread) && !isHere
  return (
    <li class={`row inside thread ${isHere ? 'here' : ''} ${unread ? 'unread' : ''}`}>
      <a
        href={channelPath(thread.server_id, thread.id)}
        aria-current={isHere && 'page'}
        aria-label={words.named(words.threads.panel(name), mentions, unread)}
      >
        <Icon name="thread" size={16} />
        <bdi>{name}</bdi>
        <Badge count={mentions} />
      </a>
    </li>
  )
}
