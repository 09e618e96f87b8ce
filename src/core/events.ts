import type { z } from 'zod'

/** The payloads of all events, by name. Each model.ts adds its own by declaration merging. */
// oxlint-disable-next-line no-empty-interface
export interface Events {}

/** Declares an event: its type, validation and documentation are derived from this. */
export interface EventType<S extends z.ZodType = z.ZodType> {
  schema: S
  /** The recipients, in words. */
  to: string
  /**
   * The resource that the event describes: a replay sends only the newest event per resource. Ephemeral events have
   * none.
   */
  resource?(d: z.infer<S>): string
}

/** A durable event: logged in the transaction that makes the change. */
export const durable = <S extends z.ZodType>(schema: S, resource: (d: z.infer<S>) => string, to: string) => ({
  schema,
  resource,
  to,
})

/** An ephemeral event: not logged, so a client that is offline misses it. */
export const ephemeral = <S extends z.ZodType>(schema: S, to: string) => ({ schema, to })

/** The payloads of a table of declared events, for declaration merging into Events. */
export type Payloads<T extends Record<string, { schema: z.ZodType }>> = { [K in keyof T]: z.infer<T[K]['schema']> }

/** The handler of each command of a table; `Who` is the type of the client. */
export type Handlers<T extends Record<string, { d: z.ZodType; answer: z.ZodType }>, Who> = {
  [K in keyof T]: (who: Who, d: z.infer<T[K]['d']>) => Promise<z.infer<T[K]['answer']>>
}

/** Recipients of an event: the topic for live delivery, and the columns that replay filters by. */
export interface Audience {
  topic: string
  user_id?: number
  server_id?: number
  channel_id?: number
}

/** Describes a channel by its recipients: the server's members, or the participants of a dm or group. */
export interface Seen {
  /** The channel whose members receive the events: the parent of a thread, otherwise the channel itself. */
  audience_id: number
  /** Null for a dm or group. */
  server_id: number | null
  restricted: boolean
  /** Empty for a channel of a server. */
  participant_ids: number[]
}

/** Builds the topics. No other code spells a topic's name. Source: docs/gateway.md, guarantee 6. */
export const topic = {
  /** The sockets of one account. `within` names the server or channel that the account must still see at replay. */
  user: (id: number, within: Pick<Audience, 'server_id' | 'channel_id'> = {}): Audience => ({
    topic: `user:${id}`,
    user_id: id,
    ...within,
  }),
  /** Every member of a server. */
  server: (id: number): Audience => ({ topic: `server:${id}`, server_id: id }),
  /**
   * The members who see the channel: the server's topic, or the channel's own topic if some members cannot see it. In
   * SQL: `channel_topic`.
   */
  channel: (channel: { id: number; server_id: number; restricted: boolean }): Audience => ({
    topic: channel.restricted ? `channel:${channel.id}` : `server:${channel.server_id}`,
    server_id: channel.server_id,
    channel_id: channel.id,
  }),
  /** Everyone who sees a channel: one topic for members, or one per participant of a dm or group. */
  seers: ({ audience_id, server_id, restricted, participant_ids }: Seen): Audience[] =>
    server_id === null
      ? participant_ids.map((id) => topic.user(id, { channel_id: audience_id }))
      : [topic.channel({ id: audience_id, server_id, restricted })],
  /** The members who hold manage_server. */
  invites: (id: number): Audience => ({ topic: `invites:${id}`, server_id: id }),
}

/** An event ready to send, encoded once for all recipients. */
export interface Frame {
  readonly type: string
  /** The event's id in the event log; ephemeral events have none. */
  readonly s: number | undefined
  readonly topic: string
  /** The channel whose members see the event, if any. */
  readonly channel_id: number | undefined
  /** The encoded event, as the sockets receive it. */
  readonly text: string
}

/** Builds the text of a frame. `body` is already JSON. */
export const eventText = (type: string, s: number | undefined, body: string): string =>
  s === undefined ? `{"t":"${type}","d":${body}}` : `{"t":"${type}","s":${s},"d":${body}}`

/** The same for an ephemeral event. */
export const ephemeralText = <K extends keyof Events & string>(type: K, d: Events[K]): string =>
  eventText(type, undefined, JSON.stringify(d))

/** Builds an event's frame. `body` is already JSON. */
export const eventFrame = (
  { topic, channel_id }: Pick<Audience, 'topic' | 'channel_id'>,
  type: string,
  s: number | undefined,
  body: string,
): Frame => ({ type, s, topic, channel_id, text: eventText(type, s, body) })

/** An ephemeral event's frame. */
export const ephemeralFrame = <K extends keyof Events & string>(to: Audience, type: K, d: Events[K]): Frame =>
  eventFrame(to, type, undefined, JSON.stringify(d))

/** Encodes a frame for another node: the channel's id, if any, and the text. */
export const encodeFrame = ({ channel_id, text }: Pick<Frame, 'channel_id' | 'text'>): string =>
  `${channel_id ?? ''}${text}`

/** Decodes the output of encodeFrame; undefined if it is malformed. */
export function decodeFrame(topic: string, encoded: string): Frame | undefined {
  // Only the prefix is parsed: the body, however long, is passed on as it is.
  const [, channel = '', type, s] = /^(\d*)\{"t":"([^"]+)"(?:,"s":(\d+))?,"d":[{[]/.exec(encoded) ?? []
  if (type === undefined || !encoded.endsWith('}')) return undefined
  const text = encoded.slice(channel.length)
  return { type, s: optional(s), topic, channel_id: optional(channel), text }
}

const optional = (digits = ''): number | undefined => (digits === '' ? undefined : Number(digits))
