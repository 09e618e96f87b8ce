import { STATUS_CODES } from 'node:http'
import { toOpenAPISchema } from '@elysiajs/openapi'
import type { Elysia } from 'elysia'
import { z } from 'zod'
import { API_VERSION } from './asyncapi.ts'
import { errorCodes } from '../core/errors.ts'
import { permissionBits } from '../core/permissions.ts'
import { Turns } from '../core/turns.ts'
import { exampleOf, moveTitled, type Schema } from './schemas.ts'

type Media = Record<string, { schema: Schema; example?: unknown }>
interface Parameter {
  name: string
  description?: string
  schema: Schema
}
interface Operation {
  summary?: string
  tags?: string[]
  parameters?: Parameter[]
  requestBody?: { content: Media } | undefined
  responses: Record<string, { description: string; content?: Media }>
}

const row = (...cells: unknown[]) => `| ${cells.join(' | ')} |`
const rows = <T>(record: Record<string, T>, cells: (name: string, value: T) => unknown[]) =>
  Object.entries(record)
    .map(([name, value]) => row(...cells(name, value)))
    .join('\n')

const DESCRIPTION = `A self-hosted messenger: accounts, communities, text channels, files and a live gateway.

**Start here**: register, copy the token, press *Authorize*. The live channel is the WebSocket at \`/ws\`; its events
and commands are described at [/docs/asyncapi.json](/docs/asyncapi.json). Where an answer has a \`Link\` header with
\`rel="next"\`, there is a next page. Errors are RFC 9457 problems with a stable \`code\`.

Bodies have at most 256 KiB, below \`/api/auth\` at most 16 KiB. An account has 50 requests at once and 20 more each
second; a body counts as one more for each 64 KiB. Without a valid token the address counts, and each 16 KiB.

<details><summary>Error codes</summary>

${row('code', 'status', 'meaning')}
${row('---', '---', '---')}
${rows(errorCodes, (code, { status, title }) => [`\`${code}\``, status, title])}

</details>

<details><summary>Permission bits: \`permissions\` is a sum of them</summary>

${row('bit', 'name')}
${row('---', '---')}
${rows(permissionBits, (name, bit) => [bit, `\`${name}\``])}

