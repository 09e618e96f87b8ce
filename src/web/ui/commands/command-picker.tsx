import { useState } from 'preact/hooks'
import type { Channel } from '../../../features/access/model.ts'
import { folded } from '../../../core/words.ts'
import type { OfferedCommand } from '../../../features/interactions/model.ts'
import { commandWords } from '../../words/commands.ts'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog, topDialogCloser } from '../kit/dialogs.tsx'
import { Refusal } from '../kit/forms.tsx'
import { CommandRow } from './command-row.tsx'
import { offersOf, useCommands } from './use-command.ts'
import { isComposingKey, stepOf } from '../../state/keyboard.ts'

/** Target of a context command: a message or an account. */
export interface CommandTarget {
  kind: 'message' | 'user'
  target_id: number
}

interface PickerProps {
  channel: Channel
  commands: OfferedCommand[]
  target: CommandTarget
}

/** The commands of bots for a message or an account: found by name, chosen by keyboard or touch. */
export const CommandPicker = ({ channel, commands, target }: PickerProps) => {
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const [closeThis] = useState(topDialogCloser)
  const { use, error } = useCommands(channel, target.target_id, closeThis)
  const sought = folded(query.trim())
  const offers = offersOf(commands).filter(({ name }) => folded(name).includes(sought))
  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOf(event)
    const offer = offers[at]
    if (step !== undefined && offers.length > 0) setAt((at + step + offers.length) % offers.length)
    else if (event.key === 'Enter' && offer && !isComposingKey(event)) void use(offer)
    else return
    event.preventDefault()
  }
  return (
    <Dialog title={commandWords.title} onClose={closeDialog} class="commands">
      <input
        type="search"
        list={undefined}
        role="combobox"
        aria-expanded="true"
        aria-controls="commands-found"
        aria-activedescendant={offers.length > 0 ? `command-${at}` : undefined}
        aria-label={commandWords.find}
        placeholder={commandWords.find}
        value={query}
        autofocus
        onInput={(event) => {
          setQuery(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      {offers.length === 0 ? (
        <p class="quiet">{commands.length === 0 ? commandWords.none : commandWords.nothing}</p>
      ) : null}
      <ul class="suggestions-list" id="commands-found" role="listbox" aria-label={commandWords.title}>
        {offers.map((offer, place) => (
          <CommandRow
            key={`${offer.command.id} ${offer.name}`}
            id={`command-${place}`}
            offer={offer}
            active={place === at}
            choose={() => void use(offer)}
          />
        ))}
      </ul>
      <Refusal error={error} />
    </Dialog>
  )
}
