import { useEffect } from 'preact/hooks'
import { titleOf, withoutBidi } from '../../state/names.ts'
import { channelPath, go } from '../../state/route.ts'
import { connection, follow, loader, state } from '../../state/session.ts'
import type { ServerChannel } from '../../state/state.ts'
import { words } from '../../words/words.ts'
import { Composer } from '../messages/composer.tsx'
import { IconButton } from '../kit/controls.tsx'
import { Icon } from '../kit/icons.tsx'
import { MembersList } from '../server/members.tsx'
import { PinsButton } from '../messages/open-pins.tsx'
import { MessageList } from '../messages/message-list.tsx'
import { membersShown, MenuButton, Pane, threadsShown } from '../kit/pane.tsx'
import { ThreadList } from '../threads/thread-list.tsx'
import { ThreadPanel } from '../threads/thread-panel.tsx'
import { SearchButton } from '../search/open-search.tsx'
import { DateButton, NotificationButton } from '../notifications/buttons.tsx'
import { CallView } from '../voice/call-view.tsx'

/** A channel of a server: its call and messages; beside them a thread, the list of threads, or the members. */
export const ChannelView = ({ channel, thread }: { channel: ServerChannel; thread?: ServerChannel | undefined }) => {
  follow('shell', 'members')
  const { id: channel_id, server_id } = channel
  useEffect(() => {
    void loader.overwrites(channel_id).catch(() => {})
    void loader.members(server_id).catch(() => {})
  }, [channel_id, channel.parent_id, connection.value === 'online'])
  const name = withoutBidi(channel.name)
  const title = titleOf(channel)
  const isLively = state.lively.has(channel_id)
  const head = (
    <header class="bar">
      <MenuButton />
      <Icon name={channel.type === 'text' ? 'hash' : 'voice'} />
      <h1>
        <bdi>{name}</bdi>
      </h1>
      <p class="topic" title={channel.topic}>
        <bdi>{channel.topic}</bdi>
      </p>
      <DateButton place={{ channel_id }} />
      <NotificationButton server_id={server_id} channel_id={channel_id} />
      <SearchButton />
      <PinsButton channel_id={channel_id} />
      <IconButton
        icon="thread"
        label={words.threads.show(isLively)}
        pressed={threadsShown.value}
        class={isLively ? 'lively' : ''}
        onClick={() => {
          threadsShown.value = thread !== undefined || !threadsShown.value
          if (thread) go(channelPath(server_id, channel_id))
        }}
      />
      <IconButton
        icon="members"
        label={words.membersTitle}
        pressed={membersShown.value}
        onClick={() => (membersShown.value = !membersShown.value)}
      />
    </header>
  )
  const place = { channel_id }
  return (
    <Pane title={thread ? titleOf(thread) : title} head={head}>
      <div class={`columns ${thread || threadsShown.value ? 'with-panel' : ''}`}>
        <div class="conversation">
          {channel.type === 'voice' ? <CallView channel={channel} /> : null}
          <MessageList place={place} title={title} />
          <Composer place={place} title={title} channel={channel} />
        </div>
        {thread ? (
          <ThreadPanel key={thread.id} thread={thread} />
        ) : threadsShown.value ? (
          <ThreadList channel={channel} />
        ) : membersShown.value ? (
          <MembersList
            ids={[...(state.members.get(server_id)?.keys() ?? [])]}
            owner_id={state.servers.get(server_id)?.owner_id ?? null}
            server_id={server_id}
          />
        ) : null}
      </div>
    </Pane>
  )
}
