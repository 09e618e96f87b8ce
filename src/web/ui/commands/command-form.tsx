import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Channel } from '../../../features/access/model.ts'
import { commandWords } from '../../words/commands.ts'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { topDialogCloser } from '../kit/dialogs.tsx'
import { Refusal } from '../kit/forms.tsx'
import { useUnsavedDialog } from '../kit/unsaved.ts'
import { shownDescription } from './known-commands.ts'
import { type Given, OptionField } from './option-field.tsx'
import { type Offer, useCommands } from './use-command.ts'

interface CommandFormProps {
  channel: Channel
  offer: Offer
  onUsed: () => void
}

/** The fields of a command. */
export const CommandForm = ({ channel, offer, onUsed }: CommandFormProps) => {
  const { command, subcommand, name } = offer
  const [values, setValues] = useState<Given>({})
  const [closeThis] = useState(topDialogCloser)
  const { use, busy, error } = useCommands(channel, null, () => {
    closeThis()
    onUsed()
  })
  const { close } = useUnsavedDialog(values, busy)
  const form = useRef<HTMLFormElement>(null)
  // The dialog is open already: `autofocus` does nothing there.
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('input, select')?.focus(), [])
  const chosen = subcommand ?? command
  const { options } = chosen
  return (
    <Dialog title={`/${name}`} onClose={close} class="commands">
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault()
          void use(offer, values)
        }}
      >
        <p class="quiet">{shownDescription(chosen)}</p>
        {options.map((option, at) => (
          <OptionField
            key={option.name}
            channel={channel}
            option={option}
            first={at === 0}
            value={values[option.name]}
            onChange={(value) =>
              setValues((before) => {
                const next = { ...before }
                if (value === undefined) delete next[option.name]
                else next[option.name] = value
                return next
              })
            }
            context={{ command_id: command.id, subcommand: subcommand?.name ?? null, options: values }}
          />
        ))}
        <FormFooter submit={commandWords.use(name)} busy={busy} />
      </form>
      <Refusal error={error} />
    </Dialog>
  )
}
