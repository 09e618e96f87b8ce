import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { EventType } from '../core/events.ts'
import { errorCodes } from '../core/errors.ts'
import { permissionBits } from '../core/permissions.ts'
import { programFile } from '../core/program.ts'
import type { Turns } from '../core/turns.ts'
import { userEvents } from '../features/accounts/model.ts'
import { auditEvents } from '../features/audit/model.ts'
import { automodEvents } from '../features/automod/model.ts'
import { caseEvents } from '../features/cases/model.ts'
import { callEvents } from '../features/calls/model.ts'
import { channelEvents } from '../features/channels/model.ts'
import { dmEvents } from '../features/dms/model.ts'
import { emojiEvents } from '../features/emoji/model.ts'
import { favouriteEvents } from '../features/favourites/model.ts'
import { stickerEvents } from '../features/stickers/model.ts'
import { factorEvents } from '../features/factors/model.ts'
import { friendEvents } from '../features/friends/model.ts'
import { close, CommandAnswer, CommandFrame, commands, GATEWAY_VERSION, gatewayEvents } from '../gateway/model.ts'
import type { CommandName } from '../gateway/model.ts'
import { interactionEvents } from '../features/interactions/model.ts'
import { inviteEvents } from '../features/invites/model.ts'
import { memberEvents } from '../features/members/model.ts'
import { messageEvents } from '../features/messages/model.ts'
import { calendarEvents } from '../features/calendar/model.ts'
import { pollEvents } from '../features/polls/model.ts'
import { reactionEvents } from '../features/reactions/model.ts'
import { notificationEvents } from '../features/notifications/model.ts'
import { reportEvents } from '../features/reports/model.ts'
import { roleEvents } from '../features/roles/model.ts'
import { savedEvents } from '../features/saved/model.ts'
import { scheduledEvents } from '../features/scheduled/model.ts'
import { serverEvents } from '../features/servers/model.ts'
import { sessionEvents } from '../features/sessions/model.ts'
import { stageEvents } from '../features/stages/model.ts'
import { statusEvents } from '../features/status/model.ts'
import { threadEvents } from '../features/threads/model.ts'
import { voiceEvents } from '../voice/model.ts'
import { pinEvents } from '../features/pins/model.ts'
import { webhookEvents } from '../features/webhooks/model.ts'
import { exampleOf, moveTitled, type Schema } from './schemas.ts'

/** Version of the interface: REST, events and commands. */
export const API_VERSION = '0.14.0'

/** Every event, durable and ephemeral. */
export const events: Record<string, EventType> = {
  ...gatewayEvents,
  ...userEvents,
  ...sessionEvents,
  ...statusEvents,
  ...factorEvents,
  ...serverEvents,
  ...auditEvents,
  ...automodEvents,
  ...webhookEvents,
  ...pinEvents,
  ...memberEvents,
  ...channelEvents,
  ...stageEvents,
  ...threadEvents,
  ...roleEvents,
  ...reportEvents,
  ...caseEvents,
  ...messageEvents,
  ...calendarEvents,
  ...pollEvents,
  ...reactionEvents,
  ...emojiEvents,
  ...stickerEvents,
  ...favouriteEvents,
  ...notificationEvents,
  ...savedEvents,
  ...scheduledEvents,
  ...inviteEvents,
  ...friendEvents,
  ...dmEvents,
  ...callEvents,
  ...interactionEvents,
  ...voiceEvents,
}

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output' = 'output') => {
  const { $schema: _, ...body } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return body as Schema
}

/** Durable events that sockets of one account also receive without `s`, when its own access changes. */
const ALSO_WITHOUT_S = new Set([
  'channel.created',
  'channel.deleted',
  'channel.own_overwrite_updated',
  'server.deleted',
])

/** The schema of an event's frame. */
const frameSchema = (name: string, { schema, resource }: EventType): Schema => ({
  type: 'object',
  required: ['t', 'd', ...(resource && !ALSO_WITHOUT_S.has(name) ? ['s'] : [])],
  properties: {
    t: { const: name },
    ...(resource ? { s: { type: 'integer', description: "the event's id in the event log" } } : {}),
    ...(resource ? { replayed: { const: true, description: 'given where the event is older than `ready`' } } : {}),
    d: { title: `${nameOf(name)}Data`, ...jsonSchema(schema) },
  },
})

