import { useState } from 'preact/hooks'
import type { Modal } from '../../../features/messages/model.ts'
import { commandWords } from '../../words/commands.ts'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { topDialogCloser } from '../kit/dialogs.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { useUnsavedDialog } from '../kit/unsaved.ts'

interface ModalDialogProps {
  modal: Modal
  /** @param onBegun called when the server has taken them */
  send: (values: Record<string, string>, onBegun: () => void) => Promise<void>
}

/** A form of a bot. */
export const ModalDialog = ({ modal: { title, inputs }, send }: ModalDialogProps) => {
  const [values, setValues] = useState(() => Object.fromEntries(inputs.map((input) => [input.custom_id, input.value])))
  const { attempt, busy, error } = useAttempt()
  const { close } = useUnsavedDialog(values, busy)
  const submit = async (event: Event) => {
    event.preventDefault()
    await attempt(() => send(values, topDialogCloser()))
  }
  return (
    <Dialog title={title} onClose={close}>
      <form onSubmit={submit}>
        {inputs.map(({ custom_id, label, style, required, max }, at) => (
          <Field
            key={custom_id}
            label={label}
            value={values[custom_id] ?? ''}
            onInput={(value) => setValues((before) => ({ ...before, [custom_id]: value }))}
            multiline={style === 'paragraph'}
            required={required}
            maxLength={max}
            autofocus={at === 0}
          />
        ))}
        <Refusal error={error} />
        <FormFooter submit={commandWords.send} busy={busy} />
      </form>
    </Dialog>
  )
}
