import type { CommandAnswer, CommandInput, EventFrame } from '../client/gateway.ts'
import type { CommandName } from '../../gateway/model.ts'

export type VoiceCommand = Extract<CommandName, `voice.${string}`>

/** The gateway connection that a call uses. Its owner reconnects it. */
export interface VoiceGateway {
  /** Sends a command. @returns its answer; rejects with the problem, or with an error without a code while offline */
  command<K extends VoiceCommand>(op: K, d: CommandInput<K>): Promise<CommandAnswer<K>>
  /** Calls the listener with every event. @returns a function that removes the listener */
  onEvent(listener: (frame: EventFrame) => void): () => void
  /** Calls the listener after every `ready` but the first. @returns a function that removes the listener */
  onReconnected(listener: () => void): () => void
}

/** The code of the problem that a command was refused with; undefined when it was not sent. */
export const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : undefined
