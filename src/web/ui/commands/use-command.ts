import type { Channel } from '../../../features/access/model.ts'
import type { OfferedCommand, Subcommand } from '../../../features/interactions/model.ts'
import { withoutBidi } from '../../state/names.ts'
import { useAttempt } from '../kit/forms.tsx'
import { ask } from './ask.tsx'
import { shownName, spokenLocale } from './known-commands.ts'
import type { Given } from './option-field.tsx'

/** A command, or one of its subcommands. */
export interface Offer {
  command: OfferedCommand
  subcommand: Subcommand | undefined
  /** As the person reads it. */
  name: string
}

export const offersOf = (commands: OfferedCommand[]): Offer[] =>
  commands.flatMap((command): Offer[] =>
    command.subcommands.length === 0
      ? [{ command, subcommand: undefined, name: shownName(command) }]
      : command.subcommands.map((subcommand) => ({
          command,
          subcommand,
          name: `${shownName(command)} ${shownName(subcommand)}`,
        })),
  )

/**
 * Uses commands in a channel.
 * @param target_id the message or account of a context command; null for a command of the channel
 * @param onBegun called before an answer is shown
 */
export function useCommands(channel: Channel, target_id: number | null, onBegun: () => void) {
  const { attempt, busy, error } = useAttempt()
  const use = ({ command, subcommand }: Offer, options: Given = {}) => {
    const request = {
      kind: 'command' as const,
      channel_id: channel.id,
      command_id: command.id,
      subcommand: subcommand?.name ?? null,
      options,
      target_id,
      locale: spokenLocale(),
    }
    return attempt(() => ask(request, channel.id, withoutBidi(command.bot.display_name), onBegun))
  }
  return { use, busy, error }
}
