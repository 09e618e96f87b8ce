import { useState } from 'preact/hooks'
import type { ChannelPlace } from '../../state/place.ts'
import { call } from '../../state/session.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { words } from '../../words/words.ts'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog, topDialogCloser } from '../kit/dialogs.tsx'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { jumpTo } from '../messages/jump.ts'

/** The start of a day in the local time zone. */
const startOf = (date: string): string => new Date(`${date}T00:00:00`).toISOString()

/** Jumps to the first message of a day, or the next one after it. */
export const JumpToDate = ({ place: { channel_id } }: { place: ChannelPlace }) => {
  const [date, setDate] = useState('')
  const [isEmpty, setEmpty] = useState(false)
  const { attempt, busy, error } = useAttempt()
  const jump = async (event: Event) => {
    event.preventDefault()
    const closeThis = topDialogCloser()
    const answer = await attempt(() =>
      call('GET /api/channels/:channel_id/first-message', { channel_id, since: startOf(date) }),
    )
    if (!answer) return
    setEmpty(answer.message_id === null)
    if (answer.message_id === null) return
    closeThis()
    jumpTo(channel_id, answer.message_id)
  }
  return (
    <Dialog title={words.date.jump} onClose={closeDialog} class="small">
      <form onSubmit={jump}>
        <label class="field">
          <span>{dialogWords.date.field}</span>
          <input type="date" value={date} required onInput={(event) => setDate(event.currentTarget.value)} />
        </label>
        {isEmpty ? <p role="status">{dialogWords.date.none}</p> : null}
        <Refusal error={error} />
        <FormFooter submit={dialogWords.date.go} busy={busy} />
      </form>
    </Dialog>
  )
}
