import type { ChannelPlace } from '../../state/place.ts'
import { words } from '../../words/words.ts'
import { IconButton } from '../kit/controls.tsx'
import { showLater } from '../kit/dialogs.tsx'
import { answeredIn } from './current-message.ts'
import type { Uploads } from './uploads.ts'

interface LaterButtonProps {
  place: ChannelPlace
  content: string
  files: Uploads['files']
  onScheduled: () => void
}

/** The button that sends the draft later, once there is one. */
export const LaterButton = ({ place, content, files, onScheduled }: LaterButtonProps) => {
  const file_ids = files?.ids ?? []
  if (content === '' && file_ids.length === 0) return null
  const schedule = () =>
    showLater(async () => {
      const { scheduleMessage } = await import('./schedule-message.tsx')
      return scheduleMessage({ place, said: { content, file_ids, reply: answeredIn(place) }, files, onScheduled })
    })
  return <IconButton icon="clock" size={20} label={words.composer.later} onClick={schedule} />
}
