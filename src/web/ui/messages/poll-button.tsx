import type { Channel } from '../../../features/access/model.ts'
import { state } from '../../state/session.ts'
import type { ChannelPlace } from '../../state/place.ts'
import { words } from '../../words/words.ts'
import { IconButton } from '../kit/controls.tsx'
import { showLater } from '../kit/dialogs.tsx'

/** The button of the empty composer that begins a poll. */
export const PollButton = ({ place, channel }: { place: ChannelPlace; channel: Channel }) => {
  const begin = () =>
    showLater(async () => {
      const { newPoll } = await import('./new-poll.tsx')
      return newPoll(place)
    })
  if (!state.mayIn(channel, 'send_polls')) return null
  return <IconButton icon="poll" size={20} label={words.composer.poll} class="begin-poll" onClick={begin} />
}
