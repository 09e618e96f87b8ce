import { withoutBidi } from '../../state/names.ts'
import { commandWords } from '../../words/commands.ts'
import { Picture } from '../kit/controls.tsx'
import type { Offer } from './use-command.ts'

interface CommandRowProps {
  id: string
  offer: Offer
  active: boolean
  choose: () => void
}

/** A command in a list; the field that looks for it keeps the focus. */
export const CommandRow = ({ id, offer: { command, subcommand, name }, active, choose }: CommandRowProps) => {
  const { bot, kind } = command
  const { description } = subcommand ?? command
  return (
    <li
      id={id}
      role="option"
      aria-selected={active}
      class={`row person ${active ? 'here' : ''}`}
      onMouseDown={(event) => event.preventDefault()}
      onClick={choose}
    >
      <Picture id={bot.id} name={bot.display_name} file_id={bot.avatar_file_id} size={32} />
      <span>
        <b>
          {kind === 'chat' ? '/' : ''}
          {name}
        </b>
        <small>
          {description} {commandWords.by(withoutBidi(bot.display_name))}
        </small>
      </span>
    </li>
  )
}
