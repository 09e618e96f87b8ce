import { threadsUnder } from '../../state/channel-walk.ts'
import { briefOf, momentOf } from '../../state/format.ts'
import { withoutBidi } from '../../state/names.ts'
import { badgeOf, isUnreadAloud } from '../../state/notifications.ts'
import { channelPath, route } from '../../state/route.ts'
import { follow, state } from '../../state/session.ts'
import type { ServerChannel } from '../../state/state.ts'
import type { Entry } from '../../state/timeline.ts'
import { hasUnsent } from '../../state/unsent.ts'
import { words } from '../../words/words.ts'
import { Badge, DraftSign } from '../kit/controls.tsx'
import { Icon } from '../kit/icons.tsx'
import { prefetching } from '../kit/prefetch.ts'

/** The row under a message at which a thread began. */
export const ThreadLine = ({ entry }: { entry: Entry }) => {
  follow('shell')
  const { thread } = entry
  const serverId = state.channels.get(entry.channel_id)?.server_id
  if (!thread || !serverId) return null
  const channel = state.channels.get(thread.id)
  const unread = channel && isUnreadAloud(state, channel)
  return (
    <a
      class={`thread-line ${unread ? 'unread' : ''}`}
      href={channelPath(serverId, thread.id)}
      {...prefetching(thread.id)}
    >
      <Icon name="thread" size={16} />
      <bdi>{withoutBidi(thread.name)}</bdi>
      <span class="quiet">
        {words.threads.messages(thread.message_count)}
        {thread.last_message_at === null ? null : <LastWritten at={thread.last_message_at} />}
        {thread.archived_at === null ? '' : ` · ${words.threads.archived}`}
      </span>
      <DraftSign channel_id={thread.id} />
    </a>
  )
}

/** When somebody last wrote in a thread: of today the time, of other days the date. */
const LastWritten = ({ at }: { at: string }) => (
  <>
    {' · '}
    <time dateTime={at} title={momentOf(at)}>
      {briefOf(at)}
    </time>
  </>
)

/** The threads of a channel that the account follows, below the channel in the sidebar. */
export const FollowedThreads = ({ channel_id }: { channel_id: number }) => {
  follow('shell')
  const here = route.value
  const currentId = here.page === 'server' ? here.channel_id : undefined
  const threads = threadsUnder(state, channel_id, currentId)
  return (
    <>
      {threads.map((thread) => (
        <FollowedThread key={thread.id} thread={thread} isHere={thread.id === currentId} />
      ))}
    </>
  )
}

const FollowedThread = ({ thread, isHere }: { thread: ServerChannel; isHere: boolean }) => {
  const name = withoutBidi(thread.name)
  const mentions = badgeOf(state, thread)
  const unread = isUnreadAloud(state, thread) && !isHere
  return (
    <li class={`row inside thread ${isHere ? 'here' : ''} ${unread ? 'unread' : ''}`}>
      <a
        href={channelPath(thread.server_id, thread.id)}
        data-menu={`channel ${thread.id}`}
        {...prefetching(thread.id)}
        aria-current={isHere && 'page'}
        aria-label={
          words.named({ name: words.threads.panel(name), n: mentions, isAny: unread }) +
          (!isHere && hasUnsent(thread.id) ? words.withDraft : '')
        }
      >
        <Icon name="thread" size={16} />
        <bdi>{name}</bdi>
        {isHere ? null : <DraftSign channel_id={thread.id} />}
        <Badge count={mentions} isNamed />
      </a>
    </li>
  )
}
