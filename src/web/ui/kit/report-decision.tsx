import { useState } from 'preact/hooks'
import type { Report, ReportState } from '../../../features/reports/model.ts'
import { moderationWords } from '../../words/moderation.ts'
import { Dialog } from './dialog.tsx'
import { FormFooter } from './dialog-forms.tsx'
import { topDialogCloser } from './dialogs.tsx'
import { Field, Refusal, useAttempt } from './forms.tsx'
import { useUnsavedDialog } from './unsaved.ts'

interface DecisionProps {
  report: Report
  to: ReportState
  decide: (body: { state: ReportState; note: string | null }) => Promise<Report>
  onDecided: (report: Report) => void
}

/** Asks before a report is resolved, dismissed or opened again, with a note for others who read it. */
export const DecisionDialog = ({ report, to, decide, onDecided }: DecisionProps) => {
  const [note, setNote] = useState(report.note ?? '')
  const { attempt, busy, error } = useAttempt()
  const { close } = useUnsavedDialog(note)
  const action = { open: moderationWords.reopen, resolved: moderationWords.resolve, dismissed: moderationWords.dismiss }
  const submit = async (event: Event) => {
    event.preventDefault()
    const closeThis = topDialogCloser()
    const after = await attempt(() => decide({ state: to, note: note === '' ? null : note }))
    if (!after) return
    closeThis()
    onDecided(after)
  }
  return (
    <Dialog title={action[to]} onClose={close} class="small">
      <form onSubmit={submit}>
        <p>{moderationWords.decideText}</p>
        <Field label={moderationWords.decision} value={note} onInput={setNote} maxLength={1000} multiline />
        <Refusal error={error} />
        <FormFooter submit={action[to]} busy={busy} />
      </form>
    </Dialog>
  )
}
