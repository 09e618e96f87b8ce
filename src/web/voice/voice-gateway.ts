import type { CommandAnswer, CommandInput, EventFrame, GatewayConnection } from '../client/gateway.ts'
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

/** The typed client's connection, as calls use it. */
export const voiceGateway = (gateway: GatewayConnection): VoiceGateway => ({
  command: (op, ...d) => gateway.command(op, ...d).catch(withoutCode),
  onEvent: (listener) => gateway.listen(listener),
  onReconnected: (listener) => gateway.listen(({ t }) => t === 'ready' && listener()),
})

/** An error without a code: a command that was not sent was not refused, and the call waits for the gateway. */
function withoutCode(error: { status: number; message: string }): never {
  if (error.status === 0) throw new Error(error.message)
  throw error
}
