import type { Channel } from '../../../features/channels/model.ts'
import { state } from '../../state/session.ts'
import type { CommandTarget } from './command-picker.tsx'

/**
 * Shows the commands that bots offer in a channel. For the channel itself nothing is shown where there are none.
 * @param typed what was typed by the time that they are there, with the slash
 * @param onUsed called when one was chosen and used
 */
export const openCommands = async (
  channel: Channel,
  target: CommandTarget,
  typed?: () => string,
  onUsed?: () => void,
): Promise<void> => (await import('./show-commands.tsx')).showCommands(channel, target, typed, onUsed)

/** Whether menus offer the commands of bots: there are bots, and the account may use their commands. */
export const hasCommands = (channel: Channel | undefined): channel is Channel =>
  channel !== undefined &&
  state.mayIn(channel, 'use_commands') &&
  [...state.users.values()].some(({ kind }) => kind === 'bot')
