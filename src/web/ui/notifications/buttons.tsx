import type { NotificationSetting } from '../../../features/notifications/model.ts'
import { mutingIn } from '../../state/notifications.ts'
import type { ChannelPlace } from '../../state/place.ts'
import { follow, state } from '../../state/session.ts'
import { words } from '../../words/words.ts'
import { IconButton } from '../kit/controls.tsx'
import { showDialog } from '../kit/dialogs.tsx'
import { Inbox } from './inbox.tsx'
import { JumpToDate } from './jump-to-date.tsx'
import { NotificationSettings } from './settings.tsx'

/** Opens what the account has set for a place. */
export const NotificationButton = (place: Pick<NotificationSetting, 'server_id' | 'channel_id'>) => {
  follow('shell')
  const channel = place.channel_id === null ? undefined : state.channels.get(place.channel_id)
  const { muted } = mutingIn(state, channel, place.server_id)
  return (
    <IconButton
      icon={muted ? 'bellOff' : 'bell'}
      label={muted ? `${words.notifications.title}, ${words.unread.muted}` : words.notifications.title}
      onClick={() => showDialog(() => <NotificationSettings {...place} />)}
    />
  )
}

/** Opens the inbox of mentions. */
export const InboxButton = () => (
  <IconButton icon="at" label={words.inbox.open} onClick={() => showDialog(() => <Inbox />)} />
)

/** Opens the choice of a date to jump to. */
export const DateButton = ({ place }: { place: ChannelPlace }) => (
  <IconButton icon="calendar" label={words.date.jump} onClick={() => showDialog(() => <JumpToDate place={place} />)} />
)
