import type { Channel } from '../../../features/access/model.ts'
import { state } from '../../state/session.ts'
import type { CommandTarget } from './command-picker.tsx'

/** Shows the commands that bots offer in a channel for a message or an account. */
export const openCommands = async (channel: Channel, target: CommandTarget): Promise<void> =>
  (await import('./show-commands.tsx')).showCommands(channel, target)

/** True if menus offer commands of bots: bots exist, and the account may use their commands. */
export const hasCommands = (channel: Channel | undefined): channel is Channel =>
  channel !== undefined &&
  state.mayIn(channel, 'use_commands') &&
  [...state.users.values()].some(({ kind }) => kind === 'bot')
