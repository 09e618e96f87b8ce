import type { ChannelPlace } from '../../state/place.ts'
import { words } from '../../words/words.ts'
import { IconButton } from '../kit/controls.tsx'
import { answer, answeredIn } from './current-message.ts'
import { sendLater } from './send-unsent.ts'
import type { Uploads } from './uploads.ts'

interface LaterButtonProps {
  place: ChannelPlace
  content: string
  files: Uploads['files']
  onScheduled: () => void
}

/** The button that sends the draft later, once there is one. */
export const LaterButton = ({ place, content, files, onScheduled }: LaterButtonProps) => {
  const fileIds = files?.ids ?? []
  if (content === '' && fileIds.length === 0) return null
  const clear = () => {
    answer(place, undefined)
    files?.clear()
    onScheduled()
  }
  const schedule = () => void sendLater(place, { content, file_ids: fileIds, reply: answeredIn(place) }, clear)
  return <IconButton icon="clock" size={20} label={words.composer.later} onClick={schedule} />
}
