import { useState } from 'preact/hooks'
import { state } from '../../state/session.ts'
import { settingsWords } from '../../words/settings.ts'
import { words } from '../../words/words.ts'
import { askToConfirm } from '../kit/ask.tsx'
import { showNote } from '../kit/dialogs.tsx'
import { useUnsaved } from '../kit/unsaved.ts'
import { FormFooter, SelectField } from '../kit/dialog-forms.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'

/** The times to choose from, in days; 0 sets none. */
const CHOICES = [0, 1, 7, 30, 90, 180, 365]

interface Props {
  /** The retention set here. */
  days: number | null
  /** The limit above it: the operator's retention, and for a channel that of its server. */
  outer: number | undefined
  save: (days: number | null) => Promise<unknown>
}

/** The form for the retention of messages of a server or channel, in days. */
export const RetentionForm = ({ days, outer, save }: Props) => {
  const [chosenDays, setChosen] = useState(days ?? 0)
  const { attempt, busy, error } = useAttempt()
  const markSaved = useUnsaved(chosenDays)
  const saveDays = async () => {
    await save(chosenDays || null)
    markSaved()
    showNote(words.saved)
  }
  const submit = (event: Event) => {
    event.preventDefault()
    if (chosenDays === 0 || (days !== null && days <= chosenDays)) return void attempt(saveDays)
    askToConfirm({
      title: settingsWords.retention.field,
      text: settingsWords.retention.warning(chosenDays),
      action: settingsWords.retention.confirm,
      work: saveDays,
    })
  }
  const choices = [...new Set([...CHOICES, days ?? 0])].toSorted((a, b) => a - b)
  const noLimit = outer === undefined ? settingsWords.retention.never : settingsWords.retention.noSooner
  const files = state.retention?.file_days ?? undefined
  return (
    <form class="apart" onSubmit={submit}>
      <SelectField
        label={settingsWords.retention.field}
        value={chosenDays}
        options={choices.map((each) => [each, each === 0 ? noLimit : settingsWords.retention.choice(each)])}
        onChange={setChosen}
      />
      {outer === undefined ? null : <p class="quiet">{settingsWords.retention.outer(outer)}</p>}
      {files === undefined ? null : <p class="quiet">{words.retention.files(files)}</p>}
      <Refusal error={error} />
      <FormFooter submit={settingsWords.retention.save} busy={busy} />
    </form>
  )
}
