import type { z } from 'zod'
import type { Nodes } from './nodes.ts'

type Parsers<T extends Record<string, z.ZodType>> = {
  [K in keyof T]: { safeParse(body: unknown): z.ZodSafeParseResult<z.output<T[K]>> }
}

/** Typed messages between nodes. @param schemas of the bodies, by the kind of the message */
export const typedMessages = <T extends Record<string, z.ZodType>>(schemas: T & Parsers<T>) => ({
  /** Registers a listener for one kind of message. Malformed messages are dropped. */
  on: <K extends keyof T & string>(nodes: Nodes, kind: K, listener: (from: string, body: z.output<T[K]>) => void) =>
    nodes.onMessage(kind, (from, body) => {
      const parsers: Parsers<T> = schemas
      const { success, data } = parsers[kind].safeParse(body)
      if (success) listener(from, data)
    }),
  send: <K extends keyof T & string>(nodes: Nodes, to: string, kind: K, body: z.input<T[K]>) =>
    nodes.send(to, kind, body),
})
