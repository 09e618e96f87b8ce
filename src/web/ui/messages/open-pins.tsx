import type { Channel } from '../../../features/access/model.ts'
import type { Entry } from '../../state/timeline.ts'
import { state } from '../../state/session.ts'
import { words } from '../../words/words.ts'
import { IconButton } from '../kit/controls.tsx'
import { seek } from './scroll.ts'
import { showLater } from '../kit/dialogs.tsx'

/** Opens the pinned messages of a place. */
export const openPins = (channel_id: number): Promise<void> =>
  showLater(async () => {
    const { PinsPanel } = await import('./pins.tsx')
    return () => <PinsPanel channel_id={channel_id} />
  })

/** The button of a place's head that opens its pinned messages. */
export const PinsButton = ({ channel_id }: { channel_id: number }) => (
  <IconButton icon="pin" label={words.pins.title} onClick={() => void openPins(channel_id)} />
)

/** Shows the message that a notice is about. */
export const ShowMessage = ({ entry: { channel_id, data } }: { entry: Entry }) => (
  <button type="button" class="link" onClick={() => seek({ channel_id }, data?.message_id ?? 0)}>
    {words.pins.show}
  </button>
)

/** Shows the message of a pin notice, or all pinned messages. */
export const PinLinks = ({ entry }: { entry: Entry }) => (
  <>
    <ShowMessage entry={entry} />
    {' · '}
    <button type="button" class="link" onClick={() => void openPins(entry.channel_id)}>
      {words.pins.showAll}
    </button>
  </>
)

export const mayPin = ({ channel_id, kind }: Entry): boolean => {
  const channel: Channel | undefined = state.channels.get(channel_id)
  return kind === 'default' && channel !== undefined && state.mayIn(channel, 'pin_messages')
}
