import type { Channel } from '../../../features/access/model.ts'
import type { ChannelPlace } from '../../state/place.ts'
import { go, placePath } from '../../state/route.ts'
import { fileDays, messageDaysOf } from '../../state/retention.ts'
import { follow, state } from '../../state/session.ts'
import { isServerChannel } from '../../state/state.ts'
import { words } from '../../words/words.ts'
import { Avatar, GroupPicture } from '../kit/controls.tsx'
import { Icon } from '../kit/icons.tsx'
import { showAddPeople } from '../people/show-people.tsx'
import { showChannelTopic, showNewInvite } from '../server/show-server.tsx'
import { Quote } from './quote.tsx'
import { seek } from './scroll.ts'

/** Key of the words that introduce a place. */
function kindOf(type: Channel['type'] | undefined): keyof typeof words.messages.beginnings {
  return type === 'dm' || type === 'group' || type === 'thread' ? type : 'channel'
}

/** Introduction above the first message of a place: its purpose and the next steps. */
export const Beginning = ({ place, title }: { place: ChannelPlace; title: string }) => {
  follow('shell')
  const channel = state.channels.get(place.channel_id)
  const [messageLimit, fileLimit] = [messageDaysOf(channel), fileDays()]
  const lines = [
    messageLimit === undefined ? '' : words.retention.messages(messageLimit),
    fileLimit === undefined ? '' : words.retention.files(fileLimit),
  ]
  const line = lines.filter(Boolean).join(' ')
  // A post begins with its first message, which says what it is about.
  const beginning = channel?.tag_ids ? '' : words.messages.beginnings[kindOf(channel?.type)]
  const text = channel?.pruned_before_id ? words.retention.pruned : channel?.topic || beginning
  return (
    <div class="beginning">
      {channel ? <Sign channel={channel} /> : null}
      <h2>
        <bdi>{title}</bdi>
      </h2>
      {text ? (
        <p class="quiet" dir="auto">
          {text}
        </p>
      ) : null}
      {channel?.type === 'thread' && channel.parent_id !== null && channel.message_id !== null ? (
        <BegunAt channel_id={channel.parent_id} message_id={channel.message_id} />
      ) : null}
      {line ? <p class="quiet">{line}</p> : null}
      {channel ? <NextSteps channel={channel} /> : null}
    </div>
  )
}

const Sign = ({ channel }: { channel: Channel }) => {
  const partner = state.partnerOf(channel)
  if (partner !== undefined) return <Avatar id={partner} size={64} />
  if (channel.type === 'group') return <GroupPicture channel={channel} size={64} />
  return (
    <span class="sign">
      <Icon
        name={
          channel.type === 'thread'
            ? 'thread'
            : channel.type === 'voice' || channel.type === 'stage'
              ? channel.type
              : 'hash'
        }
        size={26}
      />
    </span>
  )
}

/** Next steps in a new place. */
const NextSteps = ({ channel }: { channel: Channel }) => {
  const { id } = channel
  const isOfServer = isServerChannel(channel) && channel.type !== 'thread'
  const serverId = isOfServer ? channel.server_id : undefined
  return (
    <div class="choices">
      {serverId !== undefined && channel.topic === '' && state.may(serverId, 'manage_channels') ? (
        <button type="button" onClick={() => void showChannelTopic(id)}>
          <Icon name="edit" size={16} /> {words.channels.addTopic}
        </button>
      ) : null}
      {serverId !== undefined && state.may(serverId, 'create_invite') ? (
        <button type="button" onClick={() => void showNewInvite(serverId)}>
          <Icon name="invite" size={16} /> {words.invite.people}
        </button>
      ) : null}
      {channel.type === 'group' ? (
        <button type="button" onClick={() => void showAddPeople(id)}>
          <Icon name="invite" size={16} /> {words.groups.add}
        </button>
      ) : null}
    </div>
  )
}

/** On narrower screens the thread covers the channel. */
const COVERED = '(max-width: 1000px)'

/** The message that a thread began at. */
const BegunAt = ({ channel_id, message_id }: { channel_id: number; message_id: number }) => {
  const show = () =>
    window.matchMedia(COVERED).matches ? go(placePath(channel_id, message_id)) : seek({ channel_id }, message_id)
  return <Quote place={{ channel_id }} id={message_id} onShow={show} />
}
