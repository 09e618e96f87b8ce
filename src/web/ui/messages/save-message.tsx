import { useEffect, useState } from 'preact/hooks'
import type { SavedMark } from '../../../features/saved/model.ts'
import { momentOf } from '../../state/format.ts'
import { call } from '../../state/session.ts'
import { laterWords } from '../../words/later.ts'
import { actionWords } from '../../words/actions.ts'
import { words } from '../../words/words.ts'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog, topDialogCloser } from '../kit/dialogs.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { LaterTime } from './later-time.tsx'

const NOTE_MAX = 500

type Change = Partial<Pick<SavedMark, 'note' | 'remind_at'>>

/** The dialog that saves a message at once, and then takes a note and a reminder. */
export const saveMessage = (message_id: number) => () => <SaveMessage message_id={message_id} />

const SaveMessage = ({ message_id }: { message_id: number }) => {
  const [mark, setMark] = useState<SavedMark>()
  const [note, setNote] = useState('')
  const { attempt, busy, error } = useAttempt()
  const save = async (change: Change) => {
    const answer = await attempt(() => call('PUT /api/saved/:message_id', { message_id }, change))
    if (answer) setMark(answer)
    return answer
  }
  useEffect(() => void save({}).then((answer) => setNote(answer?.note ?? '')), [])
  const submit = async (event: Event) => {
    event.preventDefault()
    const closeThis = topDialogCloser()
    if (await save({ note: note.trim() || null })) closeThis()
  }
  const remove = async () => {
    const closeThis = topDialogCloser()
    const isRemoved = await attempt(async () => {
      await call('DELETE /api/saved/:message_id', { message_id })
      return true
    })
    if (isRemoved) closeThis()
  }
  const says = laterWords.saved
  return (
    <Dialog title={actionWords.message.save} onClose={closeDialog} class="small">
      <form onSubmit={submit}>
        <Field label={says.note} value={note} onInput={setNote} hint={says.noteText} maxLength={NOTE_MAX} multiline />
        {mark ? <Reminder mark={mark} busy={busy} set={(remind_at) => void save({ remind_at })} /> : null}
        <Refusal error={error} />
        <FormFooter submit={words.save} busy={busy || !mark}>
          <button type="button" class="danger" disabled={busy || !mark} onClick={() => void remove()}>
            {says.remove}
          </button>
        </FormFooter>
      </form>
    </Dialog>
  )
}

/** When the account is reminded, as its list of saved messages and the dialog say it. */
export const reminderText = ({ remind_at, due }: Pick<SavedMark, 'remind_at' | 'due'>): string | undefined => {
  if (remind_at === null) return undefined
  const time = momentOf(remind_at)
  return due ? laterWords.saved.since(time) : laterWords.saved.until(time)
}

interface ReminderProps {
  mark: SavedMark
  busy: boolean
  set: (remind_at: string | null) => void
}

/** Sets or removes the reminder; applies at once. */
const Reminder = ({ mark, busy, set }: ReminderProps) => {
  const says = laterWords.saved
  const text = reminderText(mark)
  return (
    <fieldset class="field">
      <legend>{says.remind}</legend>
      {text ? (
        <p role="status">
          {text}{' '}
          <button type="button" class="link" disabled={busy} onClick={() => set(null)}>
            {mark.due ? says.done : says.clear}
          </button>
        </p>
      ) : null}
      <LaterTime action={says.set} busy={busy} set={set} />
    </fieldset>
  )
}
