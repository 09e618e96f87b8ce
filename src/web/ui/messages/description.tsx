import { useState } from 'preact/hooks'
import { withoutBidi } from '../../state/names.ts'
import { call } from '../../state/session.ts'
import { fileWords } from '../../words/files.ts'
import { words } from '../../words/words.ts'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { topDialogCloser } from '../kit/dialogs.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { useUnsavedDialog } from '../kit/unsaved.ts'

const ALT_MAX = 1_000

interface DescriptionProps {
  file_id: number
  name: string
  /** The description that the file has. */
  before: string
  /** @param isDescribed false if the description is gone */
  onSaved: (isDescribed: boolean) => void
}

/** Asks what a file shows, for those who do not see it. */
export const DescriptionDialog = ({ file_id, name, before, onSaved }: DescriptionProps) => {
  const [alt, setAlt] = useState(before)
  const { attempt, busy, error } = useAttempt()
  const { close } = useUnsavedDialog(alt, busy)
  const save = async (event: Event) => {
    event.preventDefault()
    const closeThis = topDialogCloser()
    const file = await attempt(() => call('PUT /api/files/:file_id', { file_id }, { alt }))
    if (!file) return
    onSaved(file.alt !== null)
    closeThis()
  }
  return (
    <Dialog title={fileWords.describe(withoutBidi(name))} onClose={close} class="small">
      <form onSubmit={save}>
        <Field
          label={fileWords.description}
          hint={fileWords.descriptionHint}
          value={alt}
          onInput={setAlt}
          maxLength={ALT_MAX}
          multiline
        />
        <Refusal error={error} />
        <FormFooter submit={words.save} busy={busy} />
      </form>
    </Dialog>
  )
}
