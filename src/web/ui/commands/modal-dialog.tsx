import { useState } from 'preact/hooks'
import type { Modal } from '../../../features/messages/model.ts'
import { plainLine } from '../../state/plain-line.ts'
import { commandWords } from '../../words/commands.ts'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { topDialogCloser } from '../kit/dialogs.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { useUnsavedDialog } from '../kit/unsaved.ts'
import { ModalSelect } from './modal-select.tsx'

/** The contents of a form, by the custom ids of its inputs. */
export interface FilledForm {
  values: Record<string, string>
  choices: Record<string, string[]>
}

interface ModalDialogProps {
  modal: Modal
  channel_id: number
  /** @param onBegun called when the server has taken them */
  send: (filled: FilledForm, onBegun: () => void) => Promise<void>
}

type Inputs = Modal['inputs']

const textsIn = (inputs: Inputs) =>
  Object.fromEntries(inputs.flatMap(({ custom_id, select, value }) => (select ? [] : [[custom_id, value]])))
const choicesIn = (inputs: Inputs) =>
  Object.fromEntries(inputs.flatMap(({ custom_id, select }) => (select ? [[custom_id, select.chosen]] : [])))

/** A text of a form without marks, line by line, with names in place of mentions. */
const FormText = ({ text }: { text: string }) => <p class="form-text">{text.split('\n').map(plainLine).join('\n')}</p>

/** A form of a bot. */
export const ModalDialog = ({ modal: { title, inputs, below }, channel_id, send }: ModalDialogProps) => {
  const [values, setValues] = useState<FilledForm['values']>(() => textsIn(inputs))
  const [choices, setChoices] = useState<FilledForm['choices']>(() => choicesIn(inputs))
  const { attempt, busy, error } = useAttempt()
  const { close } = useUnsavedDialog({ ...values, ...choices }, busy)
  const submit = async (event: Event) => {
    event.preventDefault()
    await attempt(() => send({ values, choices }, topDialogCloser()))
  }
  return (
    <Dialog title={title} onClose={close} class="small">
      <form onSubmit={submit}>
        {inputs.map(({ select, ...input }, at) => (
          <div key={input.custom_id}>
            {input.above ? <FormText text={input.above} /> : null}
            {select ? (
              <ModalSelect
                input={{ ...input, select }}
                channel_id={channel_id}
                chosen={choices[input.custom_id] ?? []}
                onChange={(chosen) => setChoices((before) => ({ ...before, [input.custom_id]: chosen }))}
              />
            ) : (
              <Field
                label={input.required ? `${input.label} *` : input.label}
                hint={input.description}
                value={values[input.custom_id] ?? ''}
                onInput={(value) => setValues((before) => ({ ...before, [input.custom_id]: value }))}
                multiline={input.style === 'paragraph'}
                required={input.required}
                maxLength={input.max}
                autofocus={at === 0}
              />
            )}
          </div>
        ))}
        {below ? <FormText text={below} /> : null}
        <Refusal error={error} />
        <FormFooter submit={commandWords.send} busy={busy} />
      </form>
    </Dialog>
  )
}
