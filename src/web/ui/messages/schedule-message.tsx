import type { z } from 'zod'
import type { MessageDraft } from '../../../features/messages/model.ts'
import { newNonce } from '../../client/nonce.ts'
import { momentOf } from '../../state/format.ts'
import type { ChannelPlace } from '../../state/place.ts'
import { call } from '../../state/session.ts'
import { laterWords } from '../../words/later.ts'
import { words } from '../../words/words.ts'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog, showNote, topDialogCloser } from '../kit/dialogs.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { answer } from './current-message.ts'
import { LaterTime } from './later-time.tsx'
import { draftOf, type Said } from './send-unsent.ts'
import type { Uploads } from './uploads.ts'

interface Scheduled {
  place: ChannelPlace
  said: Said
  files: Uploads['files']
  /** Called once the server has the message: the field is emptied. */
  onScheduled: () => void
}

/** The dialog that sends the text of the field later. */
export const scheduleMessage = ({ place, said, files, onScheduled }: Scheduled) => {
  // One for all tries: a repeated request schedules once.
  const draft = { ...draftOf(said), nonce: newNonce() }
  const clear = () => {
    answer(place, undefined)
    files?.clear()
    onScheduled()
  }
  return () => <ScheduleMessage channel_id={place.channel_id} draft={draft} onScheduled={clear} />
}

interface ScheduleProps {
  channel_id: number
  draft: z.input<typeof MessageDraft>
  onScheduled: () => void
}

const ScheduleMessage = ({ channel_id, draft, onScheduled }: ScheduleProps) => {
  const { attempt, busy, error } = useAttempt()
  const schedule = async (send_at: string) => {
    const closeThis = topDialogCloser()
    const answer = await attempt(() =>
      call('POST /api/channels/:channel_id/scheduled', { channel_id }, { draft, send_at }),
    )
    if (!answer) return
    onScheduled()
    closeThis()
    showNote(laterWords.scheduled.at(momentOf(answer.send_at)))
  }
  return (
    <Dialog title={words.composer.later} onClose={closeDialog} class="small">
      <div class="later">
        <LaterTime action={laterWords.scheduled.schedule} busy={busy} set={(time) => void schedule(time)} />
        <Refusal error={error} />
      </div>
    </Dialog>
  )
}