</details>`

/** The tags in the order of Swagger UI's list. */
const TAGS = {
  Accounts: 'Registration, login, and your account',
  Sessions: 'The devices on which the account is logged in',
  Servers: 'Communities',
  Members: 'Members of servers, kicks and bans',
  Automod: 'Rules that judge what members write',
  Arrival: 'Rules, questions and a welcome for new members, and roles that members pick',
  Roles: 'Roles, their members, and their permissions in channels',
  Channels: 'Text and voice channels of a server',
  Stages: 'What stages are about while they run',
  Messages: 'Messages in channels',
  Reactions: 'Emoji under messages',
  Events: 'Events of servers, with sign-ups and calendar feeds',
  Polls: 'Questions in messages, with votes',
  Pins: 'Pinned messages of a channel',
  Cases: 'Warnings, notes and what else moderators did about members',
  Reports: 'Reports of messages and profiles, and what moderators decide',
  'Scheduled messages': 'Messages that an account sends later',
  'Saved messages': 'Messages that an account keeps for itself, with notes and reminders',
  Emoji: 'Custom emoji of servers',
  Sounds: 'Sounds of servers, played in calls',
  Stickers: 'Stickers of servers',
  Favourites: 'Pictures that accounts keep for themselves',
  Notifications: 'Unread state, mentions, and the settings of notices',
  Webhooks: 'Messages that other programs post in channels, in the formats of Discord, Slack and GitHub',
  Files: 'Uploads and downloads by pre-signed URLs',
  Voice: 'Participants of calls, and relays for calls; calls themselves use the gateway',
  Applications: 'Programs with accounts of their own, and the servers that they are added to',
  Interactions: 'Commands, components and modals of bots, and what bots answer',
  Invites: 'Codes that let accounts into a server',
  Friends: 'Friends, requests and blocks',
  'Direct messages': 'Conversations between two accounts',
  Users: 'Public profiles of accounts',
  Gateway: 'The live channel, described at /docs/asyncapi.json',
  Operations: 'Health and metrics, for operators',
  Operator: 'The operator’s page: for accounts that the command line has made operators',
}

/** Meanings of parameters whose schemas do not explain them. */
const PARAMETERS: Record<string, string> = {
  server_id: 'id of the server',
  channel_id: 'id of the channel',
  message_id: 'id of the message',
  event_id: 'id of the event',
  feed_id: 'id of the calendar feed',
  date: '`n` of a date of the event',
  answer_id: 'number of the answer in the poll, from 1',
  scheduled_id: 'id of the scheduled message',
  file_id: 'id of the file',
  report_id: 'id of the report',
  case_id: 'id of the case',
  emoji_id: 'id of the custom emoji',
  sticker_id: 'id of the sticker',
  favourite_id: 'id of the favourite picture',
  emoji: 'the emoji, or name:id of a custom one',
  role_id: 'id of the role',
  webhook_id: 'id of the webhook',
  rule_id: 'id of the automod rule',
  token: 'the secret in the URL of the webhook',
  interaction_id: 'id of the interaction',
  application_id: 'id of the application, which is its bot’s',
  user_id: 'id of the account',
  limit: 'entries per page',
  offset: 'entries to skip',
}

type Paths = Record<string, Record<string, Operation>>

/** The OpenAPI 3.1 document of the declared routes without `servers`: the plugin's, completed by `finish`. */
export async function openApi(routes: Elysia['routes'], turns = new Turns()) {
  const paths: Paths = {}
  const schemas: Record<string, Schema> = {}
  const add = (route: Elysia['routes'][number]) => {
    for (const [path, operations] of Object.entries(pathsOf(route))) {
      for (const operation of Object.values(operations)) finish(operation, schemas)
      paths[path] = { ...paths[path], ...operations }
    }
  }
  await Promise.all(routes.map((route) => turns.run(() => add(route))))
  return {
    openapi: '3.1.0',
    info: { title: 'Parley', version: API_VERSION, description: DESCRIPTION },
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: [{ bearer: [] }, { cookie: [] }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        cookie: { type: 'apiKey', in: 'cookie', name: '__Host-session' },
      },
    },
  }
}

/** The plugin's description of a route. */
function pathsOf(route: Elysia['routes'][number]): Paths {
  const { 204: nothing, ...response } = route.hooks.response ?? {}
  const responses = nothing ? { ...response, 204: z.any().describe('No Content') } : response
  // The plugin does not know that our parser accepts only JSON.
  const describedRoute = { ...route, hooks: { ...route.hooks, parse: [{ fn: 'json' }], response: responses } }
  const source = { getGlobalRoutes: () => [describedRoute], getGlobalDefinitions: () => ({ type: {} }) }
  return toOpenAPISchema(source as never, { paths: [/^\/docs/], staticFile: false }).paths as Paths
}

/** Describes the parameters, gives every body an example and every problem its media type, and names the schemas. */
function finish(operation: Operation, schemas: Record<string, Schema>): void {
  for (const parameter of operation.parameters ?? []) {
    const { description = PARAMETERS[parameter.name], ...schema } = parameter.schema
    if (typeof description === 'string') Object.assign(parameter, { description, schema })
  }
  const [body] = Object.values(operation.requestBody?.content ?? {})
  if (body?.schema.title === 'NoBody') delete operation.requestBody
  const bodies = [operation.requestBody?.content, ...Object.values(operation.responses).map((answer) => answer.content)]
  for (const [at, content] of bodies.entries()) {
    for (const media of Object.values(content ?? {})) {
      media.example ??= exampleOf(media.schema, at > 0 ? 'answer' : 'request')
      media.schema = moveTitled(media.schema, schemas, at > 0)
    }
  }
  for (const [status, answer] of Object.entries(operation.responses)) {
    if (answer.description.startsWith('Response for')) answer.description = STATUS_CODES[status] ?? status
    const json = answer.content?.['application/json']
    if (status === '204') delete answer.content
    else if (json && String(json.schema.$ref).endsWith('Problem')) {
      const code = /`(\w+)`/.exec(answer.description)?.[1] ?? ''
      const title = new Map<string, { title: string }>(Object.entries(errorCodes)).get(code)?.title
      const example = { type: 'about:blank', title, status: Number(status), code, detail: title }
      answer.content = { 'application/problem+json': { schema: json.schema, example } }
    }
  }
}
