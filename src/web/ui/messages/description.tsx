import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { withoutBidi } from '../../state/names.ts'
import { call } from '../../state/session.ts'
import { fileWords } from '../../words/files.ts'
import { words } from '../../words/words.ts'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog, showDialog } from '../kit/dialogs.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { useUnsavedDialog } from '../kit/unsaved.ts'

const ALT_MAX = 1_000

/** Files of messages that are being written, which have a description. */
export const describedIds = signal<ReadonlySet<number>>(new Set())

/** Asks what a file shows, for those who do not see it. */
export const showDescription = (file_id: number, name: string): void =>
  showDialog(() => <DescriptionDialog file_id={file_id} name={name} />)

const DescriptionDialog = ({ file_id, name }: { file_id: number; name: string }) => {
  const [alt, setAlt] = useState<string>()
  const { attempt, busy, error } = useAttempt()
  const { close } = useUnsavedDialog(alt, busy)
  useEffect(
    () => void attempt(() => call('GET /api/files/:file_id', { file_id })).then((file) => setAlt(file?.alt ?? '')),
    [],
  )
  const save = async (event: Event) => {
    event.preventDefault()
    const file = await attempt(() => call('PUT /api/files/:file_id', { file_id }, { alt: alt ?? '' }))
    if (!file) return
    const others = [...describedIds.value].filter((id) => id !== file_id)
    describedIds.value = new Set(file.alt === null ? others : [...others, file_id])
    closeDialog()
  }
  return (
    <Dialog title={fileWords.describe(withoutBidi(name))} onClose={close} class="small">
      <form onSubmit={save}>
        <Field
          label={fileWords.description}
          hint={fileWords.descriptionHint}
          value={alt ?? ''}
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
