import { z } from 'zod'
import { ephemeral, type Payloads } from '../core/events.ts'
import { Id, ProblemBody, Time } from '../core/schema.ts'
import { User } from '../features/accounts/model.ts'
import { Ringing } from '../features/calls/model.ts'
import { Channel, Server } from '../features/access/model.ts'
import { ConversationMark } from '../features/dms/model.ts'
import { CustomEmoji } from '../features/emoji/model.ts'
import { Sticker } from '../features/stickers/model.ts'
import { RelationMark } from '../features/friends/model.ts'
import { THREADS_MAX } from '../features/threads/follow.ts'
import { Member } from '../features/members/model.ts'
import { NotificationSetting } from '../features/notifications/model.ts'
import { OperatorRetention } from '../features/retention/model.ts'
import { OwnOverwrite, PermissionSum, Role } from '../features/roles/model.ts'
import { Reminder } from '../features/saved/model.ts'
import { OwnStatus, Presence } from '../features/status/model.ts'
import { ReadyMark } from '../features/unread/model.ts'
import { Audience, voiceCommands, VoiceState } from '../voice/model.ts'

export type { Intent } from './intents.ts'

export const GATEWAY_VERSION = '1'
export const HEARTBEAT_MS = 15_000
export const FRAME_BYTES_MAX = 4096
export const OUTBOUND_BYTES_MAX = 1024 * 1024
export const COMMANDS_PER_MINUTE_MAX = 120
/** Pings from a client, and unsolicited pongs. */
export const CONTROL_FRAMES_PER_MINUTE_MAX = 120
export const SOCKETS_PER_USER_MAX = 20
export const SOCKETS_PER_BOT_MAX = 50
export const TICKET_SECONDS = 30
export const REPLAY_EVENTS_MAX = 10_000
/** A replay stays in memory until its client has received it. */
export const REPLAY_BYTES_MAX = 8 * 1024 * 1024
export const SNAPSHOT_BYTES_MAX = 256 * 1024
/** Dms in `ready`; it lists all groups. */
export const CONVERSATIONS_MAX = 1000
/** Due reminders in `ready`; REST lists all. */
export const REMINDERS_MAX = 100

/** Close codes of the gateway (docs/gateway.md). */
export const close = {
  unknown: { code: 4000, reason: 'unknown error; reconnect' },
  malformed: { code: 4001, reason: 'malformed frame' },
  revoked: { code: 4003, reason: 'session revoked' },
  expired: { code: 4005, reason: 'token expired; refresh' },
  too_many: { code: 4007, reason: 'too many sockets' },
  rate_limited: { code: 4009, reason: 'too many commands; resume later' },
  too_big: { code: 1009, reason: 'frame too large' },
  restart: { code: 1012, reason: 'restarting; resume' },
} as const

const ReadMark = z.object({ channel_id: Id, message_id: Id }).meta({ title: 'ReadMark' })

/** Servers that one `server.open` names, and that a socket opens in a minute. */
export const OPENED_AT_ONCE_MAX = 100
export const OPENED_PER_MINUTE_MAX = 300

/** A server that the client has not opened. */
export const ServerEntry = z
  .object({
    name: Server.shape.name,
    icon_file_id: Server.shape.icon_file_id,
    unread_count: z.int().describe('channels and followed threads that are shown as unread'),
    mention_count: z.int().describe('unread messages that mention the account, in all of them'),
    thread_ids: z.array(Id).describe('the unarchived threads that the account follows there'),
  })
  .meta({ title: 'ServerEntry' })
export type ServerEntry = z.infer<typeof ServerEntry>

export const Ready = z.object({
  session: z.object({ id: Id, heartbeat_ms: z.int(), resume_window_s: z.int() }),
  user: User,
  servers: z.array(
    z.object({
      id: Id,
      channel_ids: z.array(Id),
      entry: ServerEntry.optional().describe('instead of a snapshot, if `servers` in the URL left the server out'),
    }),
  ),
  conversations: z
    .array(ConversationMark)
    .describe(`newest first: all groups, and the ${CONVERSATIONS_MAX} newest dms not hidden; REST lists older ones`),
  relations: z.array(RelationMark),
  status: OwnStatus.describe('what the account chose; others see at most a presence'),
  presences: z.array(Presence).describe('who is not offline, of friends and in the servers that tell presence'),
  voice_states: z
    .array(VoiceState)
    .describe(
      'who is present in the voice channels, dms and groups that the account sees; in stages, without listeners whose' +
        ' hands are down',
    ),
  audiences: z.array(Audience).describe('numbers of listeners, of stages that have any'),
  read_marks: z.array(ReadyMark).describe('your read marks; unread channels have `newest_id`'),
  notifications: z.array(NotificationSetting).describe('what the account has set for servers and channels'),
  reminders: z.array(Reminder).describe(`due reminders of saved messages, the ${REMINDERS_MAX} oldest`),
  unsent: z.array(Id).describe('scheduled messages of the account that are held or were returned'),
  threads: z
    .array(Channel)
    .describe(`the unarchived threads that the account follows, the ${THREADS_MAX} liveliest; others are not in it`),
  ringing: z.array(Ringing).describe('the calls that ring now'),
  own_overwrites: z.array(OwnOverwrite).describe('the overwrites for the account itself in channels that it sees'),
  unread_warnings: z.int().describe('warnings that the account has not read: GET /api/users/@me/warnings'),
  retention: OperatorRetention,
  server_time: Time.describe('now, by the clock of the server: what its times are to be compared with'),
  resumed: z.boolean(),
})
export type Ready = z.infer<typeof Ready>

