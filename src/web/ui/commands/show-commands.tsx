import type { Channel } from '../../../features/access/model.ts'
import { state } from '../../state/session.ts'
import { showLater } from '../kit/dialogs.tsx'
import { CommandPicker, type CommandTarget } from './command-picker.tsx'
import { commandsIn } from './known-commands.ts'

/** Described at openCommands. */
export async function showCommands(channel: Channel, target: CommandTarget): Promise<void> {
  if (channel.server_id !== null && !state.mayIn(channel, 'use_commands')) return
  const commands = (await commandsIn(channel.id)).filter(({ kind }) => kind === target.kind)
  await showLater(async () => () => <CommandPicker channel={channel} commands={commands} target={target} />)
}
