/** What a call needs of the gateway connection; who owns that connects again and again, and says so. */
export interface VoiceGateway {
  /** Sends a command. @returns its answer; rejects with the problem, and at once while there is no connection */
  command(op: string, d: object): Promise<unknown>
  /** @returns what ends the listening */
  onEvent(listener: (type: string, d: unknown) => void): () => void
  /** Called after every `ready` but the first. @returns what ends the listening */
  onAgain(listener: () => void): () => void
}

/** The code of a problem that a command was refused with. */
export const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : undefined
