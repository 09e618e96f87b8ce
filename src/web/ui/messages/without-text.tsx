import type { Channel } from '../../../features/access/model.ts'
import { state } from '../../state/session.ts'
import type { ChannelPlace } from '../../state/place.ts'
import { words } from '../../words/words.ts'
import { IconButton } from '../kit/controls.tsx'
import { showLater } from '../kit/dialogs.tsx'
import type { Uploads } from './uploads.ts'

interface PollProps {
  place: ChannelPlace
  channel: Channel
}

const PollButton = ({ place, channel }: PollProps) => {
  const begin = () =>
    showLater(async () => {
      const { newPoll } = await import('./new-poll.tsx')
      return newPoll(place)
    })
  if (!state.mayIn(channel, 'send_polls')) return null
  return <IconButton icon="poll" size={20} label={words.composer.poll} class="begin-poll" onClick={begin} />
}

interface WithoutTextProps extends PollProps {
  files: Uploads['files']
  record: () => void
}

/** The buttons of a composer without a text: a poll, and a voice message. */
export const WithoutText = ({ place, channel, files, record }: WithoutTextProps) => (
  <>
    {files?.ids.length ? null : <PollButton place={place} channel={channel} />}
    {files?.isFree === false ? null : (
      <IconButton icon="mic" size={20} label={words.composer.record} onClick={record} />
    )}
  </>
)
