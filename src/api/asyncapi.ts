import { z } from 'zod'
import type { EventType } from '../core/events.ts'
import { errorCodes } from '../core/errors.ts'
import { permissionBits } from '../core/permissions.ts'
import { userEvents } from '../features/accounts/model.ts'
import { channelEvents } from '../features/channels/model.ts'
import { dmEvents } from '../features/dms/model.ts'
import { friendEvents } from '../features/friends/model.ts'
import {
  close,
  CommandAnswer,
  CommandFrame,
  commands,
  COMMANDS_PER_MINUTE_MAX,
  FRAME_BYTES_MAX,
  GATEWAY_VERSION,
  gatewayEvents,
  REPLAY_EVENTS_MAX,
  SOCKETS_PER_USER_MAX,
} from '../gateway/model.ts'
import { inviteEvents } from '../features/invites/model.ts'
import { memberEvents } from '../features/members/model.ts'
import { messageEvents } from '../features/messages/model.ts'
import { roleEvents } from '../features/roles/model.ts'
import { serverEvents } from '../features/servers/model.ts'
import { VOICE_COMMANDS_PER_MINUTE_MAX, VOICE_FRAME_BYTES_MAX, voiceEvents } from '../voice/model.ts'

/** The interface's version, interface.md §9. */
export const API_VERSION = '0.14.0'

/** Every event that there is. */
export const events: Record<string, EventType> = {
  ...gatewayEvents,
  ...userEvents,
  ...serverEvents,
  ...memberEvents,
  ...channelEvents,
  ...roleEvents,
  ...messageEvents,
  ...inviteEvents,
  ...friendEvents,
  ...dmEvents,
  ...voiceEvents,
}

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output' = 'output') => {
  const { $schema: _, ...body } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return body
}

/** Durable events that are also made for the sockets of one account alone, and then carry no `s`. */
const ALSO_WITHOUT_S = new Set(['channel.created', 'channel.deleted', 'server.deleted'])

/** The schema of an event's frame. */
const frameSchema = (name: string, { schema, resource }: EventType) => ({
  type: 'object',
  required: ['t', 'd', ...(resource && !ALSO_WITHOUT_S.has(name) ? ['s'] : [])],
  properties: {
    t: { const: name },
    ...(resource ? { s: { type: 'integer', description: "the event's id in the event log" } } : {}),
    d: jsonSchema(schema),
  },
})

const closeCodes = Object.values(close)
  .map(({ code, reason }) => `- ${code}: ${reason}`)
  .join('\n')

/** What a client has to know besides the frames. Source: gateway.md. */
const DESCRIPTION = `One WebSocket a client; every frame is one JSON object as text. Whoever connects is judged before
the upgrade: a refusal is a problem (RFC 9457) and no socket.

**Frames.** The server sends events, \`{"t", "s", "d"}\`: a durable one carries \`s\`, its id in the event log. The
client sends commands, \`{"op", "id", "d"}\`, and each is answered by \`{"re": id, "d"}\` or \`{"re": id, "error":
problem}\`.

**Beginning.** First comes \`ready\`: all that exists for the account now, by id. A fresh connection (\`resumed:
false\`) then gets a \`server.snapshot\` for each server; members are fetched by REST. With \`&s=\`, the newest \`s\`
that the client has seen, a connection within \`resume_window_s\` (\`resumed: true\`) gets what it missed instead,
only the newest event of each resource; after more than ${REPLAY_EVENTS_MAX} events it is a fresh one. \`synced\` ends
either.

**Keeping state.** Drop what \`ready\` does not name, fetch what you do not know, upsert the rest: \`created\` and
\`updated\` carry the whole resource. Delivery is at least once and not always in order: ignore an \`s\` below the
last one applied to that resource. Ignore events and fields that you do not know. A deleted role leaves its members
and channels without an event of their own; what the own permissions show or hide comes as \`channel.created\`,
\`channel.deleted\` and \`server.deleted\` without \`s\`. Keep the read mark of a channel that goes so: it may come
back, and \`ready\` names marks of hidden channels too; leaving a server ends those of its channels.

A conversation is shown while it holds a message newer than the one up to which it was hidden; its \`unread_count\` is
what the newest event said that carries one, by \`s\`. \`read_at\`, once set, stays: ignore a null that comes later.

**Voice.** \`voice.join\` answers with a seat, and who else has one; its socket speaks for it until \`voice.leave\`.
A room's media go from member to member (\`p2p\`: one RTCPeerConnection a pair, negotiated by \`voice.description\` and
\`voice.candidate\`, perfect negotiation, the greater \`voice_session_id\` is polite) or over the server (\`sfu\`:
mediasoup's, by \`voice.sfu\`). \`voice.route\` tells of a change: build the new way, then take down the old one.
What is said under another epoch than the room's is dropped. When the socket dies the seat is kept for 30 s: connect,
\`voice.resume\`, and take the answer for the truth; \`not_found\`, and \`voice.disconnected\` with the reason
\`rejoin\`, mean that the process which held the room is gone: join again. States come in \`ready\` and as
\`voice.state_updated\`; those of a channel that one has just gained, by GET
/api/channels/:channel_id/voice-states.

**Limits.** A frame of at most ${FRAME_BYTES_MAX} bytes, of ${VOICE_FRAME_BYTES_MAX} for \`voice.description\` and
\`voice.sfu\`; ${COMMANDS_PER_MINUTE_MAX} commands a minute and ${VOICE_COMMANDS_PER_MINUTE_MAX} of voice,
${SOCKETS_PER_USER_MAX} sockets an account. Who reads too slowly is dropped (1006). The server pings every
\`heartbeat_ms\` and drops who stays silent for two; a client that wants to measure sends \`ping\`.

**Close codes.** Reconnect with jitter and \`&s=\`, also after 1006; but 4001, 4003 and 4007 are fatal:

${closeCodes}`

