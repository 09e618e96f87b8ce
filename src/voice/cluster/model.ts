import { z } from 'zod'
import { typedMessages } from '../../cluster/typed-messages.ts'
import { errorCodes } from '../../core/errors.ts'
import { Id, PublicUser } from '../../core/schema.ts'
import type { Handlers } from '../../core/events.ts'
import { voiceCommands } from '../model.ts'
import { VoiceSessionId } from '../session-id.ts'
import type { VoiceClient } from '../seat.ts'
import { RoomParcel } from './room-parcel.ts'

export type Commands = Handlers<typeof voiceCommands, VoiceClient>
/** Argument and answer of a command. */
export type Payload<K extends keyof Commands> = z.output<(typeof voiceCommands)[K]['d']>
export type Answer<K extends keyof Commands> = z.output<(typeof voiceCommands)[K]['answer']>

/** Clients that one node may have in the rooms of another. */
export const REMOTE_CLIENTS_MAX = 20_000
/** Requests of one node that another may run at once. */
export const UNDERWAY_MAX = 2_000
/** Time that a node waits for an answer. */
export const ANSWER_MS_MAX = 4_000
/** Longest waiting time that another node may request. */
const WAIT_MS_MAX = 60_000

const ClientId = z.int().min(1)
const NodeId = z.string().max(64)
const n = z.int().min(1)
const FrameNumber = z.int().min(0)
const keyOf = <T extends object>(table: T) =>
  z.custom<keyof T & string>((key) => typeof key === 'string' && Object.hasOwn(table, key))

/**
 * Messages between nodes. One node owns each room; a client's socket may be on another node. Nodes trust each other's
 * word about their clients, and so trust anyone who can publish in the Redis.
 */
export const messages = {
  /**
   * Forwards a client's command to the node that owns its room. `wait_ms` is how long the sender waits for the answer
   * to a join, which it then confirms or cancels; nodes of 0.14 omit it and do neither. With `seat`, a `voice.leave`
   * ends only that seat, because its client has one elsewhere; nodes of earlier versions omit it. `moved`: a moderator
   * moves the client, past the channel's limit.
   */
  'voice.command': z.object({
    n,
    client: z.object({ id: ClientId, user_id: Id, session_id: Id, base: z.url().max(2048) }),
    op: keyOf(voiceCommands),
    d: z.unknown().optional(),
    wait_ms: z.int().min(1).max(WAIT_MS_MAX).optional(),
    seat: VoiceSessionId.optional(),
    moved: z.boolean().optional(),
  }),
  /** The answer to join `n` arrived in time: the client knows its seat. */
  'voice.confirm': z.object({ n }),
  /** The sender no longer waits for the answer to join `n`: no client will know that seat. */
  'voice.cancel': z.object({ n }),
  /** Asks the node with a client's socket to make it join a room that is owned elsewhere. */
  'voice.move': z.object({ n, client: ClientId, d: voiceCommands['voice.join'].d }),
  /**
   * Answers a request, by its `n`. `frames` is the number of the newest frame before it; earlier versions omit it.
   * `moved` names the node that the client's room has been handed over to: the command has to be sent there.
   */
  'voice.answer': z.object({
    n,
    frames: FrameNumber.optional(),
    moved: NodeId.optional(),
    d: z.unknown().optional(),
    error: z
      .object({
        code: keyOf(errorCodes),
        detail: z.string(),
        errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
      })
      .optional(),
  }),
  /**
   * A frame for a client of the receiving node. `seat` is the client's voice session on the sending node after this
   * frame; null if it has none there any more. A numbered frame is resent until the receiver's beats acknowledge it, or
   * too many wait; `after` is the number of the unacknowledged frame before it, 0 for none. Earlier versions omit both,
   * as do frames that may be lost. With `adopts`, the sender is the seat's owner from now on, in place of that node.
   */
  'voice.frame': z.object({
    client: ClientId,
    seat: VoiceSessionId.nullable(),
    frame: z.string().startsWith('{"t":"'),
    adopts: NodeId.optional(),
    n: n.optional(),
    after: FrameNumber.optional(),
  }),
  /** Asks the receiving node, which has got the room's lease, to continue a room of the sender. Since 0.18. */
  'voice.take': z.object({ n, room: RoomParcel }),
  /** The client's socket has closed. */
  'voice.closed': z.object({ client: ClientId }),
  /** An account with a seat in a room of the receiving node has a new profile. */
  'voice.renamed': z.object({ user: PublicUser }),
  /**
   * The sender is alive. Once a second it lists its clients that use the receiving node, with how long each has been
   * silent, ms; and the receiving node's clients that have a seat with the sender. Each beat lists the sender's
   * clients in rooms of the receiving node whose outbound buffers are filling; nodes of 0.14 omit that. `got` is the
   * number of the newest frame received from the receiving node without a gap before it; with `seats`, `frames` is the
   * number of the newest frame that the receiving node has not acknowledged, 0 for none. Earlier versions omit both.
   */
  'voice.beat': z.object({
    clients: z.array(z.tuple([ClientId, z.int().min(0)])).optional(),
    seats: z.array(z.tuple([ClientId, VoiceSessionId])).optional(),
    clogged: z.array(ClientId).optional(),
    got: FrameNumber.optional(),
    frames: FrameNumber.optional(),
  }),
} as const

type Messages = typeof messages
export type Message<K extends keyof Messages> = z.output<Messages[K]>

export const { on, send } = typedMessages(messages)
