import { useState } from 'preact/hooks'
import type { Report, ReportState } from '../../../features/reports/model.ts'
import { call } from '../../state/session.ts'
import { moderationWords } from '../../words/moderation.ts'
import { Dialog } from '../kit/dialog.tsx'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { closeDialog } from '../kit/dialogs.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { useUnsavedDialog } from '../kit/unsaved.ts'

interface DecisionProps {
  report: Report
  to: ReportState
  onDecided: (report: Report) => void
}

/** Asks before a report is resolved, dismissed or opened again, with a note for others who read it. */
export const DecisionDialog = ({ report, to, onDecided }: DecisionProps) => {
  const [note, setNote] = useState(report.note ?? '')
  const { attempt, busy, error } = useAttempt()
  const { close } = useUnsavedDialog(note)
  const action = { open: moderationWords.reopen, resolved: moderationWords.resolve, dismissed: moderationWords.dismiss }
  const decide = async (event: Event) => {
    event.preventDefault()
    const body = { state: to, note: note === '' ? null : note }
    const after = await attempt(() => call('PUT /api/reports/:report_id', { report_id: report.id }, body))
    if (!after) return
    closeDialog()
    onDecided(after)
  }
  return (
    <Dialog title={action[to]} onClose={close} class="small">
      <form onSubmit={decide}>
        <p>{moderationWords.decideText}</p>
        <Field label={moderationWords.decision} value={note} onInput={setNote} maxLength={1000} multiline />
        <Refusal error={error} />
        <FormFooter submit={action[to]} busy={busy} />
      </form>
    </Dialog>
  )
}
