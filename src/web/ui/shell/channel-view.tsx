import { useEffect } from 'preact/hooks'
import { titleOf, withoutBidi } from '../../state/names.ts'
import { channelPath, go } from '../../state/route.ts'
import { client, connection, follow, loader, state, store } from '../../state/session.ts'
import { isSpoken } from '../../state/spoken.ts'
import type { ServerChannel } from '../../state/state.ts'
import { words } from '../../words/words.ts'
import { Composer } from '../messages/composer.tsx'
import { IconButton } from '../kit/controls.tsx'
import { Icon } from '../kit/icons.tsx'
import { Members } from '../people/open-members.tsx'
import { Later } from '../kit/later.tsx'
import { MessageList } from '../messages/message-list.tsx'
import { membersBesideCall, membersShown, MenuButton, Pane, threadsShown } from '../kit/pane.tsx'
import { showThreads, Threads } from '../threads/open-list.tsx'
import { CallView } from '../voice/call-view.tsx'
import { iconOf } from './channel-navigation.tsx'
import { HeadTools } from './head-tools.tsx'

const threadPanel = async (channel_id: number) => {
  const { ThreadPanel } = await import('./thread-panel.tsx')
  return () => <ThreadPanel channel_id={channel_id} />
}

const forumPage = async (channel_id: number) => {
  const { ForumPage } = await import('../forums/forum-page.tsx')
  return () => <ForumPage channel_id={channel_id} />
}

/** A channel of a server: its call and messages, and next to them a thread, the list of threads, or the members. */
export const ChannelView = ({ channel, thread }: { channel: ServerChannel; thread?: ServerChannel | undefined }) => {
  follow('shell', 'members')
  const { id: channel_id, server_id } = channel
  useEffect(() => {
    void loader.overwrites(channel_id).catch(() => {})
    void import('../../state/member-lists.ts')
      .then((lists) => lists.fetchMembers(client, store, server_id))
      .catch(() => {})
  }, [channel_id, channel.parent_id, connection.value === 'online'])
  const name = withoutBidi(channel.name)
  const title = titleOf(channel)
  const isVoice = isSpoken(channel)
  const isForum = channel.type === 'forum'
  const members = isVoice ? membersBesideCall : membersShown
  const isLively = state.lively.has(channel_id)
  const head = (
    <header class="bar">
      <MenuButton />
      <Icon name={iconOf(channel)} />
      <h1>
        <bdi>{name}</bdi>
      </h1>
      <p class="topic" title={channel.topic}>
        <bdi>{channel.topic}</bdi>
      </p>
      <HeadTools server_id={server_id} channel_id={channel_id} />
      {isForum ? null : (
        <IconButton
          icon="thread"
          label={words.threads.show(isLively)}
          pressed={threadsShown.value}
          class={isLively ? 'lively' : ''}
          onClick={async () => {
            await showThreads(thread !== undefined || !threadsShown.value)
            if (thread) go(channelPath(server_id, channel_id))
          }}
        />
      )}
      <IconButton
        icon="members"
        label={words.membersTitle}
        pressed={members.value}
        onClick={() => (members.value = !members.value)}
      />
    </header>
  )
  const place = { channel_id }
  const isListed = threadsShown.value && !isForum
  return (
    <Pane title={thread ? titleOf(thread) : title} head={head}>
      <div class={`columns ${isVoice ? 'with-call' : ''} ${thread || isListed ? 'with-panel' : ''}`}>
        {isVoice ? <CallView key={channel_id} channel_id={channel_id} /> : null}
        {isForum ? (
          <Later key={channel_id} load={() => forumPage(channel_id)} silent />
        ) : (
          <div class="conversation">
            <MessageList key={channel_id} place={place} title={title} />
            <Composer key={`in ${channel_id}`} place={place} title={title} channel={channel} />
          </div>
        )}
        {thread ? (
          <Later key={thread.id} load={() => threadPanel(thread.id)} silent />
        ) : isListed ? (
          <Threads key={channel_id} channel={channel} />
        ) : members.value ? (
          <Members key={`members of ${server_id}`} of="server" id={server_id} />
        ) : null}
      </div>
    </Pane>
  )
}
