import type { ComponentChildren } from 'preact'
import { withoutBidi } from '../../state/names.ts'
import type { TextCommand } from '../../state/text-commands.ts'
import { commandWords } from '../../words/commands.ts'
import { Picture } from '../kit/controls.tsx'
import { shownDescription } from './known-commands.ts'
import type { Offer } from './use-command.ts'

interface RowProps {
  id: string
  active: boolean
  choose: () => void
}

/** An option of the list; the field that looks for it keeps the focus. */
const Row = ({ id, active, choose, children }: RowProps & { children: ComponentChildren }) => (
  <li
    id={id}
    role="option"
    aria-selected={active}
    class={`row person ${active ? 'here' : ''}`}
    onMouseDown={(event) => event.preventDefault()}
    onClick={choose}
  >
    {children}
  </li>
)

/** A command of a bot. */
export const CommandRow = ({ offer: { command, subcommand, name }, ...row }: RowProps & { offer: Offer }) => {
  const { bot, kind } = command
  return (
    <Row {...row}>
      <Picture id={bot.id} name={bot.display_name} file_id={bot.avatar_file_id} size={32} />
      <span>
        <b>
          {kind === 'chat' ? '/' : ''}
          {name}
        </b>
        <small>
          {shownDescription(subcommand ?? command)} {commandWords.by(withoutBidi(bot.display_name))}
        </small>
      </span>
    </Row>
  )
}

/** A command that changes the text. */
export const TextCommandRow = ({ name, ...row }: RowProps & { name: TextCommand }) => (
  <Row {...row}>
    <span>
      <b>/{name}</b>
      <small>{commandWords.texts[name]}</small>
    </span>
  </Row>
)
