import { nameOf, withoutBidi } from '../../state/names.ts'
import { follow } from '../../state/session.ts'
import type { Entry } from '../../state/timeline.ts'
import { commandWords } from '../../words/commands.ts'
import { ComponentRows } from './components.tsx'

/** Parts of a bot's message besides text: the command that it answers, buttons and selects. */
export const BotParts = ({ entry }: { entry: Entry }) => {
  follow('members')
  const { components = [], answering } = entry.data ?? {}
  return (
    <>
      {answering ? (
        <small class="quiet answering">
          {answering.name === null
            ? commandWords.answeringComponent(nameOf(answering.user_id))
            : commandWords.answering({ name: nameOf(answering.user_id), command: answering.name })}
        </small>
      ) : null}
      {components.length > 0 ? (
        <ComponentRows
          rows={components}
          place={{ message_id: entry.id }}
          channel_id={entry.channel_id}
          bot={withoutBidi(entry.author.display_name)}
        />
      ) : null}
    </>
  )
}
