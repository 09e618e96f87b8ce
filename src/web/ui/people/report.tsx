import { useState } from 'preact/hooks'
import type { ReportReason } from '../../../features/reports/model.ts'
import { withoutBidi } from '../../state/names.ts'
import { call, state } from '../../state/session.ts'
import { moderationWords } from '../../words/moderation.ts'
import { Dialog } from '../kit/dialog.tsx'
import { FormFooter, SelectField } from '../kit/dialog-forms.tsx'
import { showNote, topDialogCloser } from '../kit/dialogs.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { useUnsavedDialog } from '../kit/unsaved.ts'

/** A message or a profile to report, with the server in which it was seen. */
interface Reportable {
  author_id: number
  server_id: number | null
  /** Absent for a profile. */
  message_id?: number
}

const reasons = Object.entries(moderationWords.reasons) as [ReportReason, string][]

/** The form that reports a message or a profile. It says who will read the report. */
export const ReportDialog = ({ author_id, server_id, message_id }: Reportable) => {
  const [reason, setReason] = useState<ReportReason>('spam')
  const [note, setNote] = useState('')
  const [toOperator, setToOperator] = useState(0)
  const { attempt, busy, error } = useAttempt()
  const { close } = useUnsavedDialog([reason, note, toOperator])
  const server = server_id === null ? undefined : state.servers.get(server_id)
  const name = withoutBidi(server?.name ?? '')
  const isOperators =
    server === undefined || server.owner_id === author_id || reason === 'minor_safety' || toOperator === 1
  const readByModerators =
    message_id === undefined ? moderationWords.readProfileByModerators : moderationWords.readByModerators
  const send = async (event: Event) => {
    event.preventDefault()
    const closeThis = topDialogCloser()
    const body = { reason, ...(note === '' ? {} : { note }) }
    const isSent = await attempt(async () => {
      if (message_id !== undefined) await call('POST /api/messages/:message_id/reports', { message_id }, body)
      else {
        const place = server === undefined || toOperator === 1 ? {} : { server_id: server.id }
        await call('POST /api/users/:user_id/reports', { user_id: author_id }, { ...body, ...place })
      }
      return true
    })
    if (!isSent) return
    closeThis()
    showNote(moderationWords.sent)
  }
  return (
    <Dialog
      title={message_id === undefined ? moderationWords.reportProfile : moderationWords.reportMessage}
      onClose={close}
      class="small"
    >
      <form onSubmit={send}>
        <SelectField label={moderationWords.reason} value={reason} options={reasons} onChange={setReason} />
        {message_id === undefined && server !== undefined ? (
          <SelectField
            label={moderationWords.readers}
            value={toOperator}
            options={[
              [0, moderationWords.toModerators(name)],
              [1, moderationWords.toOperator],
            ]}
            onChange={setToOperator}
          />
        ) : null}
        <Field label={moderationWords.note} value={note} onInput={setNote} maxLength={500} multiline />
        <p role="status">{isOperators ? moderationWords.readByOperator : readByModerators(name)}</p>
        <p class="quiet">{message_id === undefined ? moderationWords.keptProfile : moderationWords.kept}</p>
        <Refusal error={error} />
        <FormFooter submit={moderationWords.send} busy={busy} />
      </form>
    </Dialog>
  )
}
