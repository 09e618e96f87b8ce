import type { NotificationSetting } from '../../../features/notifications/model.ts'
import { mutingIn } from '../../state/notifications.ts'
import type { ChannelPlace } from '../../state/place.ts'
import { follow, state } from '../../state/session.ts'
import { words } from '../../words/words.ts'
import { IconButton } from '../kit/controls.tsx'
import { showLater } from '../kit/dialogs.tsx'

// The dialogs are loaded when they are first opened: the page starts without them.

/** Opens the account's notification settings for a place. */
export const showNotifications = (place: Pick<NotificationSetting, 'server_id' | 'channel_id'>) =>
  showLater(async () => {
    const { NotificationSettings } = await import('./settings.tsx')
    return () => <NotificationSettings {...place} />
  })

const showInbox = () =>
  showLater(async () => {
    const { Inbox } = await import('./inbox.tsx')
    return () => <Inbox />
  })

/** Opens the choice of a date to jump to. */
export const showDates = (place: ChannelPlace) =>
  showLater(async () => {
    const { JumpToDate } = await import('./jump-to-date.tsx')
    return () => <JumpToDate place={place} />
  })

interface NotificationButtonProps extends Pick<NotificationSetting, 'server_id' | 'channel_id'> {
  /** Name of the place, if the page has several such buttons. */
  name?: string
  size?: number
}

/** The button to the account's notification settings for a place. */
export const NotificationButton = ({ name, size, ...place }: NotificationButtonProps) => {
  follow('shell')
  const channel = place.channel_id === null ? undefined : state.channels.get(place.channel_id)
  const { muted } = mutingIn(state, channel, place.server_id)
  const label = name === undefined ? words.notifications.title : words.notifications.of(name)
  return (
    <IconButton
      icon={muted ? 'bellOff' : 'bell'}
      label={muted ? `${label}, ${words.unread.muted}` : label}
      size={size ?? 20}
      onClick={() => void showNotifications(place)}
    />
  )
}

/** Opens the inbox: mentions, saved and scheduled messages. */
export const InboxButton = () => {
  follow('shell')
  const count = state.waitingInInbox()
  return (
    <IconButton
      icon="at"
      label={words.named({ name: words.inbox.open, n: count, isAny: false })}
      class={count > 0 ? 'unread' : ''}
      onClick={() => void showInbox()}
    />
  )
}

/** Opens the choice of a date to jump to. */
export const DateButton = ({ place }: { place: ChannelPlace }) => (
  <IconButton icon="calendar" label={words.date.jump} onClick={() => void showDates(place)} />
)
