import { useEffect, useState } from 'preact/hooks'
import type { Channel } from '../../../features/access/model.ts'
import type { ApiError } from '../../client/rest.ts'
import { nameOf, titleOf } from '../../state/names.ts'
import { connection, follow, loader, state } from '../../state/session.ts'
import { channelPath, go, placePath } from '../../state/route.ts'
import { words } from '../../words/words.ts'
import { Avatar, GroupPicture, IconButton, StatusLine } from '../kit/controls.tsx'
import { tellNotLoaded } from '../kit/dialogs.tsx'
import { membersShown, MenuButton, Pane } from '../kit/pane.tsx'
import { Composer } from '../messages/composer.tsx'
import { MessageList } from '../messages/message-list.tsx'
import { seek } from '../messages/scroll.ts'
import { showAddPeople, showGroupSettings, showProfile } from '../people/show-people.tsx'
import { Members } from '../people/open-members.tsx'
import { canCall, followCall, joining, voicesIn } from '../../voice/shown-call.ts'
import { CallView } from '../voice/call-view.tsx'
import { HeadTools } from './head-tools.tsx'
import { Waiting } from './waiting.tsx'
import { Later } from '../kit/later.tsx'

/** A channel of any type by its id, optionally at a message. A server's channel is shown within its server. */
export const PlacePage = ({ channel_id, message_id }: { channel_id: number; message_id: number | undefined }) => {
  follow('shell')
  const [error, setError] = useState<ApiError>()
  const channel = state.channels.get(channel_id)
  const isOnline = connection.value === 'online'
  useEffect(() => {
    if (!channel && state.isSynced) loader.enter(channel_id).then(() => setError(undefined), setError)
  }, [channel_id, !channel, state.isSynced, isOnline])
  const isElsewhere = channel !== undefined && (channel.server_id !== null || message_id !== undefined)
  useEffect(() => {
    if (!channel || !isElsewhere) return
    if (message_id !== undefined) seek({ channel_id }, message_id)
    go(channel.server_id === null ? placePath(channel_id) : channelPath(channel.server_id, channel_id), true)
  }, [channel_id, message_id, isElsewhere])
  if (channel && !isElsewhere) return <ConversationView channel={channel} />
  return <Waiting title="" error={channel ? undefined : error} />
}

const requestBar = async (channel_id: number, user_id: number) => {
  const { RequestBar } = await import('../people/requests.tsx')
  return () => <RequestBar channel_id={channel_id} user_id={user_id} />
}

/** A dm or group: its messages and people. */
const ConversationView = ({ channel }: { channel: Channel }) => {
  follow('shell', 'members', 'voices')
  const title = titleOf(channel)
  const place = { channel_id: channel.id }
  const partner = state.partnerOf(channel)
  return (
    <Pane
      title={title}
      head={partner === undefined ? <GroupHead channel={channel} /> : <DmHead channel={channel} user_id={partner} />}
    >
      <div class="columns">
        <div class="conversation">
          {hasCall(channel) ? <CallView channel_id={channel.id} /> : null}
          <MessageList key={channel.id} place={place} title={title} />
          {partner !== undefined && state.isRequest(channel.id) ? (
            <Later key={`request ${channel.id}`} load={() => requestBar(channel.id, partner)} />
          ) : (
            <Composer key={channel.id} place={place} title={title} channel={channel} />
          )}
        </div>
        {partner === undefined && membersShown.value ? (
          <Members key={`members of ${channel.id}`} of="group" id={channel.id} />
        ) : null}
      </div>
    </Pane>
  )
}

/** True if the dm or group has a call. */
const hasCall = ({ id }: Channel): boolean => voicesIn(id).length > 0 || followCall()?.channel_id === id

const begin = (channel_id: number): Promise<void> =>
  import('../../voice/current-call.ts').then(({ join }) => join(channel_id), tellNotLoaded)

/** Starts a call. If there is one, its view offers to join it instead. */
const CallButton = ({ channel }: { channel: Channel }) => {
  follow('voices', 'shell')
  const partner = state.partnerOf(channel)
  const isBlocked = partner !== undefined && state.relations.get(partner)?.state === 'blocked'
  if (isBlocked || state.isRequest(channel.id) || joining.value || hasCall(channel) || !canCall()) return null
  return <IconButton icon="phone" label={words.voice.start} onClick={() => void begin(channel.id)} />
}

const DmHead = ({ channel, user_id }: { channel: Channel; user_id: number }) => (
  <header class="bar">
    <MenuButton />
    <Avatar id={user_id} size={28} status />
    <h1>
      <bdi>{nameOf(user_id)}</bdi>
    </h1>
    <p class="topic">
      <StatusLine id={user_id} />
    </p>
    <HeadTools server_id={null} channel_id={channel.id}>
      <IconButton icon="more" label={words.profile.open} onClick={() => void showProfile(user_id)} />
    </HeadTools>
    <CallButton channel={channel} />
  </header>
)

const GroupHead = ({ channel }: { channel: Channel }) => (
  <header class="bar">
    <MenuButton />
    <GroupPicture channel={channel} size={28} />
    <h1>
      <bdi>{titleOf(channel)}</bdi>
    </h1>
    <p class="topic">{words.groups.people(channel.recipients?.length ?? 0)}</p>
    <HeadTools server_id={null} channel_id={channel.id}>
      <IconButton icon="invite" label={words.groups.add} onClick={() => void showAddPeople(channel.id)} />
      <IconButton icon="gear" label={words.groups.settings} onClick={() => void showGroupSettings(channel.id)} />
    </HeadTools>
    <CallButton channel={channel} />
    <IconButton
      icon="members"
      label={words.membersTitle}
      pressed={membersShown.value}
      onClick={() => (membersShown.value = !membersShown.value)}
    />
  </header>
)