export const Snapshot = z.object({
  server: Server,
  channels: z.array(Channel).describe('those that the caller sees'),
  roles: z.array(Role),
  emoji: z.array(CustomEmoji).describe('the custom emoji of the server'),
  stickers: z.array(Sticker).optional().describe('the stickers of the server; absent without any'),
  me: Member,
  own_overwrites: z
    .array(OwnOverwrite)
    .optional()
    .describe('the overwrites for the caller in channels that it sees; absent where no channel has one for it'),
  permissions: PermissionSum.describe('of the caller in the server as a whole'),
  part: z.int().describe('counts from 1: a server too large for one frame comes in several'),
  parts: z.int(),
})
export type Snapshot = z.infer<typeof Snapshot>

/** The fields of `ready` that concern one server. */
const ServerOpened = z.object({
  server_id: Id,
  read_marks: Ready.shape.read_marks.describe('your read marks in it; unread channels have `newest_id`'),
  threads: Ready.shape.threads.describe('its unarchived threads that the account follows'),
  presences: Ready.shape.presences.describe('its members who are not offline, if the server tells presence'),
})

export const gatewayEvents = {
  ready: ephemeral(Ready, 'this socket, first of all'),
  'server.snapshot': ephemeral(Snapshot, 'this socket, after ready or when the account gains the server'),
  'server.opened': ephemeral(ServerOpened, 'this socket, after the snapshot that `server.open` asked for'),
  synced: ephemeral(z.object({ s: z.int() }), 'this socket, when it has everything; `s` is what to resume from'),
  'presence.updated': ephemeral(
    z.object({ users: z.array(Presence) }),
    'friends, and members of servers of up to 1,000 members',
  ),
}

declare module '../core/events.ts' {
  interface Events extends Payloads<typeof gatewayEvents> {}
}

/** The envelope of a command. */
export const CommandFrame = z.strictObject({
  op: z.string().max(64),
  id: z.int().min(0).optional(),
  d: z.unknown().optional(),
})

const Empty = z.strictObject({})

/** Argument and answer of each command. */
export const commands = {
  ping: { d: Empty, answer: Empty, summary: 'Measure the round trip' },
  'typing.start': {
    d: z.union([z.strictObject({ channel_id: Id }), z.strictObject({ user_id: Id })]),
    answer: Empty,
    summary:
      'Tell who sees the channel that one is typing; `user_id`: in the dm with that account; repeat every few seconds',
  },
  'presence.set': {
    d: z.strictObject({ status: z.enum(['online', 'idle']) }),
    answer: Empty,
    summary: 'Tell whether somebody is at the device; what the account chose by PUT /api/auth/status goes first',
  },
  'focus.set': {
    d: z.strictObject({ channel_id: Id.nullable().describe('null: none, or nobody is at the device') }),
    answer: Empty,
    summary: 'Tell which channel this device shows with the focus on it: its messages are not pushed meanwhile',
  },
  'channel.ack': {
    d: ReadMark,
    answer: ReadMark.describe('the mark as it stands'),
    summary: 'Mark a channel read up to a message, in a dm its messages too; marks only move forward',
  },
  'server.open': {
    d: z.strictObject({ server_ids: z.array(Id).min(1).max(OPENED_AT_ONCE_MAX) }),
    answer: z.strictObject({ server_ids: z.array(Id).describe('those that were opened') }),
    summary:
      'Get servers that `ready` only lists: `server.snapshot` and `server.opened` of each come before the answer; ' +
      `at most ${OPENED_PER_MINUTE_MAX} servers a minute`,
  },
  ...voiceCommands,
} as const
export type CommandName = keyof typeof commands

export const CommandAnswer = z.union([
  z.strictObject({ re: z.int().nullable(), d: z.unknown() }),
  z.strictObject({ re: z.int().nullable(), error: ProblemBody }),
])

export const Ticket = z.object({ ticket: z.string(), expires_at: Time }).meta({ title: 'Ticket' })
