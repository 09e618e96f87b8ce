import { z } from 'zod'
import type { EventType } from './core/contract.ts'
import { errorCodes } from './core/errors.ts'
import { permissionBits } from './core/permissions.ts'
import { userEvents } from './features/accounts/model.ts'
import { channelEvents } from './features/channels/model.ts'
import { CommandAnswer, CommandFrame, commands, close, gatewayEvents } from './features/gateway/model.ts'
import { inviteEvents } from './features/invites/model.ts'
import { memberEvents } from './features/members/model.ts'
import { messageEvents } from './features/messages/model.ts'
import { roleEvents } from './features/roles/model.ts'
import { serverEvents } from './features/servers/model.ts'

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
}

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output' = 'output') => {
  const { $schema: _, ...body } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return body
}

/** The schema of an event's frame. */
const frameSchema = (name: string, { schema, resource }: EventType) => ({
  type: 'object',
  required: ['t', 'd', ...(resource ? ['s'] : [])],
  properties: {
    t: { const: name },
    ...(resource ? { s: { type: 'integer', description: "the event's id in the event log" } } : {}),
    d: jsonSchema(schema),
  },
})

const closeCodes = Object.values(close)
  .map(({ code, reason }) => `${code} ${reason}`)
  .join('; ')

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
      description: `One WebSocket a client, JSON text frames. Authenticated by \`?token=\`, \`?ticket=\` or the session
cookie; \`&s=\` resumes. Close codes: ${closeCodes}.`,
    },
    servers: { parley: { host, protocol: protocol === 'https:' ? 'wss' : 'ws', pathname: '/ws' } },
    channels: { gateway: { address: '/ws', messages } },
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

/** The part of the contract that test/golden/contract.json pins: additions are deliberate, removals are breaks. */
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