/** The name of a type: `MessageCreated` for `message.created`. */
const nameOf = (name: string) => name.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The marked section of docs/gateway.md: everything a client must know besides the frames. */
const DESCRIPTION = markedSection(readFileSync(programFile('docs/gateway.md'), 'utf8'))

function markedSection(guide: string): string {
  const [, section] = /^<!-- asyncapi: [^>]*-->\n\n(.*?)\n\n<!-- end of asyncapi -->$/ms.exec(guide) ?? []
  if (section === undefined) throw new Error('docs/gateway.md has no section marked for AsyncAPI')
  return section
}

/** The query of the gateway's URL. */
const Query = z.object({
  token: z.string().optional().describe('the access token; without it a ticket, or the session cookie'),
  ticket: z.string().optional().describe('from POST /api/auth/ws-ticket: good once, for 30 s'),
  s: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional()
    .describe('the newest `s` seen: resume from there'),
  intents: z
    .string()
    .optional()
    .describe('what to be sent, joined by commas: servers, members, messages, content, reactions, voice, typing'),
  compress: z.literal('deflate').optional().describe('frames over 1 KiB arrive as raw deflate, in binary frames'),
  servers: z
    .string()
    .optional()
    .describe('ids of the servers to open and `recent`, joined by commas; `ready` only lists the others'),
  v: z.literal(GATEWAY_VERSION).optional().describe('the version of the gateway'),
})

/** A message with an example; its schema becomes a component with that title. */
function message(name: string, summary: string, schema: Schema, components: Record<string, Schema>, isOpen: boolean) {
  const examples = [{ payload: exampleOf(schema, isOpen ? 'answer' : 'request') }]
  return { name, title: name, summary, payload: moveTitled(schema, components, isOpen), examples }
}

function eventMessage(name: string, event: EventType, components: Record<string, Schema>) {
  const summary = `To ${event.to}. ${event.resource ? 'Durable: carries `s`.' : 'Ephemeral.'}`
  const schema = { title: `${nameOf(name)}Event`, ...frameSchema(name, event) }
  return [name, message(name, summary, schema, components, true)] as const
}

function commandMessage(op: CommandName, components: Record<string, Schema>) {
  const { d, answer, summary } = commands[op]
  const frame = CommandFrame.extend({ op: z.literal(op), d }).meta({ title: `${nameOf(op)}Command` })
  const { title: _, ...fields } = jsonSchema(answer)
  const answerSchema = moveTitled({ ...fields, title: `${nameOf(op)}Answer` }, components, true)
  const describedCommand = message(op, summary, jsonSchema(frame, 'input'), components, false)
  return [`command.${op}`, { ...describedCommand, 'x-answer': answerSchema }] as const
}

/** The gateway's events and commands as AsyncAPI 3.0, without `servers`. */
export async function asyncApi(turns: Turns) {
  const schemas: Record<string, Schema> = {}
  const answerSchema = { title: 'Answer', ...jsonSchema(CommandAnswer) }
  const answer = message('answer', 'Answers a command, by its id', answerSchema, schemas, true)
  const messageEntries = await Promise.all([
    ...Object.entries(events).map(([name, event]) => turns.run(() => eventMessage(name, event, schemas))),
    ...(Object.keys(commands) as CommandName[]).map((op) => turns.run(() => commandMessage(op, schemas))),
  ])
  const messages = { ...Object.fromEntries<object>(messageEntries), answer }
  const reference = (name: string) => ({ $ref: `#/channels/gateway/messages/${name}` })
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Parley gateway',
      version: API_VERSION,
      description: DESCRIPTION,
      tags: [{ name: 'Gateway', description: 'Events and commands over one WebSocket' }],
    },
    channels: { gateway: { address: '/ws', messages, bindings: { ws: { method: 'GET', query: jsonSchema(Query) } } } },
    operations: {
      receive: {
        action: 'send',
        description: 'Events, and the answers to commands, from the server',
        channel: { $ref: '#/channels/gateway' },
        messages: [...Object.keys(events), 'answer'].map(reference),
      },
      command: {
        action: 'receive',
        description: 'Commands from the client',
        channel: { $ref: '#/channels/gateway' },
        messages: Object.keys(commands).map((op) => reference(`command.${op}`)),
      },
    },
    components: { schemas },
  }
}

/**
 * The part of the contract that test/api/golden/contract.txt pins: additions are deliberate, removals break clients.
 */
export const contract = () => ({
  version: API_VERSION,
  errors: errorCodes,
  permissions: permissionBits,
  closeCodes: close,
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