/** What the URL may carry. */
const Query = z.object({
  token: z.string().optional().describe('the access token; without it a ticket, or the session cookie'),
  ticket: z.string().optional().describe('from POST /api/auth/ws-ticket: good once, for 30 s'),
  s: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional()
    .describe('the newest `s` seen: resume from there'),
  v: z.literal(GATEWAY_VERSION).optional().describe('the version of the gateway'),
})

const eventMessages = () =>
  Object.entries(events).map(([name, event]) => {
    const summary = `To ${event.to}. ${event.resource ? 'Durable: carries `s`.' : 'Ephemeral.'}`
    return [name, { name, title: name, summary, payload: frameSchema(name, event) }]
  })

const commandMessages = () =>
  Object.entries(commands).map(([op, { d, answer, summary }]) => {
    const payload = jsonSchema(CommandFrame.extend({ op: z.literal(op), d }), 'input')
    return [`command.${op}`, { name: op, title: op, summary, payload, 'x-answer': jsonSchema(answer) }]
  })

/** The gateway's events and commands as AsyncAPI 3.0. */
export function asyncApi(base: string) {
  const { protocol, host } = new URL(base)
  const answer = { name: 'answer', summary: 'Answers a command, by its id', payload: jsonSchema(CommandAnswer) }
  const messages = { ...Object.fromEntries([...eventMessages(), ...commandMessages()]), answer }
  const reference = (name: string) => ({ $ref: `#/channels/gateway/messages/${name}` })
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Parley gateway',
      version: API_VERSION,
      description: DESCRIPTION,
    },
    servers: { parley: { host, protocol: protocol === 'https:' ? 'wss' : 'ws' } },
    channels: { gateway: { address: '/ws', messages, bindings: { ws: { method: 'GET', query: jsonSchema(Query) } } } },
    operations: {
      receive: {
        action: 'send',
        channel: { $ref: '#/channels/gateway' },
        messages: [...Object.keys(events), 'answer'].map(reference),
      },
      command: {
        action: 'receive',
        channel: { $ref: '#/channels/gateway' },
        messages: Object.keys(commands).map((op) => reference(`command.${op}`)),
      },
    },
  }
}

/** The part of the contract that test/api/golden/contract.json pins: additions are deliberate, removals are breaks. */
export const contract = () => ({
  version: API_VERSION,
  errors: errorCodes,
  permissions: permissionBits,
  close_codes: close,
  events: Object.fromEntries(
    Object.entries(events).map(([name, event]) => [
      name,
      { durable: Boolean(event.resource), d: jsonSchema(event.schema) },
    ]),
  ),
  commands: Object.fromEntries(
    Object.entries(commands).map(([op, { d, answer }]) => [
      op,
      { d: jsonSchema(d, 'input'), answer: jsonSchema(answer) },
    ]),
  ),
})
