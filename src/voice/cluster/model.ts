import { z } from 'zod'
import type { Nodes } from '../../cluster/nodes.ts'
import { type ErrorCode, errorCodes } from '../../core/errors.ts'
import { Id, PublicUser } from '../../core/schema.ts'
import { voiceCommands, VoiceSessionId } from '../model.ts'

/** Clients that one node may have in the calls of another, and commands of theirs that it has under way there. */
export const STAND_INS_MAX = 20_000
export const UNDERWAY_MAX = 2_000
/** How long a node waits for what it has asked another. */
export const ANSWER_MS_MAX = 4_000

const ClientId = z.int().min(1)
const n = z.int().min(1)

/**
 * What nodes say to each other of calls. The home of a call is the node on which its room lives; a front has the socket
 * of somebody in it. A node believes another who its clients are, and so whoever may publish in the Redis.
 */
export const messages = {
  /** A front hands on what its client commands. */
  'voice.command': z.object({
    n,
    client: z.object({ id: ClientId, user_id: Id, session_id: Id, base: z.url().max(2048) }),
    op: z.string().refine((op) => Object.hasOwn(voiceCommands, op)),
    d: z.unknown().optional(),
  }),
  /** A home asks a front to have its client join a call that lives elsewhere. */
  'voice.move': z.object({ n, client: ClientId, d: voiceCommands['voice.join'].d }),
  /** Answers either. */
  'voice.answer': z.object({
    n,
    d: z.unknown().optional(),
    error: z
      .object({
        code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
        detail: z.string(),
        errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
      })
      .optional(),
  }),
  /** A home tells a front's client something; `seat` is what that has there, behind it. */
  'voice.frame': z.object({
    client: ClientId,
    seat: VoiceSessionId.nullable(),
    frame: z.string().startsWith('{"t":"'),
  }),
  /** The socket of a front's client has closed. */
  'voice.closed': z.object({ client: ClientId }),
  /** An account that a front has in a call there is called otherwise now. */
  'voice.renamed': z.object({ user: PublicUser }),
  /**
   * A node lives. Once a second it says also whom it has in the calls there, and for how long those have been silent;
   * and which of the other's clients have a seat in its own.
   */
  'voice.beat': z.object({
    clients: z.array(z.tuple([ClientId, z.int().min(0)])).optional(),
    seats: z.array(z.tuple([ClientId, VoiceSessionId])).optional(),
  }),
} as const

type Messages = typeof messages

/** Hears one kind of message; what has not its shape is no message. */
export function hear<K extends keyof Messages & string>(
  nodes: Nodes,
  kind: K,
  listener: (from: string, body: z.output<Messages[K]>) => void,
): void {
  nodes.onMessage(kind, (from, body) => {
    const { success, data } = messages[kind].safeParse(body)
    if (success) listener(from, data as z.output<Messages[K]>)
  })
}

/** Says something to a node. */
export const say = <K extends keyof Messages & string>(
  nodes: Nodes,
  to: string,
  kind: K,
  body: z.input<Messages[K]>,
): void => nodes.send(to, kind, body)
