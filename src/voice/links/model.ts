import { z } from 'zod'
import { typedMessages } from '../../cluster/typed-messages.ts'

/** Interval of beats between processes that share a link, ms. */
export const BEAT_MS = 500
/** Beats that may be missed: after 1.5 s members of a branch receive elsewhere. */
export const MISSED_MAX = 3
/** Time that a process waits for an answer, ms. */
export const ANSWER_MS_MAX = 4_000
/** Requests under way to one process; further ones wait. */
export const UNDERWAY_MAX = 200
/** Requests that wait for one process. Beyond this, members are refused. */
export const WAITING_MAX = 10_000
/** Branches that one process may have on another. */
export const BRANCHES_MAX = 500
/** Transports of a branch: two for each member that a worker may have, and more while members come and go. */
export const TRANSPORTS_MAX = 20_000
/** Producers of a branch. */
export const PRODUCERS_MAX = 4_000
/** Consumers of a branch. */
export const CONSUMERS_MAX = 200_000
/** Ids, events or rows in one message. */
export const LIST_MAX = 1_000
/** Characters of mediasoup's parameters in a message, as JSON. */
const PARAMETERS_CHARS_MAX = 65_536

const n = z.int().min(1)
const Key = z.string().min(1).max(64)
/** True if parameters are short enough for a message. */
export const isShort = (parameters: object): boolean => JSON.stringify(parameters).length <= PARAMETERS_CHARS_MAX
const Outer = z.record(z.string(), z.unknown()).refine(isShort, 'too long')
const Branch = { branch: Key }
const Transport = { ...Branch, transport: Key }
const Consumer = { ...Branch, consumer: Key }
const Client = { client: z.int().min(1) }
const Bytes = z.int().min(0)

/** One end of a link. */
export const LinkEnd = z.object({
  ip: z.union([z.ipv4(), z.ipv6()]),
  port: z.int().min(1).max(65_535),
  srtp: z.object({
    cryptoSuite: z.enum(['AEAD_AES_256_GCM', 'AEAD_AES_128_GCM', 'AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32']),
    keyBase64: z.base64().min(16).max(128),
  }),
})
export type LinkEnd = z.output<typeof LinkEnd>

export const Offer = z.object({
  transport: Key,
  ice_parameters: Outer,
  ice_candidates: z.array(Outer).max(64),
  dtls_parameters: Outer,
})

const Empty = z.object({})
const request = <D extends z.ZodType, A extends z.ZodType>(d: D, answer: A) => ({ d, answer })

/**
 * Requests between processes about the media of a room. Its owner sends them, except `audio_…`: these come from a
 * process that carries the audio of its own clients.
 */
export const requests = {
  /** Opens a router and an end of a link. */
  open: request(z.object({ ...Branch, end: LinkEnd }), z.object({ end: LinkEnd })),
  close: request(z.object(Branch), Empty),
  /** Closes transports, consumers and producers. */
  discard: request(z.object({ ...Branch, ids: z.array(Key).max(LIST_MAX) }), Empty),
  /** A producer of the room arrives over the link, under its own id. */
  produce: request(
    z.object({
      ...Branch,
      producer: Key,
      kind: z.enum(['audio', 'video']),
      rtp_parameters: Outer,
      paused: z.boolean(),
    }),
    Empty,
  ),
  pause_producer: request(z.object({ ...Branch, producer: Key, paused: z.boolean() }), Empty),
  create_transport: request(z.object(Branch), Offer),
  create_direct: request(z.object(Branch), z.object({ transport: Key })),
  connect: request(z.object({ ...Transport, dtls_parameters: Outer }), Empty),
  restart_ice: request(z.object(Transport), z.object({ ice_parameters: Outer })),
  consume: request(
    z.object({ ...Transport, producer: Key, rtp_capabilities: Outer }),
    z.object({ consumer: Key, rtp_parameters: Outer, score: Outer }),
  ),
  pause_consumer: request(z.object({ ...Consumer, paused: z.boolean() }), Empty),
  set_layers: request(
    z.object({ ...Consumer, spatial: z.int().min(0).max(8), temporal: z.int().min(0).max(8).optional() }),
    Empty,
  ),
  /** The sender carries the audio of one of its clients, which has a seat in a room of the receiver. */
  audio_open: request(z.object(Client), z.object(Transport)),
  audio_produce: request(z.object({ ...Client, transport: Key, rtp_parameters: Outer, consumer: Key }), Empty),
  audio_receive: request(z.object({ ...Client, transport: Key, producer: Key }), z.object({ consumer: Key })),
  audio_stop: request(z.object({ ...Client, transport: Key, consumer: Key }), Empty),
  audio_close: request(z.object({ ...Client, transport: Key }), Empty),
} as const
export type Requests = typeof requests
export type Op = keyof Requests
export type Asked<K extends Op> = z.output<Requests[K]['d']>
export type Answered<K extends Op> = z.output<Requests[K]['answer']>
export type RequestHandlers = { [K in Op]: (from: string, d: Asked<K>) => Promise<Answered<K>> }

const Layers = z.object({ spatialLayer: z.int(), temporalLayer: z.int().optional() }).nullable()

/** An event of a branch. */
export const BranchEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('transport_closed'), id: Key }),
  z.object({ type: z.literal('score'), id: Key, score: Outer }),
  z.object({ type: z.literal('layers'), id: Key, layers: Layers }),
  /** The worker has died, or the process drains. */
  z.object({ type: z.literal('ended') }),
  /** The worker hangs. Earlier versions drop this, and end the branch because it is not listed any more. */
  z.object({ type: z.literal('silent') }),
])
export type BranchEvent = z.output<typeof BranchEvent>

/** A branch, and the bytes that its sender's end of the link has sent and received. */
const LinkRow = z.tuple([Key, Bytes, Bytes])

/** Messages between processes. They are as trusted as anyone who can publish in the Redis. */
const messages = {
  'voice.link': z.object({ n, op: z.enum(Object.keys(requests) as [Op, ...Op[]]), d: z.unknown() }),
  'voice.link_answer': z.object({
    n,
    d: z.unknown().optional(),
    error: z.object({ reason: z.string().max(300), code: z.string().max(64).optional() }).optional(),
  }),
  'voice.link_events': z.object({ ...Branch, events: z.array(BranchEvent).max(LIST_MAX) }),
  /** The sender is alive. It lists its branches at the receiver, and those of the receiver that it has. */
  'voice.link_beat': z.object({ owned: z.array(Key).max(LIST_MAX), hosted: z.array(LinkRow).max(LIST_MAX) }),
} as const
type Messages = typeof messages
export type LinkMessage<K extends keyof Messages> = z.output<Messages[K]>

export const { on: onLink, send: sendLink } = typedMessages(messages)
